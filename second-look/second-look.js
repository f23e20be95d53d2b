/**
 * A second look at a proposal of a Safe: its hashes, its calls and what is serious in them, from the bytes alone.
 *
 * It shares no code with Countersign and needs no package, no server and no network: what one of the two gets wrong, the
 * other may get right. This file has no imports, so that a page opened from a disk can load it, too.
 */

// Keccak-256: FIPS 202's permutation on lanes of 64 bits, with the padding of Keccak.

const MASK = (1n << 64n) - 1n
const rotate = (lane, by) => ((lane << by) | (lane >> (64n - by))) & MASK

function permute(state) {
  let feedback = 1
  for (let round = 0; round < 24; round++) {
    const columns = [0, 1, 2, 3, 4].map((x) => state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20])
    for (let at = 0; at < 25; at++) state[at] ^= columns[(at + 4) % 5] ^ rotate(columns[(at + 1) % 5], 1n)
    let [x, y] = [1, 0]
    let moving = state[1]
    for (let step = 0; step < 24; step++) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const found = state[x + 5 * y]
      state[x + 5 * y] = rotate(moving, BigInt((((step + 1) * (step + 2)) / 2) % 64))
      moving = found
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5)
      for (let at = 0; at < 5; at++) state[row + at] = lanes[at] ^ (~lanes[(at + 1) % 5] & MASK & lanes[(at + 2) % 5])
    }
    for (let bit = 0; bit < 7; bit++) {
      feedback = ((feedback << 1) ^ ((feedback >> 7) * 0x71)) & 0xff
      if (feedback & 2) state[0] ^= 1n << ((1n << BigInt(bit)) - 1n)
    }
  }
}

const RATE = 136

function keccak256(bytes) {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  padded[bytes.length] ^= 0x01
  padded[padded.length - 1] ^= 0x80
  const view = new DataView(padded.buffer)
  const state = Array(25).fill(0n)
  for (let start = 0; start < padded.length; start += RATE) {
    for (let at = 0; at < RATE / 8; at++) state[at] ^= view.getBigUint64(start + 8 * at, true)
    permute(state)
  }
  const hash = new DataView(new ArrayBuffer(32))
  for (let at = 0; at < 4; at++) hash.setBigUint64(8 * at, state[at], true)
  return new Uint8Array(hash.buffer)
}

// Bytes, hex, words of 32 bytes.

const toHex = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

function textBytes(text) {
  // Half a character has no bytes of its own: two texts would have one hash.
  if (/\p{Surrogate}/u.test(text)) throw new Error('A text has half a character in it.')
  return new TextEncoder().encode(text)
}

const hashText = (text) => keccak256(textBytes(text))

function fromHex(text, what) {
  if (typeof text !== 'string' || text.length % 2 === 1 || !/^0x[0-9a-fA-F]*$/.test(text))
    throw new Error(`${what} is not hex with an even number of digits: ${shorten(text)}`)
  return Uint8Array.from({ length: (text.length - 2) / 2 }, (_, at) =>
    Number.parseInt(text.slice(2 + 2 * at, 4 + 2 * at), 16),
  )
}

function concat(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

const word = (value) => fromHex(`0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`, 'a word')
const numberOf = (bytes) => (bytes.length === 0 ? 0n : BigInt(toHex(bytes)))
const hashWords = (...words) => keccak256(concat(...words))

const isNested = (value) => typeof value === 'object' && value !== null

function shorten(value) {
  const text = isNested(value) ? 'a list or an object' : String(value ?? 'nothing')
  return text.length > 66 ? `${text.slice(0, 66)}…` : text
}

/** What cannot be seen, or moves what is seen on a screen, as codes: everything that is printed may be of a stranger. */
const visible = (text) =>
  text.replace(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, (hidden) => {
    return `\\u{${hidden.codePointAt(0).toString(16)}}`
  })

/** EIP-55 */
function checksummed(address) {
  const digits = address.slice(2).toLowerCase()
  const hash = toHex(hashText(digits)).slice(2)
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at], 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}

function parseAddress(value, what) {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value))
    throw new Error(`${what} is no address: ${shorten(value)}`)
  const address = checksummed(value)
  const digits = value.slice(2)
  if (address !== value && digits !== digits.toLowerCase() && digits !== digits.toUpperCase())
    throw new Error(`${what} has a wrong checksum: ${value}`)
  return address
}

