import { decodeErrorResult, type Hex, parseAbi, size, slice } from 'viem'
import { describeGsCode, gsCodes } from './gs-codes.ts'

/** A reason that the Safe's own contracts give. `code` is `GS…`, or the sentence that releases without codes say. */
export type RevertReason = {
  code: string
  /** Names cause and remedy, for texts in other languages. */
  id: string
  cause: string
  remedy: string
  /** The releases that revert with it: the first, and the last. */
  versions: readonly [first: string, last: string]
}

/**
 * Meaning of revert data. Only `safe` names a cause; the others pass on a contract's text, which anybody may have
 * written.
 */
export type RevertExplanation =
  | { kind: 'safe'; reason: RevertReason }
  /** `Error(string)` with words that are not the Safe's. Text from a stranger. */
  | { kind: 'message'; message: string }
  /** `Panic(uint256)`: `0x11` is an overflow, `0x32` an index out of range … */
  | { kind: 'panic'; code: bigint }
  /** A custom error of some contract. Safe 1.5.0 has none of its own, and passes on those of the call it makes. */
  | { kind: 'custom-error'; selector: Hex; data: Hex }
  /** Reverted without a word: out of gas, no code at the address, or `revert()`. */
  | { kind: 'empty' }
  | { kind: 'unreadable'; data: Hex }

type Versions = readonly [first: string, last: string]
const OLD: Versions = ['0.1.0', '1.2.0']
const OLD_SINCE_100: Versions = ['1.0.0', '1.2.0']
const ALL_SINCE_111: Versions = ['1.1.1', '1.5.0']
const LIBRARIES: Versions = ['1.4.1', '1.5.0']

/** Sentences that mean what a later code means. */
const meansCode: Record<string, readonly [code: string, versions: Versions]> = {
  'Could not finish initialization': ['GS000', OLD],
  'Threshold needs to be defined!': ['GS001', ['1.1.1', '1.2.0']],
  'Not enough gas to execute safe transaction': ['GS010', OLD],
  'Could not pay gas costs with ether': ['GS011', OLD],
  'Could not pay gas costs with token': ['GS012', OLD],
  'Signatures data too short': ['GS020', OLD_SINCE_100],
  'Invalid contract signature location: inside static part': ['GS021', OLD_SINCE_100],
  'Invalid contract signature location: length not present': ['GS022', OLD_SINCE_100],
  'Invalid contract signature location: data not complete': ['GS023', OLD_SINCE_100],
  'Invalid contract signature provided': ['GS024', OLD_SINCE_100],
  'Hash has not been approved': ['GS025', OLD_SINCE_100],
  'Invalid owner provided': ['GS026', OLD_SINCE_100],
  'Only owners can approve a hash': ['GS030', OLD],
  'Method can only be called from this contract': ['GS031', OLD],
  'Modules have already been initialized': ['GS100', OLD],
  'Invalid module address provided': ['GS101', OLD],
  'Module has already been added': ['GS102', OLD],
  'Invalid prevModule, module pair provided': ['GS103', OLD],
  'Method can only be called from an enabled module': ['GS104', OLD],
  'Owners have already been setup': ['GS200', OLD],
  'Threshold cannot exceed owner count': ['GS201', OLD],
  'New owner count needs to be larger than new threshold': ['GS201', OLD],
  'Threshold needs to be greater than 0': ['GS202', OLD],
  'Invalid owner address provided': ['GS203', OLD],
  'Duplicate owner address provided': ['GS204', OLD],
  'Address is already an owner': ['GS204', OLD],
  'Invalid prevOwner, owner pair provided': ['GS205', OLD],
}

const USED_DIRECTLY = 'This library was called directly. It works only by delegatecall.'
const RUN_BY_DELEGATECALL = 'Propose it as a delegatecall to the official library.'
const HANDLER_IS_ASKED_DIRECTLY = 'This handler was called directly. It works only through a Safe.'
const ASK_THE_SAFE = 'Call the Safe that uses the handler.'

