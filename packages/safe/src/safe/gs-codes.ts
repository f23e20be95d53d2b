/** Cause and remedy of a Safe revert code, in our own words. */
export type GsCode = {
  code: string
  /** Names cause and remedy, for texts in other languages. */
  id: string
  cause: string
  remedy: string
  /** The releases that revert with it: the first, and the last. */
  versions: readonly [first: string, last: string]
}

type Release = '1.3.0' | '1.4.1' | '1.5.0'

/** Cause, remedy and, where the code is not in all of 1.3.0 to 1.5.0, its releases. A test compares the releases. */
const table: Record<string, readonly [cause: string, remedy: string, first?: Release, last?: Release]> = {
  GS000: ['The Safe could not finish its setup.', 'Check the contract that setup calls.'],
  GS001: ['The threshold is not set: the Safe is not set up.', 'Set up the Safe first.'],
  GS002: ['The contract that setup calls has no code.', 'Check the address that setup calls.', '1.4.1'],
  GS010: ['There is not enough gas for the inner call.', 'Send it again with more gas.'],
  GS011: ['The Safe cannot pay the refund in native coin.', 'Fund the Safe, or propose it again without a refund.'],
  GS012: [
    'The Safe cannot pay the refund in the refund token.',
    'Fund the Safe with the token, or propose it again without a refund.',
  ],
  GS013: [
    'The inner call failed.',
    'Find out why the called contract reverts: balance, permissions or arguments.',
    '1.3.0',
    '1.4.1',
  ],
  GS020: ['There are too few signatures.', 'Collect the missing confirmations.'],
  GS021: ['A contract signature points into the fixed part of the signatures.', 'Ask this owner to sign again.'],
  GS022: ['A contract signature has no length.', 'Ask this owner to sign again.'],
  GS023: ['A contract signature is cut off.', 'Ask this owner to sign again.'],
  GS024: ['An owner that is a contract rejects its signature.', 'Ask this owner to sign again.'],
  GS025: ['An owner has not approved the hash on-chain.', 'Ask this owner to approve it, or to sign instead.'],
  GS026: [
    'A signature is not from a current owner, or the order is wrong.',
    'Verify each signature again; owners may have changed.',
  ],
  GS027: [
    'The hash and the data of a contract signature do not match.',
    'Ask this owner to sign again.',
    '1.4.1',
    '1.4.1',
  ],
  GS030: ['Only an owner can approve a hash.', 'Switch to an account that is an owner.'],
  GS031: ['This can only be called by the Safe itself.', 'Propose it as a transaction of the Safe.'],
  GS100: ['The modules are already initialised.', 'No action needed: setup runs only once.'],
  GS101: ['The module address is zero or reserved.', 'Use the address of the module.'],
  GS102: ['The module is already enabled.', 'No action needed.'],
  GS103: [
    'The module is not enabled, or the one before it in the list is wrong.',
    'Reload the modules and create a new proposal.',
  ],
  GS104: ['Only an enabled module can do this.', 'Enable the module first, or propose a transaction.'],
  GS105: ['The start of the page is not a module.', 'Start from the first module.', '1.4.1'],
  GS106: ['The page size is zero.', 'Ask for one module or more.', '1.4.1'],
  GS200: ['The owners are already set up.', 'No action needed: setup runs only once.'],
  GS201: ['The threshold is higher than the number of owners.', 'Choose a lower threshold.'],
  GS202: ['The threshold is zero.', 'Choose a threshold of one or more.'],
  GS203: ['The owner address is zero, reserved, or the Safe itself.', 'Use a different address.'],
  GS204: ['This address is already an owner.', 'Leave it out.'],
  GS205: [
    'This address is not an owner, or the one before it in the list is wrong.',
    'Reload the owners and create a new proposal.',
  ],
  GS300: ['The contract does not identify itself as a guard (ERC-165).', 'Check the address of the guard.', '1.4.1'],
  GS301: [
    'The contract does not identify itself as a module guard (ERC-165).',
    'Check the address of the module guard.',
    '1.5.0',
  ],
  GS400: ['The Safe cannot be its own fallback handler.', 'Use a different address.', '1.4.1'],
}

/** Every code, in order. */
export const gsCodes: readonly string[] = Object.keys(table)

/**
 * Cause and remedy of a revert code of Safe 1.3.0 and later. Older releases revert with sentences: `explainRevert`.
 *
 * @param code - as the contract writes it, for example `GS026`.
 * @returns null when the code is none of the Safe's.
 *
 * @example
 * describeGsCode('GS026')?.remedy // 'Verify each signature again; owners may have changed.'
 */
export function describeGsCode(code: string): GsCode | null {
  const found = Object.hasOwn(table, code) ? table[code] : undefined
  if (found === undefined) return null
  const [cause, remedy, first = '1.3.0', last = '1.5.0'] = found
  return { code, id: code, cause, remedy, versions: [first, last] }
}

/**
 * Finds a revert code in the words of a node, for nodes that give no revert data. Where there is data, `explainRevert`
 * reads it exactly.
 *
 * @returns null when there is none that is known.
 *
 * @example
 * findGsCode('execution reverted: GS013') // 'GS013'
 */
export function findGsCode(text: string): string | null {
  const code = /\bGS\d{3}\b/.exec(text)?.[0]
  return code === undefined || describeGsCode(code) === null ? null : code
}