function parseNumber(value, what, bits = 256) {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error(`${what} is a number that JSON cannot hold exactly; write it as text.`)
  if (
    typeof value !== 'number' &&
    (typeof value !== 'string' || !/^(?:0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/.test(value))
  )
    throw new Error(`${what} is no whole number: ${shorten(value)}`)
  const number = BigInt(value)
  if (number < 0n || number >= 1n << BigInt(bits)) throw new Error(`${what} does not fit ${bits} bits: ${value}`)
  return number
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase()

// The ABI: signatures, decoding, and encoding again to see whether every byte was an argument.

/** Reads `name(type name,(type name)[] name)`, of the types in the table below: no int, no text, no list of fixed length. */
function parseFunction(text) {
  let at = text.indexOf('(')
  const name = text.slice(0, at)
  const list = () => {
    const found = []
    at++
    while (text[at] !== ')') {
      found.push(parameter())
      if (text[at] === ',') at++
    }
    at++
    return found
  }
  const parameter = () => {
    const parts = text[at] === '(' ? list() : null
    const [, base, suffix, label] = /^([a-z0-9]*)((?:\[\])*) ?(\w*)/.exec(text.slice(at))
    at += base.length + suffix.length
    if (text[at] === ' ') at += 1 + label.length
    return { type: typeOf(base, parts, suffix), name: label }
  }
  const inputs = list()
  const signature = `${name}(${inputs.map(({ type }) => type.text).join(',')})`
  return { name, inputs, signature, selector: toHex(hashText(signature).slice(0, 4)) }
}

function typeOf(base, parts, suffix) {
  let type = parts
    ? {
        kind: 'tuple',
        parts,
        text: `(${parts.map(({ type }) => type.text).join(',')})`,
        isDynamic: parts.some(({ type }) => type.isDynamic),
        words: parts.reduce((sum, { type }) => sum + type.words, 0),
      }
    : { kind: base, text: base, isDynamic: base === 'bytes', words: 1 }
  for (let left = suffix.length; left > 0; left -= 2)
    type = { kind: 'list', of: type, text: `${type.text}[]`, isDynamic: true, words: 1 }
  return type
}

const MAX_VALUES = 20_000

/** All arguments. Their bytes together are no more than the data: a list may name the same ones a thousand times. */
function decodeArguments(types, bytes) {
  return decodeAll(types, bytes, 0, { values: MAX_VALUES, bytes: bytes.length })
}

/** Values of one level; `at` is where its words begin, and offsets count from there. */
function decodeAll(types, bytes, start, budget) {
  let at = start
  return types.map((type) => {
    const here = at
    at += 32 * (type.isDynamic ? 1 : type.words)
    return decodeOne(type, bytes, type.isDynamic ? start + lengthAt(bytes, here) : here, budget)
  })
}

function wordAt(bytes, at) {
  if (at + 32 > bytes.length) throw new Error('The data ends before its arguments do')
  return bytes.slice(at, at + 32)
}

function lengthAt(bytes, at) {
  const length = numberOf(wordAt(bytes, at))
  if (length > BigInt(bytes.length)) throw new Error('An argument points beyond the data')
  return Number(length)
}

function decodeOne(type, bytes, at, budget) {
  if (--budget.values < 0) throw new Error('There are too many values')
  if (type.kind === 'tuple')
    return decodeAll(
      type.parts.map(({ type }) => type),
      bytes,
      at,
      budget,
    )
  if (type.kind === 'list') {
    const count = lengthAt(bytes, at)
    if (count > budget.values) throw new Error('There are too many values')
    return decodeAll(Array(count).fill(type.of), bytes, at + 32, budget)
  }
  if (type.kind === 'bytes') {
    const length = lengthAt(bytes, at)
    if (at + 32 + length > bytes.length) throw new Error('The data ends before its arguments do')
    budget.bytes -= length
    if (budget.bytes < 0) throw new Error('Its arguments share their bytes')
    return bytes.slice(at + 32, at + 32 + length)
  }
  return numberOf(wordAt(bytes, at))
}

function encodeAll(types, values) {
  const encoded = types.map((type, at) => encodeOne(type, values[at]))
  const heads = types.reduce((sum, type) => sum + 32 * (type.isDynamic ? 1 : type.words), 0)
  let tail = heads
  const head = types.map((type, at) => {
    if (!type.isDynamic) return encoded[at]
    const offset = word(BigInt(tail))
    tail += encoded[at].length
    return offset
  })
  return concat(...head, ...encoded.filter((_, at) => types[at].isDynamic))
}

function encodeOne(type, value) {
  if (type.kind === 'tuple')
    return encodeAll(
      type.parts.map(({ type }) => type),
      value,
    )
  if (type.kind === 'list')
    return concat(word(BigInt(value.length)), encodeAll(Array(value.length).fill(type.of), value))
  if (type.kind !== 'bytes') return word(value)
  return concat(word(BigInt(value.length)), value, new Uint8Array((32 - (value.length % 32)) % 32))
}

/** Whether a word is a value of its type; a contract may refuse it, or cut it. */
function fits({ kind }, value) {
  if (kind === 'address') return value < 1n << 160n
  if (kind === 'bool') return value < 2n
  return kind === 'bytes32' || value < 1n << BigInt(kind.replace('uint', ''))
}

function allFit(type, value) {
  if (type.kind === 'tuple') return type.parts.every((part, at) => allFit(part.type, value[at]))
  if (type.kind === 'list') return value.every((one) => allFit(type.of, one))
  return typeof value !== 'bigint' || fits(type, value)
}

function showValue(type, value) {
  if (type.kind === 'tuple') return `(${type.parts.map((part, at) => showValue(part.type, value[at])).join(', ')})`
  if (type.kind === 'list') return `[${value.map((one) => showValue(type.of, one)).join(', ')}]`
  if (type.kind === 'bytes') return value.length > 64 ? `${value.length} bytes` : toHex(value)
  if (type.kind === 'address') return addressOf(value)
  if (type.kind === 'bool') return value === 1n ? 'true' : 'false'
  if (type.kind === 'bytes32') return toHex(word(value))
  return String(value)
}

const addressOf = (value) => checksummed(toHex(word(value).slice(12)))

// What is known: functions by what they give away, and the contracts that a Safe may run as itself.

/**
 * Level and sentence of what is found where a function is called; `{name}` stands for an argument. One without them is
 * ordinary work, or is looked at by what is inside it. `control`: critical of the Safe itself, high of anything else.
 */
const functions = [
  ['transfer(address to,uint256 amount)'],
  ['transferFrom(address from,address to,uint256 amountOrId)'],
  ['safeTransferFrom(address from,address to,uint256 tokenId)'],
  ['safeTransferFrom(address from,address to,uint256 tokenId,bytes data)'],
  ['safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)'],
  ['safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)'],
  ['deposit()'],
  ['withdraw(uint256 amount)'],
  [
    'approve(address spender,uint256 amountOrId)',
    'high',
    '{spender} may take {amountOrId} of this token, or the item of this number where it has items',
  ],
  ['increaseAllowance(address spender,uint256 added)', 'high', '{spender} may take {added} more of this token'],
  ['increaseApproval(address spender,uint256 added)', 'high', '{spender} may take {added} more of this token'],
  ['decreaseAllowance(address spender,uint256 removed)'],
  [
    'permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
    'high',
    '{spender} may take {value} of this token from {owner}',
  ],
  [
    'approve(address token,address spender,uint160 amount,uint48 expiration)',
    'high',
    '{spender} may take {amount} of the token {token} through Permit2',
  ],
  ['setApprovalForAll(address operator,bool approved)', 'high', '{operator} may take every item: {approved}'],
  ['addOwnerWithThreshold(address owner,uint256 threshold)', 'control', 'New owner {owner}, threshold {threshold}'],
  [
    'removeOwner(address previous,address owner,uint256 threshold)',
    'control',
    'Owner {owner} is removed, threshold {threshold}',
  ],
  [
    'swapOwner(address previous,address oldOwner,address newOwner)',
    'control',
    'Owner {oldOwner} is replaced with {newOwner}',
  ],
  ['changeThreshold(uint256 threshold)', 'control', 'Threshold becomes {threshold}'],
  ['enableModule(address module)', 'control', 'Module {module} may move everything without a confirmation'],
  ['disableModule(address previous,address module)', 'control', 'Module {module} is disabled'],
  ['setGuard(address guard)', 'control', 'Guard becomes {guard}: it can refuse every transaction'],
  ['setModuleGuard(address guard)', 'control', 'Module guard becomes {guard}'],
  ['setFallbackHandler(address handler)', 'control', 'Fallback handler becomes {handler}: it signs for the Safe'],
  ['changeMasterCopy(address singleton)', 'critical', 'The code of the Safe becomes that of {singleton}'],
  [
    'setup(address[] owners,uint256 threshold,address to,bytes data,address fallbackHandler,address paymentToken,uint256 payment,address paymentReceiver)',
    'control',
    'A Safe is set up for {owners}, threshold {threshold}; code of {to} runs as it',
  ],
  ['approveHash(bytes32 hash)', 'high', 'The hash {hash} is approved in another Safe: look at what it is, too'],
  ['signMessage(bytes message)', 'high', 'The Safe signs {message} for ever'],
  ['transferOwnership(address newOwner)', 'critical', 'Control of this contract goes to {newOwner}'],
  ['renounceOwnership()', 'critical', 'Control of this contract is given up for good'],
  ['setOwner(address owner)', 'critical', 'Control of this contract goes to {owner}'],
  ['setAuthority(address authority)', 'critical', 'Control of this contract goes to {authority}'],
  ['grantRole(bytes32 role,address account)', 'critical', '{account} gets the role {role}'],
  ['revokeRole(bytes32 role,address account)', 'high', '{account} loses the role {role}'],
  ['renounceRole(bytes32 role,address account)', 'high', '{account} gives up the role {role}'],
  ['changeAdmin(address admin)', 'critical', 'The admin of this proxy becomes {admin}'],
  ['changeProxyAdmin(address proxy,address admin)', 'critical', 'The admin of {proxy} becomes {admin}'],
  ['upgradeTo(address implementation)', 'critical', 'The code of this contract becomes that of {implementation}'],
  [
    'upgradeToAndCall(address implementation,bytes data)',
    'critical',
    'The code of this contract becomes that of {implementation}',
  ],
  ['upgrade(address proxy,address implementation)', 'critical', 'The code of {proxy} becomes that of {implementation}'],
  [
    'upgradeAndCall(address proxy,address implementation,bytes data)',
    'critical',
    'The code of {proxy} becomes that of {implementation}',
  ],
  ['migrateSingleton()', 'critical', 'The code of the Safe becomes another release'],
  ['migrateWithFallbackHandler()', 'critical', 'Code and fallback handler of the Safe become another release'],
  ['migrateL2Singleton()', 'critical', 'The code of the Safe becomes another release'],
  ['migrateL2WithFallbackHandler()', 'critical', 'Code and fallback handler of the Safe become another release'],
  ['migrateToL2(address singleton)', 'critical', 'The code of the Safe becomes that of {singleton}'],
  ['performCreate(uint256 value,bytes code)', 'high', 'A contract is created of code that nobody here can read'],
  [
    'performCreate2(uint256 value,bytes code,bytes32 salt)',
    'high',
    'A contract is created of code that nobody here can read',
  ],
  ['multiSend(bytes transactions)'],
  ['multicall(bytes[] data)'],
  ['multicall(uint256 deadline,bytes[] data)'],
  ['aggregate3((address target,bool allowFailure,bytes callData)[] calls)'],
  [
    'execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
  ],
].map(([text, level, says]) => ({ ...parseFunction(text), level, says }))

const bySelector = new Map(functions.map((known) => [known.selector, known]))

/** Contracts of official releases, by the only functions that a Safe may run of them as itself. */
const libraries = [
  [
    ['multiSend'],
    '8D29bE29923b68abfDD21e541b9374737B49cdAD A238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761 998739BFdAAdde7C933B942a68053933098f9EDa 0dFcccB95225ffB03c6FBB2559B530C2B7C8A912 40A2aCCbd92BCA938b02010E17A5b8929b49130D A1dabEF33b3B82c7814B6D82A79e50F4AC44102B f220D3b4DFb23C4ade8C88E526C1353AbAcbC38F 38869bf66a61cF6bDB996A6aE40D5853Fd43B526 309D0B190FeCCa8e1D5D8309a16F7e3CB133E885 9641d764fc13c8B624c04430C7356C1C7C8102e2 0408EF011960d02349d50286D20531229BCef773 218543288004CD07832472D464648173c77D7eB7 A83c336B20401Af773B6219BA5027174338D1836',
  ],
  [
    ['signMessage'],
    'A65387F16B013cf2Af4605Ad8aA5ec25a2cbA3a2 98FFBBF51bb33A056B08ddf711f289936AafF717 357147caf9C0cCa67DfA0CF5369318d8193c8407 d53cd0aB83D845Ac265BE939c57F53AD838012c9 Aca1ec0a1A575CDCCF1DC3d5d296202Eb6061888 4FfeF8222648872B3dE295Ba1e49110E61f5b5aa',
  ],
  [
    ['performCreate', 'performCreate2'],
    '7cbB62EaA69F79e6873cD1ecB2392971036cFAa4 B19D6FFc2182150F8Eb585b79D4ABcd7C5640A9d cB8e5E438c5c2b45FbE17B02Ca9aF91509a8ad56 9b35Af71d77eaf8d7e40252370304687390A1A52 AAA566Fe7978bB0fb0B5362B7ba23038f4428D8f 2Ef5ECfbea521449E4De05EDB1ce63B75eDA90B4',
  ],
  [
    ['migrateSingleton', 'migrateWithFallbackHandler', 'migrateL2Singleton', 'migrateL2WithFallbackHandler'],
    '526643F69b81B008F46d95CD5ced5eC0edFFDaC6 817756C6c555A94BCEE39eB5a102AbC1678b09A7 6439e7ABD8Bb915A5263094784C5CF561c4172AC',
  ],
  [['migrateToL2'], 'fF83F6335d8930cBad1c0D439A841f01888D9f69 a26620d1f8f1a2433F0D25027F141aaCAFB3E590'],
].flatMap(([names, addresses]) => addresses.split(' ').map((address) => ({ names, address: `0x${address}` })))

const libraryAt = (to) => libraries.find(({ address }) => isSame(address, to))

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Whether what is sent there is lost: to nobody, to a library, or to a contract of which anybody may take it. */
const isLost = (to) => isZero(to) || isSame(to, MULTICALL3) || libraryAt(to) !== undefined

// The tree of calls.

const MAX_DEPTH = 12
const MAX_CALLS = 5_000

function readCall(bare, depth, budget) {
  const { data } = bare
  const call = { ...bare, name: null, args: {}, shown: [], inner: [], unread: 0, problem: null }
  budget.calls++
  if (data.length === 0) return call
  const known = data.length >= 4 ? bySelector.get(toHex(data.slice(0, 4))) : undefined
  if (!known || depth > MAX_DEPTH || budget.calls > MAX_CALLS) return { ...call, unread: data.length }
  const types = known.inputs.map(({ type }) => type)
  try {
    const values = decodeArguments(types, data.slice(4))
    const isExact = toHex(encodeAll(types, values)) === toHex(data.slice(4))
    if (!isExact) call.problem = 'Some bytes are no argument, or stand where a careless reader does not look'
    else if (!values.every((one, at) => allFit(types[at], one))) call.problem = 'An argument is too large for its type'
    call.known = known
    call.name = known.signature
    known.inputs.forEach(({ name, type }, at) => {
      call.args[name] = values[at]
      call.shown.push([name, showValue(type, values[at])])
    })
    call.inner = innerCalls(call, known).map((one) => readCall(one, depth + 1, budget))
  } catch (error) {
    call.problem = error.message
    call.unread = data.length
    call.inner = []
  }
  return call
}

function innerCalls({ from, to, operation, args }, { name }) {
  const self = operation === 1 ? from : to
  if (name === 'multiSend')
    return readBatch(
      args.transactions,
      self,
      zeroIsSelf.some((one) => isSame(one, to)),
    )
  if (name === 'multicall') return args.data.map((data) => ({ from, to, value: 0n, data, operation: 0 }))
  if (name === 'aggregate3')
    return args.calls.map(([target, , data]) => ({
      from: self,
      to: addressOf(target),
      value: 0n,
      data,
      operation: 0,
    }))
  if (name !== 'execTransaction') return []
  const { value, data } = args
  return [{ from: to, to: addressOf(args.to), value, data, operation: Number(args.operation) }]
}

/** Those of 1.5.0 call the Safe itself where an entry names the zero address. */
const zeroIsSelf = ['0x218543288004CD07832472D464648173c77D7eB7', '0xA83c336B20401Af773B6219BA5027174338D1836']

/** Entries of MultiSend: operation, to, value, length and data, packed. */
function readBatch(bytes, from, isZeroSelf) {
  const calls = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 85 > bytes.length) throw new Error('The batch ends inside an entry')
    const length = Number(numberOf(bytes.slice(at + 53, at + 85)))
    if (at + 85 + length > bytes.length) throw new Error('An entry of the batch is longer than the batch')
    const to = checksummed(toHex(bytes.slice(at + 1, at + 21)))
    calls.push({
      from,
      operation: bytes[at],
      to: isZeroSelf && isZero(to) ? from : to,
      isZeroTarget: isZero(to),
      value: numberOf(bytes.slice(at + 21, at + 53)),
      data: bytes.slice(at + 85, at + 85 + length),
    })
    at += 85 + length
  }
  return calls
}

