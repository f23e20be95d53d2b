import { failWith, type Sentences } from './error.ts'

const noReleaseAccepts = 'no released Safe accepts it'

/**
 * The sentence of every error of this package, by code; by `data.reason` where a code has several. Values stand as
 * `{name}` and come from the error's data.
 */
// biome-ignore format: one sentence a line reads as the table it is
export const coreSentences = {
  NOT_SIGNED_IN: 'This needs a session.',
  NOT_AN_OWNER: 'The account `{account}` is not an owner of this Safe.',
  NOT_OWNER_OR_DELEGATE: {
    stranger: 'The account `{account}` is neither an owner nor a proposer of this Safe.',
  },
  NONCE_ALREADY_EXECUTED: 'Nonce `{nonce}` is already used. The next nonce of the Safe is `{safeNonce}`.',
  TRANSACTION_ALREADY_EXECUTED: 'This transaction is already executed.',
  ALREADY_CONFIRMED: 'You have already confirmed this transaction.',
  THRESHOLD_NOT_REACHED: {
    given: 'This transaction has `{confirmations}` of `{threshold}` confirmations.',
  },
  NONCE_OUT_OF_ORDER: 'The transaction with nonce `{safeNonce}` must be executed first.',
  NOT_PROPOSER: {
    other: '`{proposer}` proposed this, not `{account}`.',
    nobody: 'Nobody proposed this transaction here: it was found on the chain.',
  },
  CANCELLATION_EXISTS: 'A cancellation with nonce `{nonce}` is already proposed: confirm that one.',
  NOT_A_SAFE: 'There is no Safe at `{address}` on chain `{chainId}`.',
  CHAIN_ID_MISMATCH: { actual: 'The node is on chain `{actual}`, not on chain `{expected}`.' },
  RPC_ERROR: {
    hex: 'The node answered `{value}` where hex was expected.',
    number: 'The node answered `{value}` where a number was expected.',
    quantity: 'The node answered `{value}` where a quantity was expected.',
  },
  UNSUPPORTED_SAFE_VERSION: {
    factory: 'The proxy code of the factory `{version}` ({place}) is not known.',
    contracts: 'Safe `{version}` has no `{place}` contracts.',
    l2: 'Safe `{version}` has no SafeToL2Setup ({place}).',
  },
  SAFE_SETUP_INVALID: {
    payment: 'Safe `{version}` cannot pay for its creation: leave the payment out.',
    handler: 'Safe `{version}` has no fallback handler: leave it out.',
    'no-owner': 'The Safe has no owner: name at least one.',
    reserved: 'The address `{owner}` cannot be an owner: it is reserved.',
    twice: 'The owner `{owner}` is named twice.',
    threshold: 'The threshold `{threshold}` is not a number from 1 to `{owners}`, the number of owners.',
  },
  FIELD_MALFORMED: {
    number: 'The field `{field}` is `{value}`, not a whole number from 0 to 2^{bits} - 1.',
    address: 'The field `{field}` is `{value}`, not an address with a correct checksum.',
    bytes: 'The field `{field}` is `{value}`, not hex of whole bytes.',
    hash: 'The field `{field}` is `{value}`, not a hash of 32 bytes.',
    missing: 'The field `{field}` is missing: `{method}` needs it.',
    seconds: 'The time `{value}` is not in seconds since 1970.',
    surrogate: 'The field `{field}` holds half a character (a lone surrogate).',
    'not-hashable': 'EIP-712 cannot hash the field `{field}`: `{answer}`.',
    encoding: 'The encoding of the message is not one of the known ones.',
    'content-length': 'The message has {length} characters; {limit} are allowed.',
    'content-not-json': 'The message is not JSON: `{answer}`.',
    'content-kind': 'The message is neither text nor typed data (EIP-712).',
    'content-part': 'The typed data has no `{part}`.',
    'content-domain-type': 'The typed data does not declare the type `EIP712Domain` in `types`.',
    'content-type-count': 'The typed data has {count} types; {limit} are allowed.',
    'content-type': 'The type `{type}` of the typed data is not a list of fields.',
    'content-field-twice': 'The type `{type}` of the typed data names a field twice.',
    'content-field-name': 'The type `{type}` of the typed data has a field whose name cannot be hashed.',
    'content-field-type': 'The type `{type}` of the typed data has a field whose type cannot be hashed.',
    'content-object': 'The typed data has no object at `{path}`, where `{type}` belongs.',
    'content-work': 'The typed data holds more objects than can be hashed.',
    'content-depth': 'The typed data is nested deeper than {limit} levels at `{path}`.',
    'content-list': 'The typed data has no list at `{path}` that matches `{type}`.',
    'content-primary-type': 'The `primaryType` of the typed data, `{type}`, is not one of its types.',
    'content-value': 'The value at `{path}` of the typed data is not a valid `{type}`.',
    'content-number': 'The typed data has the number {value} at `{path}`: write numbers beyond 2^53 as a string.',
  },
  SIGNATURE_MALFORMED: {
    'not-hex': 'The signature `{signature}` is not hex.',
    size: 'The signature `{signature}` has {bytes} bytes, not 65.',
    short: 'The signature `{signature}` is shorter than 65 bytes.',
    'not-of-contract': 'The signature `{signature}` is not one of a contract.',
    'not-alone': 'The signature `{signature}` of a contract does not hold its own bytes, and them alone.',
    leftover: 'In the signatures, the bytes from {start} to {end} belong to none of them (`{problem}`).',
    owner: 'The signature `{signature}` has other bytes in front of the address of its owner.',
    range: 'The signature `{signature}` has an r or s that no key can produce.',
    'chain-id': `The signature \`{signature}\` has a chain ID in it (EIP-155, v = {v}), as an on-chain transaction has: ${noReleaseAccepts}.`,
    kind: `The signature \`{signature}\` is of an unknown kind (v = {v}): ${noReleaseAccepts}.`,
    'two-of-owner': 'The owner `{owner}` has two signatures.',
    'other-owner': 'The signature of `{owner}` names the owner `{named}`.',
  },
  SIGNATURE_KIND_NOT_SUPPORTED: {
    'old-parent': 'The owner has no fallback handler that answers Safes up to 1.4.1: confirm with approveHash, as a transaction of the owner.',
    'oldest-owner': 'The owner is a Safe 0.1.0 and answers in a way that only Safe 0.1.0 understands: confirm with approveHash, as a transaction of the owner.',
    'new-parent': 'The owner has no fallback handler that answers a Safe 1.5.0: confirm with approveHash, as a transaction of the owner.',
    secp256r1: `The signature \`{signature}\` is of the kind secp256r1 (v = 2): ${noReleaseAccepts}.`,
  },
  SIGNATURE_INVALID: { key: 'The signature `{signature}` belongs to no key.' },
  CALLDATA_MALFORMED: {
    'too-short': 'The calldata has {size} bytes; its values need {needed}.',
    'offset-out-of-bounds': 'The offset at byte {start} points beyond the calldata.',
    'length-out-of-bounds': 'The length at byte {start} goes beyond the calldata.',
    'budget-values': 'The calldata has more than {limit} values.',
    'budget-bytes': 'The values of the calldata point at the same bytes over and over.',
  },
  MULTISEND_MALFORMED: {
    'not-multi-send': 'The batch cannot be decoded: it is not calldata of `multiSend(bytes)`.',
    'batch-encoding': 'The batch cannot be decoded exactly: its ABI encoding is not the canonical one, from byte {start} to {end}.',
    'batch-head': 'The batch cannot be decoded exactly: bytes {start} to {end} are too few for a call.',
    'batch-leftover': 'The batch cannot be decoded exactly: bytes {start} to {end} are left over, which the contract ignores.',
    'batch-operation': 'The batch cannot be decoded exactly: call {position} has operation {operation}.',
    'batch-overrun': 'The batch cannot be decoded exactly: call {position} is longer than the batch.',
    'batch-two-layouts': 'The batch can be decoded in two ways: as one of Safe 1.0.0 and as a later one.',
  },
  ABI_MALFORMED: {
    json: 'The ABI is not JSON.',
    name: 'The ABI has `{at}`, which is not a type or name that can be parsed.',
    list: 'The ABI is not a list.',
    entry: 'Entry {position} of the ABI is not an object.',
    functions: 'The ABI has more than {limit} functions.',
    nameless: 'Function {position} of the ABI has no name.',
    long: 'Function {position} of the ABI is too long.',
    parameters: 'A function of the ABI has parameters that are not a list.',
    depth: 'The tuples of the ABI are nested too deep.',
    'parameter-count': 'The ABI has too many parameters.',
    parameter: 'A parameter in the ABI has no type.',
  },
  POLICY_MALFORMED: {
    length: 'The policy has {length} characters; {limit} are allowed.',
    json: 'The policy is not JSON.',
    form: 'The policy is not written in its one form: the text differs from what its values give.',
    field: 'The field `{field}` of the policy is `{value}`, which it cannot be.',
    many: 'The list `{field}` of the policy has {count} entries; {limit} are allowed.',
    twice: 'The list `{field}` of the policy says something of `{value}` twice.',
    place: 'The policy is of `{safeAddress}` on chain {chainId}, another Safe.',
    number: 'The policy has the number {number}; the next one is {expected}.',
    previous: 'The policy names `{previousHash}` as the version before; that is `{expected}`.',
  },
  EFFECTS_FILE_INVALID: {
    long: 'The file has {count} characters; {limit} are allowed.',
    json: 'The file is not JSON.',
    field: 'The field `{field}` of the file is `{value}`, which it cannot be.',
    line: 'Line {line} of the file has `{value}`, which cannot be read.',
    many: 'The list `{field}` of the file has {count} entries; {limit} are allowed.',
    empty: 'The file names no state change.',
    other: 'The file is for another transaction: it names the hash `{hash}`.',
  },
  SIWE_MESSAGE_MALFORMED: {
    introduction: 'The first line of the sign-in message, `{value}`, does not end in `{expected}`.',
    line: 'The {field} of the sign-in message, `{value}`, is in the place of `{expected}`.',
    blank: 'The sign-in message has `{value}` in the place of an empty line.',
    extra: 'The sign-in message has the line `{value}`, which EIP-4361 does not allow there.',
    length: 'The sign-in message has {length} characters; {limit} are allowed.',
    checksum: 'The {field} of the sign-in message, `{value}`, is not an address with its EIP-55 checksum.',
    version: 'The {field} of the sign-in message, `{value}`, is not version `1`.',
    'chain-id': 'The {field} of the sign-in message, `{value}`, is not a chain ID.',
    time: 'The {field} of the sign-in message, `{value}`, is not a time of RFC 3339, such as `2025-01-31T12:00:00Z`.',
    scheme: 'The {field} of the sign-in message, `{value}`, is not a scheme of RFC 3986.',
    authority: 'The {field} of the sign-in message, `{value}`, is not an authority of RFC 3986.',
    uri: 'The {field} of the sign-in message, `{value}`, is not a URI of RFC 3986.',
    statement: 'The {field} of the sign-in message, `{value}`, is empty or has a character that EIP-4361 does not allow.',
    nonce: 'The {field} of the sign-in message, `{value}`, is not 8 or more letters and digits.',
    characters: 'The {field} of the sign-in message, `{value}`, has a character that RFC 3986 does not allow.',
    'list-item': 'The {field} of the sign-in message, `{value}`, does not begin with `- `.',
    many: 'The sign-in message has more {field} than it can have: `{value}`.',
  },
} as const satisfies Sentences

/**
 * An error of this package, its sentence filled from its data.
 *
 * @example
 * throw fail('NOT_A_SAFE', { address, chainId })
 */
export const fail = failWith(coreSentences)