/** Sentences of the official contracts that no code ever stood for. */
const ownMeaning: Record<string, readonly [cause: string, remedy: string, versions: Versions]> = {
  'Domain Separator already set!': ['The Safe is already set up.', 'No action needed: setup runs only once.', OLD],
  'Invalid signatures provided': [
    'The signatures are too few, not from current owners, or in the wrong order.',
    'Verify each signature again and collect the missing ones.',
    ['0.1.0', '0.1.0'],
  ],
  'Hash not approved': [
    'The Safe has not signed this message.',
    'Let its owners sign the message.',
    ['1.0.0', '1.5.0'],
  ],
  'Invalid master copy address provided': ['The singleton address is zero.', 'Use the official singleton.', OLD],
  'Invalid singleton address provided': [
    'The singleton address is zero.',
    'Use the official singleton.',
    ['1.3.0', '1.5.0'],
  ],
  'Singleton contract not deployed': [
    'The singleton is not deployed on this chain.',
    'Deploy it first, or choose a version that is deployed.',
    LIBRARIES,
  ],
  'Create2 call failed': [
    'A Safe already exists at this address, or its set-up failed.',
    'Check whether the Safe exists. If not, choose another salt.',
    ALL_SINCE_111,
  ],
  'Could not pay safe creation with ether': [
    'The proxy could not pay for its creation in native coin.',
    'Fund the address before the Safe is created.',
    OLD,
  ],
  'Could not pay safe creation with token': [
    'The proxy could not pay for its creation in the token.',
    'Fund the address with the token before the Safe is created.',
    OLD,
  ],
  'Could not deploy contract': [
    'The contract could not be created.',
    'Check its creation code and salt.',
    ALL_SINCE_111,
  ],
  'MultiSend should only be called via delegatecall': [USED_DIRECTLY, RUN_BY_DELEGATECALL, ALL_SINCE_111],
  'SimulateTxAccessor should only be called via delegatecall': [USED_DIRECTLY, RUN_BY_DELEGATECALL, ['1.3.0', '1.5.0']],
  'Migration should only be called via delegatecall': [USED_DIRECTLY, RUN_BY_DELEGATECALL, LIBRARIES],
  'SafeToL2Setup should only be called via delegatecall': [USED_DIRECTLY, RUN_BY_DELEGATECALL, LIBRARIES],
  'Safe Singleton is not deployed': [
    'The singleton to migrate to is not deployed on this chain.',
    'Deploy it first.',
    LIBRARIES,
  ],
  'Safe Singleton (L2) is not deployed': [
    'The L2 singleton to migrate to is not deployed on this chain.',
    'Deploy it first.',
    LIBRARIES,
  ],
  'fallback handler is not deployed': [
    'The fallback handler is not deployed on this chain.',
    'Deploy it first.',
    LIBRARIES,
  ],
  'Safe must have not executed any tx': [
    'The Safe has executed transactions; the change to L2 works only before the first.',
    'Use SafeMigration to change the singleton.',
    LIBRARIES,
  ],
  'Safe is already using the singleton': [
    'The Safe already runs this singleton.',
    'No action needed.',
    ['1.4.1', '1.4.1'],
  ],
  'L2 singleton must match current version singleton': [
    'The L2 singleton is of another version than the Safe.',
    'Use the L2 singleton of the version of the Safe.',
    ['1.4.1', '1.4.1'],
  ],
  'fallbackHandler is not a contract': [
    'There is no code at the fallback handler.',
    'Use the address of a fallback handler that is deployed.',
    ['1.4.1', '1.4.1'],
  ],
  "Account doesn't contain code": ['The singleton is not deployed on this chain.', 'Deploy it first.', LIBRARIES],
  'not a fallback call': [HANDLER_IS_ASKED_DIRECTLY, ASK_THE_SAFE, ['1.5.0', '1.5.0']],
  'Invalid calldata length': [HANDLER_IS_ASKED_DIRECTLY, ASK_THE_SAFE, ['1.5.0', '1.5.0']],
  'only safe can call this method': [
    'The handler’s settings can only be changed by the Safe that uses it.',
    'Propose it as a transaction of the Safe.',
    ['1.5.0', '1.5.0'],
  ],
  'invalid method selector': [
    'The calldata is shorter than a function selector.',
    'Send the whole calldata.',
    ['1.5.0', '1.5.0'],
  ],
  'method handler not set': [
    'The Safe has no handler for this function.',
    'Let the Safe set a handler for the function first.',
    ['1.5.0', '1.5.0'],
  ],
  'invalid interface id': [
    'The interface ID `0xffffffff` is reserved.',
    'Use a different interface ID.',
    ['1.5.0', '1.5.0'],
  ],
  'interface id mismatch': [
    'The functions do not make up this interface ID.',
    'Name all functions of the interface, and no others.',
    ['1.5.0', '1.5.0'],
  ],
  'Method can only be called from manager': [
    'A module’s function was called by someone other than its Safe.',
    'Propose it as a transaction of the Safe.',
    OLD,
  ],
  'Manager has already been set': ['The module already belongs to a Safe.', 'Create a separate module.', OLD],
}