// What is serious.

function findingsOf(call, safe, place = '1') {
  const found = []
  const add = (level, text) => found.push({ level, place, text })
  const { known, args, from, to } = call
  // A nested Safe that calls itself changes itself, too.
  const isOwn = isSame(to, safe) || isSame(to, from)
  if (call.operation > 1) add('critical', `The operation ${call.operation} is neither call nor delegatecall.`)
  if (call.operation === 1 && !libraryAt(to)?.names.includes(known?.name))
    add('critical', `Runs the code of ${to} as ${isSame(from, safe) ? 'the Safe' : from}: it can change everything.`)
  if (call.problem) add('critical', `${call.problem}.`)
  if (call.isZeroTarget) add('high', `The batch names the zero address here, which means ${to} to it.`)
  if (call.unread > 0) add('high', `Nobody here can read these ${call.unread} bytes for ${to}.`)
  if (call.unread > 0 && isOwn) add('critical', isSame(to, safe) ? 'They call the Safe itself.' : `${to} calls itself.`)
  if (call.operation === 0 && call.value > 0n && isLost(to)) add('high', `The coin is lost at ${to}.`)
  if (known?.says) {
    add(known.level === 'control' ? (isOwn ? 'critical' : 'high') : known.level, `${sentenceOf(call)} (${to}).`)
  } else if (known && isOwn)
    add('high', `${to} is called by itself: it is no token, and what its handler does nobody here knows.`)
  if (known) addOdd(add, call, known)
  if (known?.name === 'execTransaction')
    addRefund(add, {
      ...args,
      payer: to,
      gasToken: addressOf(args.gasToken),
      refundReceiver: addressOf(args.refundReceiver),
    })
  return [...found, ...call.inner.flatMap((inner, at) => findingsOf(inner, safe, `${place}.${at + 1}`))]
}

