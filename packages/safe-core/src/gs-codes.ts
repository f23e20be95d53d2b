/** Why a Safe reverted, in the words of nobody's contract. */
export type GsCode = { code: string; cause: string; remedy: string }

/** Codes of Safe 1.3.0 to 1.5.0 (`docs/error_codes.md` of the contracts): cause and remedy. */
const table: Record<string, readonly [cause: string, remedy: string]> = {
  GS000: ['The Safe could not finish its setup.', 'Check the contract that setup calls.'],
  GS001: ['The threshold is not set: the Safe is not set up.', 'Set up the Safe first.'],
  GS002: ['The contract that setup calls has no code.', 'Check the address that setup calls.'],
  GS010: ['There is not enough gas for the inner call.', 'Send it again with more gas.'],
  GS011: ['The Safe cannot pay the refund in native coin.', 'Fund the Safe, or propose it again without a refund.'],
  GS012: [
    'The Safe cannot pay the refund in the refund token.',
    'Fund the Safe with the token, or propose it again without a refund.',
  ],
  GS013: ['The inner call failed.', 'Find out why the called contract refuses: balance, rights or arguments.'],
  GS020: ['There are too few signatures.', 'Collect the missing confirmations.'],
  GS021: ['A contract signature points into the fixed part of the signatures.', 'Ask this owner to sign again.'],
  GS022: ['A contract signature has no length.', 'Ask this owner to sign again.'],
  GS023: ['A contract signature is cut off.', 'Ask this owner to sign again.'],
  GS024: ['An owner that is a contract rejects its signature.', 'Ask this owner to sign again.'],
  GS025: ['An owner has not approved the hash on the chain.', 'Ask this owner to approve it, or to sign instead.'],
  GS026: [
    'A signature is not from a current owner, or the order is wrong.',
    'Verify each signature again; owners may have changed.',
  ],
  GS027: ['The hash and the data of a contract signature do not fit.', 'Ask this owner to sign again.'],
  GS030: ['Only an owner can approve a hash.', 'Switch to an account that is an owner.'],
  GS031: ['This can only be called by the Safe itself.', 'Propose it as a transaction of the Safe.'],
  GS100: ['The modules are already initialised.', 'Nothing is to be done: setup runs once.'],
  GS101: ['The module address is zero or reserved.', 'Give the address of the module.'],
  GS102: ['The module is already enabled.', 'Nothing is to be done.'],
  GS103: [
    'The module is not enabled, or the one before it in the list is wrong.',
    'Read the modules again and propose it anew.',
  ],
  GS104: ['Only an enabled module can do this.', 'Enable the module first, or propose a transaction.'],
  GS105: ['The start of the page is not a module.', 'Start from the first module.'],
  GS106: ['The page size is zero.', 'Ask for one module or more.'],
  GS200: ['The owners are already set up.', 'Nothing is to be done: setup runs once.'],
  GS201: ['The threshold is higher than the number of owners.', 'Choose a lower threshold.'],
  GS202: ['The threshold is zero.', 'Choose a threshold of one or more.'],
  GS203: ['The owner address is zero, reserved, or the Safe itself.', 'Give another address.'],
  GS204: ['This address is already an owner.', 'Leave it out.'],
  GS205: [
    'This address is not an owner, or the one before it in the list is wrong.',
    'Read the owners again and propose it anew.',
  ],
  GS300: ['The guard does not say that it is a guard (ERC-165).', 'Check the address of the guard.'],
  GS301: [
    'The module guard does not say that it is a module guard (ERC-165).',
    'Check the address of the module guard.',
  ],
  GS400: ['The Safe cannot be its own fallback handler.', 'Give another address.'],
}

/**
 * Cause and remedy of a revert code.
 *
 * @returns null when the code is none of the Safe's.
 */
export function describeGsCode(code: string): GsCode | null {
  const found = Object.hasOwn(table, code) ? table[code] : undefined
  return found === undefined ? null : { code, cause: found[0], remedy: found[1] }
}

/**
 * Finds a revert code in an error text, or in revert data (hex), where it stands as ASCII: `0x…4753303133…` is GS013.
 *
 * @returns null when there is none that is known.
 */
export function findGsCode(textOrData: string): string | null {
  const inText = textOrData.match(/\bGS\d{3}\b/)?.[0]
  const hex = /4753(3\d)(3\d)(3\d)/i.exec(textOrData)
  const inData =
    hex === null
      ? undefined
      : `GS${hex
          .slice(1, 4)
          .map((digit) => digit[1])
          .join('')}`
  return [inText, inData].find((code) => code !== undefined && describeGsCode(code) !== null) ?? null
}
