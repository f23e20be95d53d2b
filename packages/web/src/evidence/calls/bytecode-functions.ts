import { abiFromBytecode } from '@shazow/whatsabi'

/** One function that the code of a contract answers, as far as its jump table tells. */
export type BytecodeFunction = { selector: string; takesCoin: boolean; onlyReads: boolean }

/**
 * Guesses from code alone which functions it has. Code can be written to give wrong answers.
 *
 * @throws Error where the library gives up
 */
export function bytecodeFunctions(code: string): BytecodeFunction[] {
  return abiFromBytecode(code).flatMap((entry): BytecodeFunction[] =>
    entry.type === 'function'
      ? [{ selector: entry.selector, takesCoin: entry.payable === true, onlyReads: entry.stateMutability === 'view' }]
      : [],
  )
}