/** No token has so many units; those that count in 96 bits take the largest for it. */
const isUnlimited = (amount) => amount >= 1n << 128n || amount === (1n << 96n) - 1n

function sentenceOf({ known, args }) {
  return known.says.replace(/\{(\w+)\}/g, (_, written) => {
    const { name, type } = known.inputs.find(({ name }) => name === written)
    const shown = showValue(type, args[name])
    return type.kind.startsWith('uint') && isUnlimited(args[name]) ? `${shown} (without limit)` : shown
  })
}

/** What is odd about a call of a function that is ordinary work. */
function addOdd(add, { to, args, operation }, { name }) {
  if (name === 'multiSend' && operation === 0)
    add('high', `${to} is called, not run as the Safe: the calls inside are its own, and move nothing of the Safe.`)
  if (!/transfer(?:From)?$/i.test(name)) return
  const receiver = addressOf(args.to)
  if (isSame(receiver, to) || isLost(receiver)) add('high', `The token is lost at ${receiver}.`)
  if (args.data?.length > 0) add('high', `The receiver gets ${args.data.length} bytes that nobody here can read.`)
}

function addRefund(add, { payer, gasPrice, baseGas, gasToken, refundReceiver }) {
  if (gasPrice > 0n)
    add(
      'high',
      `Whoever executes it is paid by ${payer}: ${gasPrice} for each unit of gas, at least ${baseGas} of them, in ${isZero(gasToken) ? 'the coin of the chain' : `the token ${gasToken}`}, to ${isZero(refundReceiver) ? 'who sends it' : refundReceiver}.`,
    )
  else if (!isZero(gasToken) || !isZero(refundReceiver)) add('note', 'A refund is named, and nothing is refunded.')
}

