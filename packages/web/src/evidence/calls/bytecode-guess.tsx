import type { Call } from '@countersign/safe/calls'
import { useQuery } from '@tanstack/react-query'
import { size, slice } from 'viem'
import { computedQuery } from '../../api/computed-query.ts'
import { text } from '../../safe/text.ts'
import { readBytecodeFunctions } from './read-bytecode.ts'

/** Says what the code of the called contract tells of the function: a guess, and the last that is asked. */
export function BytecodeGuess({ call, chainId }: { call: Call; chainId: number }) {
  const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
  const guessed = useQuery({
    ...computedQuery('bytecode-functions', { chainId, address: call.to }, readBytecodeFunctions),
    enabled: selector !== null,
  })
  if (selector === null || !guessed.data) return null
  const found = guessed.data.find((candidate) => candidate.selector.toLowerCase() === selector)
  const kind = found === undefined ? 'none' : found.onlyReads ? 'reads' : found.takesCoin ? 'takesCoin' : 'writes'
  return (
    <p data-bytecode-guess={kind} className="wrap-anywhere">
      {text('call.guess.bytecode', { kind, selector, count: guessed.data.length })}
    </p>
  )
}