/** Every code and sentence that {@link describeRevertReason} knows. */
export const revertReasons: readonly string[] = [...gsCodes, ...Object.keys(meansCode), ...Object.keys(ownMeaning)]

/**
 * Cause and remedy of what an official Safe contract said: a GS code, or a sentence of a release or library that has no
 * codes. Those of the optional modules that were shipped beside 0.1.0 to 1.2.0 are not in it.
 *
 * @param words - exactly as the contract writes them.
 * @returns null when no official contract says this.
 *
 * @example
 * describeRevertReason('Invalid owner provided')?.cause // Safe 1.0.0 to 1.2.0: what GS026 is today
 */
export function describeRevertReason(words: string): RevertReason | null {
  const gs = describeGsCode(words)
  if (gs !== null) return gs
  const same = Object.hasOwn(meansCode, words) ? meansCode[words] : undefined
  const sameAs = same === undefined ? null : describeGsCode(same[0])
  if (same !== undefined && sameAs !== null) return { ...sameAs, code: words, versions: same[1] }
  const own = Object.hasOwn(ownMeaning, words) ? ownMeaning[words] : undefined
  return own === undefined ? null : { code: words, id: idOf(words), cause: own[0], remedy: own[1], versions: own[2] }
}

/** `Hash not approved` as `hash-not-approved`. */
function idOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

const solidityErrors = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])
const ERROR: Hex = '0x08c379a0'
const PANIC: Hex = '0x4e487b71'

/**
 * Reads revert data of a call to a Safe. From 1.5.0 a Safe passes on what the call that it makes reverted with, so that
 * even `safe` may be another contract's words: they say what to look at, they prove nothing.
 *
 * @param data - the revert data as the node gives it; `0x` when there is none.
 *
 * @example
 * explainRevert('0x08c379a0…4753303133…') // { kind: 'safe', reason: { code: 'GS013', … } }
 */
export function explainRevert(data: Hex): RevertExplanation {
  if (data === '0x') return { kind: 'empty' }
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(data) || size(data) < 4) return { kind: 'unreadable', data }
  const selector = slice(data, 0, 4)
  if (selector.toLowerCase() !== ERROR && selector.toLowerCase() !== PANIC)
    return { kind: 'custom-error', selector, data }
  try {
    const decoded = decodeErrorResult({ abi: solidityErrors, data })
    if (decoded.errorName === 'Panic') return { kind: 'panic', code: decoded.args[0] }
    const [message] = decoded.args
    const reason = describeRevertReason(message)
    return reason === null ? { kind: 'message', message } : { kind: 'safe', reason }
  } catch {
    return { kind: 'unreadable', data }
  }
}