function findingsOfTransaction({ safe, safeTx }, call) {
  const found = []
  const add = (level, text) => found.push({ level, place: '', text })
  addRefund(add, { ...safeTx, payer: 'the Safe' })
  if (safeTx.safeTxGas > 0n) add('note', 'safeTxGas is set: if the call fails, the nonce is used all the same.')
  if (isSame(safeTx.to, safe) && call.data.length === 0 && safeTx.value === 0n && safeTx.operation === 0)
    add('note', 'An empty call of the Safe to itself: it uses the nonce and does nothing else.')
  return [...found, ...findingsOf(call, safe)]
}

const isZero = (address) => BigInt(address) === 0n

// Hashes: EIP-712 of SafeTx and SafeMessage, by the version of the Safe.

const layouts = {
  '1.3.0 or later': { hasChain: true, gas: 'baseGas' },
  '1.0.0 to 1.2.0': { hasChain: false, gas: 'baseGas' },
  'before 1.0.0': { hasChain: false, gas: 'dataGas' },
}

function layoutOf(version) {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}(?:[+-]\w{1,20})?$/.exec(version) ?? []
  if (major === undefined) throw new Error(`version is none of a Safe: ${shorten(version)}`)
  if (Number(major) === 0) return 'before 1.0.0'
  return Number(major) > 1 || Number(minor) >= 3 ? '1.3.0 or later' : '1.0.0 to 1.2.0'
}

const addressWord = (address) => word(BigInt(address))

function domainHashOf({ chainId, safe }, { hasChain }) {
  if (!hasChain) return hashWords(hashText('EIP712Domain(address verifyingContract)'), addressWord(safe))
  const type = hashText('EIP712Domain(uint256 chainId,address verifyingContract)')
  return hashWords(type, word(chainId), addressWord(safe))
}

function hashesOf(proposal, layout) {
  const domainHash = domainHashOf(proposal, layout)
  const messageHash = proposal.safeTx ? hashFields(proposal.safeTx, layout) : hashMessage(proposal.message)
  const signed = keccak256(concat(Uint8Array.of(0x19, 0x01), domainHash, messageHash))
  return { domainHash: toHex(domainHash), messageHash: toHex(messageHash), signedHash: toHex(signed) }
}

function hashFields(safeTx, { gas }) {
  const type = `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${gas},uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)`
  const { to, value, dataHash, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  return hashWords(
    hashText(type),
    addressWord(to),
    word(value),
    dataHash,
    word(BigInt(operation)),
    word(safeTxGas),
    word(baseGas),
    word(gasPrice),
    addressWord(gasToken),
    addressWord(refundReceiver),
    word(nonce),
  )
}

function hashMessage(message) {
  return hashWords(hashText('SafeMessage(bytes message)'), keccak256(message.bytes))
}

/** EIP-191 */
const hashSigned = (bytes) => keccak256(concat(textBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes))

// EIP-712 of any typed data. What is hashed is written down in passing: nothing else of it may be shown as signed.

const MAX_TYPES = 100
const MAX_TYPE_TEXT = 200_000
const MAX_FIELDS = 10_000
const MAX_PATH = 1_000

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined)

function readTypedData({ domain, types: declared, primaryType, message, ...beside }) {
  // Some programs do not declare the domain's type and derive it from its values.
  const types = {
    ...(Object.hasOwn(declared, 'EIP712Domain') ? {} : { EIP712Domain: domainType(domain) }),
    ...declared,
  }
  checkTypes(types)
  const reading = { types, typeHashes: new Map(), typeText: 0, fields: [], unsigned: Object.keys(beside) }
  const ofDomain = hashStruct('EIP712Domain', domain, 'domain', reading)
  const before = reading.fields.length
  const notCovered = new Error(`Nothing of the message is signed: ${shorten(primaryType)} has no fields of it.`)
  // The hash of the domain's own type does not contain the message.
  if (primaryType === 'EIP712Domain') throw notCovered
  const ofMessage = hashStruct(primaryType, message, 'message', reading)
  const { fields, unsigned } = reading
  // A field that only contains others has no value after its colon.
  if (!fields.slice(before).some((field) => !field.endsWith('): '))) throw notCovered
  return { fields, unsigned, hash: hashWords(Uint8Array.of(0x19, 0x01), ofDomain, ofMessage) }
}

const domainFields = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}

const domainType = (domain) =>
  Object.entries(domainFields).flatMap(([name, type]) => (own(domain, name) == null ? [] : [{ name, type }]))

/** Refuses types that two programs could hash differently. */
function checkTypes(types) {
  const names = Object.keys(types)
  if (names.length > MAX_TYPES) throw new Error('The typed data declares too many types.')
  // Names are joined by spaces, commas and brackets when they are hashed.
  const isName = (text) => typeof text === 'string' && /^[^\s,()[\]]{1,200}$/.test(text) && !isDisguised(text)
  const isType = (text) => typeof text === 'string' && isName(text.replace(/(?:\[(?:[1-9]\d{0,5})?\]){0,8}$/, ''))
  for (const name of names) {
    const fields = types[name]
    if (!isName(name) || /^(?:u?int|bytes)\d*$|^(?:bool|address|string)$/.test(name))
      throw new Error(`This is no name of a type: ${shorten(name)}`)
    if (!Array.isArray(fields) || !fields.every((field) => isObject(field) && isName(field.name) && isType(field.type)))
      throw new Error(`The fields of the type ${shorten(name)} are no names and types.`)
    if (new Set(fields.map((field) => field.name)).size < fields.length)
      throw new Error(`The type ${shorten(name)} has a field twice.`)
  }
}

/** Names that programs or readers can take for other names. */
function isDisguised(name) {
  const isMixed = /[a-z]/i.test(name) && /[^\0-\x7f]/.test(name)
  const isHidden = /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(name)
  return isMixed || isHidden || name.normalize('NFKC') !== name || name === '__proto__'
}

function hashStruct(name, value, path, reading) {
  const fields = typeof name === 'string' ? own(reading.types, name) : undefined
  if (fields === undefined) throw new Error(`The typed data declares no type ${shorten(name)}`)
  if (!isObject(value)) throw new Error(`${shorten(path)} is no object`)
  if (path.length > MAX_PATH) throw new Error('The typed data is too deep.')
  for (const key of Object.keys(value))
    if (!fields.some((field) => field.name === key)) reading.unsigned.push(`${path}.${key}`)
  const words = fields.map((field) => encodeField(field.type, own(value, field.name), `${path}.${field.name}`, reading))
  return hashWords(hashType(name, reading), ...words)
}

function hashType(name, reading) {
  if (!reading.typeHashes.has(name)) {
    const text = encodeType(name, reading.types)
    reading.typeText += text.length
    if (reading.typeText > MAX_TYPE_TEXT) throw new Error('The types of the typed data are too long.')
    reading.typeHashes.set(name, hashText(text))
  }
  return reading.typeHashes.get(name)
}

function encodeType(name, types) {
  const found = new Set()
  const waiting = [name]
  while (waiting.length > 0) {
    const base = waiting.pop().replace(/\[.*$/, '')
    if (found.has(base) || own(types, base) === undefined) continue
    found.add(base)
    for (const { type } of types[base]) waiting.push(type)
  }
  found.delete(name)
  const one = (of) => `${of}(${types[of].map(({ name, type }) => `${type} ${name}`).join(',')})`
  return [name, ...[...found].sort()].map(one).join('')
}

function encodeField(type, value, path, reading) {
  if (reading.fields.length > MAX_FIELDS) throw new Error('The typed data has too many fields.')
  const [, inner, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  const note = (shown) => reading.fields.push(`${path} (${type}): ${shown}`)
  if (own(reading.types, type) !== undefined) {
    note('')
    return hashStruct(type, value, path, reading)
  }
  if (inner === undefined) {
    const encoded = encodeLeaf(type, value, `${shorten(path)} (${shorten(type)})`)
    note(JSON.stringify(value))
    return encoded
  }
  if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
    throw new Error(`${shorten(path)} is no list of ${shorten(type)}`)
  note(`${value.length} values`)
  return hashWords(...value.map((one, at) => encodeField(inner, one, `${path}[${at}]`, reading)))
}

function encodeLeaf(type, value, what) {
  if (type === 'string' && typeof value === 'string') return hashText(value)
  if (type === 'bool' && typeof value === 'boolean') return word(value ? 1n : 0n)
  if (type === 'string' || type === 'bool') throw new Error(`${what} is none: ${shorten(value)}`)
  if (type === 'bytes') return keccak256(fromHex(value, what))
  if (type === 'address') return addressWord(parseAddress(value, what))
  const [, family, digits] = /^(bytes|uint|int)([1-9]\d*)$/.exec(type) ?? []
  const size = Number(digits)
  const isKnown = family === 'bytes' ? size >= 1 && size <= 32 : family && size % 8 === 0 && size >= 8 && size <= 256
  if (!isKnown) throw new Error(`${what} has a type that is not known.`)
  if (family === 'uint') return word(parseNumber(value, what, size))
  if (family === 'int') return word(parseSigned(value, what, size))
  const bytes = fromHex(value, what)
  if (bytes.length !== size) throw new Error(`${what} has not ${size} bytes`)
  return concat(bytes, new Uint8Array(32 - size))
}

function parseSigned(value, what, bits) {
  const isNegative = value < 0 || /^-[1-9]/.test(value)
  const absolute = isNegative ? (typeof value === 'number' ? -value : value.slice(1)) : value
  const number = parseNumber(absolute, what, bits)
  if (number >= (1n << BigInt(bits - 1)) + (isNegative ? 1n : 0n))
    throw new Error(`${what} does not fit ${bits} bits: ${shorten(value)}`)
  return isNegative ? -number : number
}

// A proposal: what a file, a QR code or a Transaction Service says.

/** Characters of the largest proof pack, and of a message; bytes of more data than a block takes. */
const MAX_TEXT = 8_000_000
const MAX_MESSAGE = 262_144
const MAX_DATA = 262_144

/**
 * Reads a proposal from JSON.
 *
 * @param given - what is known of it from elsewhere: `chainId`, `version`, `safe`. JSON may lack the first two; it must not
 * say another thing.
 */
function parseProposal(text, given = {}) {
  if (text.length > MAX_TEXT) throw new Error('This is too long for a proposal.')
  let read
  try {
    read = JSON.parse(text)
  } catch {
    throw new Error('This is no JSON.')
  }
  if (!isObject(read)) throw new Error('This is no proposal.')
  // A proof pack has it inside.
  const fields = isObject(read.transaction) && read.to === undefined ? read.transaction : read
  const isMessage = fields.to === undefined
  if (isMessage && text.length > MAX_MESSAGE) throw new Error('This is too long for a message.')
  const of = (name, said) => {
    if (isNested(said)) throw new Error(`${name} is ${shorten(said)}`)
    if (said != null && given[name] !== undefined && !isSame(String(said), String(given[name])))
      throw new Error(`${name} is ${shorten(said)} in the proposal, and not ${given[name]}.`)
    return said ?? given[name]
  }
  const version = of('version', fields.version) ?? null
  const claimed = fields.safeTxHash ?? fields.safeMessageHash ?? (isMessage ? fields.messageHash : null) ?? null
  return {
    chainId: parseNumber(of('chainId', fields.chainId), 'chainId', 53),
    safe: parseAddress(of('safe', fields.safe ?? fields.safeAddress), 'safe'),
    version: version === null ? null : String(version),
    claimed: claimed === null ? null : shorten(claimed),
    ...(isMessage ? { message: parseMessage(fields) } : { safeTx: parseFields(fields) }),
  }
}

function parseFields(fields) {
  const number = (name) => parseNumber(fields[name], name)
  const operation = Number(number('operation'))
  if (operation > 1) throw new Error('operation is neither 0 nor 1')
  const data = fromHex(fields.data ?? '0x', 'data')
  if (data.length > MAX_DATA) throw new Error('data is longer than a transaction can be.')
  return {
    to: parseAddress(fields.to, 'to'),
    value: number('value'),
    data,
    dataHash: keccak256(data),
    operation,
    safeTxGas: number('safeTxGas'),
    baseGas: number('baseGas'),
    gasPrice: number('gasPrice'),
    gasToken: parseAddress(fields.gasToken, 'gasToken'),
    refundReceiver: parseAddress(fields.refundReceiver, 'refundReceiver'),
    nonce: number('nonce'),
  }
}

function parseMessage({ message, encoding = typeof message === 'string' ? 'EIP191_TEXT' : 'EIP712' }) {
  if (encoding === 'EIP712') {
    if (!isObject(message) || !isObject(message.types) || !isObject(message.domain))
      throw new Error('message is no typed data')
    const typed = readTypedData(message)
    return { encoding, content: message, typed, bytes: typed.hash }
  }
  if (typeof message !== 'string') throw new Error('message is missing')
  const content = { encoding, content: message }
  if (encoding === 'EIP191_TEXT') return { ...content, bytes: hashSigned(textBytes(message)) }
  if (encoding === 'EIP191_BYTES') return { ...content, bytes: hashSigned(fromHex(message, 'message')) }
  if (encoding === 'RAW') return { ...content, bytes: fromHex(message, 'message') }
  throw new Error(`encoding is not known: ${shorten(encoding)}`)
}

/** A message is never ordinary work: what a signature on it is taken for, whoever gets it decides. */
function findingsOfMessage({ content, encoding, typed }) {
  const found = []
  const add = (level, text) => found.push({ level, place: '', text })
  if (encoding === 'RAW' || encoding === 'EIP191_BYTES') {
    const length = (content.length - 2) / 2
    const isHash = length === 32 || (length === 66 && /^0x1901/.test(content))
    add('high', 'Bytes are signed that nobody can read.')
    if (isHash) add('critical', 'They may be a transaction: they have the form of its hash.')
    return found
  }
  if (typed) {
    const signed = (field) =>
      typed.fields.some((line) => line.startsWith(`domain.${field} (`)) ? content.domain[field] : undefined
    const name = signed('name') === undefined ? 'no name' : shorten(signed('name'))
    const contract = signed('verifyingContract') ?? 'no contract'
    add(
      'high',
      `${shorten(content.primaryType)} for ${name} (${shorten(contract)}): what its fields say may be done without another signature.`,
    )
    const disguised = Object.keys(content.types).find((type) => isTransaction(type, content.types[type]))
    if (disguised !== undefined) add('critical', `${shorten(disguised)} is a transaction in disguise.`)
    if (typed.unsigned.length > 0)
      add(
        'high',
        `${typed.unsigned.length} fields that came with it are not signed: ${shorten(typed.unsigned.join(', '))}.`,
      )
  } else {
    add('high', 'A text is signed: a service may take it for an order. Read every word under FIELDS.')
    if (/^\s*(?:0x[0-9a-f]*|[0-9a-f]{64,})\s*$/i.test(content))
      add('high', 'The text is hex: a wallet may sign the bytes that it spells, and a hash can be a transaction.')
  }
  // In JSON, control characters are codes.
  const written = typed ? typed.fields.join() : content
  if (/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(written))
    add('high', 'The text has invisible or reordering characters.')
  return found
}

/** Types by which somebody acts as the Safe, or code is given to an account (EIP-4337, EIP-7702, modules), and their like. */
function isTransaction(type, fields) {
  const names = fields.map(({ name }) => name)
  const has = (...all) => all.every((name) => names.includes(name))
  if (type === 'EIP712Domain') return false
  return (
    /^(?:Safe(?:Tx|Message|Op)|EncodedSafeOpStruct|ModuleTx|(?:Packed)?UserOperation)$/.test(type) ||
    has('to', 'data', 'operation') ||
    has('callData', 'nonce') ||
    has('chainId', 'address', 'nonce')
  )
}

/**
 * Looks at a proposal: hashes, calls, findings, and what a wallet is asked to sign.
 *
 * @param given - see `parseProposal`; `hash`: the one that was asked for
 */
function look(text, given = {}) {
  const proposal = parseProposal(text, given)
  const { claimed, version, safeTx } = proposal
  const findings = []
  const add = (level, text) => findings.push({ level, place: '', text })
  const named = version === null ? null : layoutOf(version)
  const isHash = (layout, hash) => isSame(hashesOf(proposal, layouts[layout]).signedHash, hash)
  const wanted = claimed ?? given.hash
  const of = wanted === undefined ? undefined : Object.keys(layouts).find((layout) => isHash(layout, wanted))
  const layout = named ?? of ?? '1.3.0 or later'
  const hashes = hashesOf(proposal, layouts[layout])
  if (claimed !== null && of !== layout)
    add('critical', `The hash that came with it is another one: ${claimed}${of ? `, that of a Safe ${of}` : ''}.`)
  if (given.hash !== undefined && !isHash(layout, given.hash))
    add('critical', `You asked for another proposal: ${given.hash}.`)
  if (version === null) add('note', `The version of the Safe is not named; the hashes are those of ${layout}.`)
  const call = safeTx ? readCall({ ...safeTx, from: proposal.safe }, 0, { calls: 0 }) : null
  const inside = call ? findingsOfTransaction(proposal, call) : findingsOfMessage(proposal.message)
  const sorted = ['critical', 'high', 'note'].flatMap((level) =>
    [...findings, ...inside].filter((one) => one.level === level),
  )
  return { proposal, layout, hashes, call, findings: sorted, typedData: typedDataOf(proposal, layouts[layout]) }
}

/** The EIP-712 typed data that `eth_signTypedData_v4`, or a signer without a network, takes. */
function typedDataOf({ chainId, safe, safeTx, message }, { hasChain, gas }) {
  const field = (text) => ({ type: text.split(' ')[0], name: text.split(' ')[1] })
  const EIP712Domain = [...(hasChain ? ['uint256 chainId'] : []), 'address verifyingContract'].map(field)
  const domain = { ...(hasChain ? { chainId: Number(chainId) } : {}), verifyingContract: safe }
  if (!safeTx)
    return {
      types: { EIP712Domain, SafeMessage: [field('bytes message')] },
      domain,
      primaryType: 'SafeMessage',
      message: { message: toHex(message.bytes) },
    }
  const amounts = ['safeTxGas', gas, 'gasPrice'].map((name) => `uint256 ${name}`)
  const fields = ['address to', 'uint256 value', 'bytes data', 'uint8 operation', ...amounts]
  const SafeTx = [...fields, 'address gasToken', 'address refundReceiver', 'uint256 nonce'].map(field)
  const written = { ...safeTx, [gas]: safeTx.baseGas, data: toHex(safeTx.data) }
  const values = SafeTx.map(({ name }) => [
    name,
    typeof written[name] === 'bigint' ? String(written[name]) : written[name],
  ])
  return { types: { EIP712Domain, SafeTx }, domain, primaryType: 'SafeTx', message: Object.fromEntries(values) }
}

// In words.

function linesOfCall(call, place = '1') {
  const indent = '  '.repeat(place.split('.').length - 1)
  const kind = call.operation === 1 ? 'DELEGATECALL' : 'call'
  const what =
    call.data.length === 0
      ? 'no data'
      : (call.name ?? `${call.unread} bytes that are not read: ${shorten(toHex(call.data))}`)
  return [
    `${indent}${place} ${kind} ${call.to}${call.value > 0n ? `, value ${call.value} wei` : ''}: ${what}`,
    ...call.shown.map(([name, value]) => `${indent}    ${name}: ${value}`),
    ...call.inner.flatMap((inner, at) => linesOfCall(inner, `${place}.${at + 1}`)),
  ]
}

function linesOfFields({ chainId, safe, version, safeTx, message }) {
  const known = [`chain ${chainId}`, `Safe ${safe}`, `version ${version ?? 'not named'}`]
  if (safeTx) {
    const { data, dataHash, ...fields } = safeTx
    const written = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
    return [...known, ...written, `data ${data.length} bytes, keccak256 ${toHex(dataHash)}`]
  }
  const { encoding, content, typed } = message
  const unsigned = typed?.unsigned.map((path) => `NOT SIGNED: ${path}`) ?? []
  const lines = typed ? [`primaryType: ${content.primaryType}`, ...typed.fields, ...unsigned] : content.split('\n')
  return [...known, `message (${encoding}):`, ...lines.flatMap(quoted)]
}

const WIDTH = 76

/** A stranger's line, marked wherever it is broken: none of it can be taken for a line of the report. */
function quoted(line) {
  const lines = ['']
  let width = 0
  for (const character of visible(line)) {
    // Many characters beyond those of English are as wide as two.
    width += character < '\x7f' ? 1 : 2
    if (width > WIDTH) {
      lines.push('')
      width = 2
    }
    lines[lines.length - 1] += character
  }
  return lines.map((part) => `| ${part}`)
}

const LEVELS = { critical: 'CRITICAL', high: 'HIGH    ', note: 'note    ' }

const NOTHING =
  'None. That a call can be read does not say that it is wanted, or that the contract does what the name says.'

/** The whole report as lines of text. */
function report({ proposal, layout, hashes, call, findings }) {
  const name = proposal.safeTx ? 'safeTxHash' : 'safeMessageHash'
  const signed = [
    ['domain hash', hashes.domainHash],
    ['message hash', hashes.messageHash],
    [name, hashes.signedHash],
  ]
  const serious = findings.map(({ level, place, text }) => `${LEVELS[level]} ${place && `${place}: `}${text}`)
  return [
    'FINDINGS',
    ...(serious.length > 0 ? serious : [NOTHING]),
    '',
    `HASHES (Safe ${layout})`,
    ...signed.map(([label, hash]) => `${label.padEnd(16)}${hash}`),
    ...(call ? ['', 'CALLS', ...linesOfCall(call)] : []),
    '',
    'FIELDS',
    ...linesOfFields(proposal),
  ].map(visible)
}

globalThis.secondLook = { look, report, visible, keccak256, toHex }
