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
const textBytes = (text) => new TextEncoder().encode(text)
const hashText = (text) => keccak256(textBytes(text))

function fromHex(text, what) {
  if (typeof text !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(text))
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

function shorten(value) {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

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
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^(?:[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)))
    throw new Error(`${what} is no whole number: ${shorten(value)}`)
  const number = BigInt(value)
  if (number < 0n || number >= 1n << BigInt(bits)) throw new Error(`${what} does not fit ${bits} bits: ${value}`)
  return number
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase()

// The ABI: signatures, decoding, and encoding again to see whether every byte was an argument.

/** Reads `name(type name,(type name)[] name)`. */
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
    const [, base, suffix, label] = /^([a-z0-9]*)((?:\[\d*\])*) ?(\w*)/.exec(text.slice(at))
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
    : { kind: base, text: base, isDynamic: base === 'bytes' || base === 'string', words: 1 }
  for (const [bracket, length] of suffix.matchAll(/\[(\d*)\]/g)) {
    const count = length === '' ? null : Number(length)
    const isDynamic = count === null || type.isDynamic
    type = { kind: 'list', of: type, count, text: type.text + bracket, isDynamic, words: (count ?? 1) * type.words }
  }
  return type
}

const MAX_VALUES = 20_000

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
  if (at + 32 > bytes.length) throw new Error('the data ends before its arguments do')
  return bytes.slice(at, at + 32)
}

function lengthAt(bytes, at) {
  const length = numberOf(wordAt(bytes, at))
  if (length > BigInt(bytes.length)) throw new Error('an argument points beyond the data')
  return Number(length)
}

function decodeOne(type, bytes, at, budget) {
  if (--budget.left < 0) throw new Error('there are too many values')
  if (type.kind === 'tuple')
    return decodeAll(
      type.parts.map(({ type }) => type),
      bytes,
      at,
      budget,
    )
  if (type.kind === 'list') {
    const count = type.count ?? lengthAt(bytes, at)
    if (count > budget.left) throw new Error('there are too many values')
    return decodeAll(Array(count).fill(type.of), bytes, type.count === null ? at + 32 : at, budget)
  }
  if (type.kind === 'bytes' || type.kind === 'string') {
    const length = lengthAt(bytes, at)
    if (at + 32 + length > bytes.length) throw new Error('the data ends before its arguments do')
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
  if (type.kind === 'list') {
    const all = encodeAll(Array(value.length).fill(type.of), value)
    return type.count === null ? concat(word(BigInt(value.length)), all) : all
  }
  if (type.kind !== 'bytes' && type.kind !== 'string') return word(value)
  return concat(word(BigInt(value.length)), value, new Uint8Array((32 - (value.length % 32)) % 32))
}

/** Whether a word is a value of its type; a contract may refuse it, or cut it. */
function fits({ kind }, value) {
  if (kind === 'address') return value < 1n << 160n
  if (kind === 'bool') return value < 2n
  const [, family, size] = /^(uint|int|bytes)(\d+)$/.exec(kind) ?? []
  if (family === 'uint') return value < 1n << BigInt(size)
  if (family === 'bytes') return BigInt.asUintN(256 - 8 * Number(size), value) === 0n
  return family !== 'int' || BigInt.asUintN(256, BigInt.asIntN(Number(size), value)) === value
}

function allFit(type, value) {
  if (type.kind === 'tuple') return type.parts.every((part, at) => allFit(part.type, value[at]))
  if (type.kind === 'list') return value.every((one) => allFit(type.of, one))
  return typeof value !== 'bigint' || fits(type, value)
}

function showValue(type, value) {
  if (type.kind === 'tuple') return `(${type.parts.map((part, at) => showValue(part.type, value[at])).join(', ')})`
  if (type.kind === 'list') return `[${value.map((one) => showValue(type.of, one)).join(', ')}]`
  if (type.kind === 'string') return JSON.stringify(new TextDecoder().decode(value))
  if (type.kind === 'bytes') return value.length > 64 ? `${value.length} bytes` : toHex(value)
  if (type.kind === 'address') return checksummed(toHex(word(value).slice(12)))
  if (type.kind === 'bool') return value === 1n ? 'true' : 'false'
  if (type.kind.startsWith('bytes')) return toHex(word(value).slice(0, Number(type.kind.slice(5))))
  return String(type.kind.startsWith('int') ? BigInt.asIntN(256, value) : value)
}

// What is known: functions by what they give away, and the contracts that a Safe may run as itself.

/** `level` of a finding, its sentence; `{name}` stands for an argument. */
const functions = [
  ['transfer(address to,uint256 amount)'],
  ['transferFrom(address from,address to,uint256 amountOrId)'],
  ['safeTransferFrom(address from,address to,uint256 tokenId)'],
  ['safeTransferFrom(address from,address to,uint256 tokenId,bytes data)'],
  ['safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)'],
  ['safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)'],
  ['deposit()'],
  ['withdraw(uint256 amount)'],
  ['approve(address spender,uint256 amountOrId)', 'allowance', '{spender} may take {amountOrId} of this token'],
  ['increaseAllowance(address spender,uint256 added)', 'allowance', '{spender} may take {added} more of this token'],
  ['increaseApproval(address spender,uint256 added)', 'allowance', '{spender} may take {added} more of this token'],
  ['decreaseAllowance(address spender,uint256 removed)'],
  [
    'permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
    'allowance',
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
    'high',
    'A Safe is set up; code of {to} runs as it',
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
  ['migrateSingleton()', 'high', 'The code of the Safe becomes another release'],
  ['migrateWithFallbackHandler()', 'high', 'Code and fallback handler of the Safe become another release'],
  ['migrateL2Singleton()', 'high', 'The code of the Safe becomes another release'],
  ['migrateL2WithFallbackHandler()', 'high', 'Code and fallback handler of the Safe become another release'],
  ['migrateToL2(address singleton)', 'high', 'The code of the Safe becomes that of {singleton}'],
  ['performCreate(uint256 value,bytes code)'],
  ['performCreate2(uint256 value,bytes code,bytes32 salt)'],
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

function isKnownLibrary(to, name) {
  return libraries.some(({ address, names }) => isSame(address, to) && names.includes(name))
}

// The tree of calls.

const MAX_DEPTH = 12
const MAX_CALLS = 5_000

function readCall({ from, to, value, data, operation }, depth, budget) {
  const call = {
    from,
    to,
    value,
    data,
    operation,
    name: null,
    args: {},
    shown: [],
    inner: [],
    unread: 0,
    problem: null,
  }
  budget.calls++
  if (data.length === 0) return call
  const known = data.length >= 4 ? bySelector.get(toHex(data.slice(0, 4))) : undefined
  if (!known || depth > MAX_DEPTH || budget.calls > MAX_CALLS) return { ...call, unread: data.length }
  const types = known.inputs.map(({ type }) => type)
  try {
    const values = decodeAll(types, data.slice(4), 0, { left: MAX_VALUES })
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

const addressOf = (value) => checksummed(toHex(word(value).slice(12)))

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
    if (at + 85 > bytes.length) throw new Error('the batch ends inside an entry')
    const length = Number(numberOf(bytes.slice(at + 53, at + 85)))
    if (at + 85 + length > bytes.length) throw new Error('an entry of the batch is longer than the batch')
    const to = checksummed(toHex(bytes.slice(at + 1, at + 21)))
    calls.push({
      from,
      operation: bytes[at],
      to: isZeroSelf && isZero(to) ? from : to,
      value: numberOf(bytes.slice(at + 21, at + 53)),
      data: bytes.slice(at + 85, at + 85 + length),
    })
    at += 85 + length
  }
  return calls
}

// What is serious.

/** More than this of any token is called unlimited. */
const UNLIMITED = 1n << 95n

function findingsOf(call, safe, place) {
  const found = []
  const add = (level, text) => found.push({ level, place, text })
  const isOwn = isSame(call.to, safe)
  if (call.operation > 1) add('critical', `The operation ${call.operation} is neither call nor delegatecall.`)
  if (call.operation === 1 && !isKnownLibrary(call.to, call.known?.name))
    add(
      'critical',
      `Runs the code of ${call.to} as ${isSame(call.from, safe) ? 'the Safe' : call.from}: it can change everything.`,
    )
  if (call.problem) add('critical', `${call.problem}.`)
  if (call.unread > 0) add('high', `Nobody here can read these ${call.unread} bytes for ${call.to}.`)
  if (call.unread > 0 && isOwn) add('critical', 'They call the Safe itself.')
  if (call.known?.says) {
    const says = call.known.says.replace(/\{(\w+)\}/g, (_, name) => call.shown.find(([of]) => of === name)?.[1] ?? '?')
    add(levelOf(call, isOwn), `${says} (${call.to}).`)
  }
  call.inner.forEach((inner, at) => {
    found.push(...findingsOf(inner, safe, `${place}.${at + 1}`))
  })
  return found
}

function levelOf({ known, args }, isOwn) {
  if (known.level === 'control') return isOwn ? 'critical' : 'high'
  if (known.level !== 'allowance') return known.level
  const [amount] = [args.amountOrId, args.added, args.value].filter((value) => value !== undefined)
  return amount >= UNLIMITED ? 'high' : 'note'
}

function findingsOfTransaction({ safe, safeTx }, call) {
  const { gasPrice, gasToken, refundReceiver, safeTxGas, baseGas } = safeTx
  const found = []
  const add = (level, text) => found.push({ level, place: '', text })
  if (gasPrice > 0n)
    add(
      'high',
      `Whoever executes it is paid by the Safe: ${gasPrice} for each unit of gas, at least ${baseGas} of them, in ${isZero(gasToken) ? 'the coin of the chain' : `the token ${gasToken}`}, to ${isZero(refundReceiver) ? 'who sends it' : refundReceiver}.`,
    )
  else if (!isZero(gasToken) || !isZero(refundReceiver)) add('note', 'A refund is named, and nothing is refunded.')
  if (safeTxGas > 0n) add('note', 'safeTxGas is set: if the call fails, the nonce is used all the same.')
  if (isSame(safeTx.to, safe) && call.data.length === 0 && safeTx.value === 0n && safeTx.operation === 0)
    add('note', 'An empty call of the Safe to itself: it uses the nonce and does nothing else.')
  return [...found, ...findingsOf(call, safe, '1')]
}

const isZero = (address) => BigInt(address) === 0n

// Hashes: EIP-712 of SafeTx and SafeMessage, by the version of the Safe.

const layouts = {
  '1.3.0 or later': { hasChain: true, gas: 'baseGas' },
  '1.0.0 to 1.2.0': { hasChain: false, gas: 'baseGas' },
  'before 1.0.0': { hasChain: false, gas: 'dataGas' },
}

function layoutOf(version) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(version) ?? []
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
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  return hashWords(
    hashText(type),
    addressWord(to),
    word(value),
    keccak256(data),
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

// EIP-712 of any typed data.

const domainFields = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
  ['salt', 'bytes32'],
]

function hashTypedData({ domain, types, primaryType, message }) {
  const isGiven = ([name]) => domain[name] !== undefined
  const declared = types.EIP712Domain ?? domainFields.filter(isGiven).map(([name, type]) => ({ name, type }))
  const all = { ...types, EIP712Domain: declared }
  const separator = hashStruct('EIP712Domain', domain, all)
  if (primaryType === 'EIP712Domain') return keccak256(concat(Uint8Array.of(0x19, 0x01), separator))
  return keccak256(concat(Uint8Array.of(0x19, 0x01), separator, hashStruct(primaryType, message, all)))
}

function hashStruct(name, value, types) {
  if (!Array.isArray(types[name])) throw new Error(`the typed data declares no type ${shorten(name)}`)
  const words = types[name].map((field) => encodeField(field.type, value?.[field.name], types, `${name}.${field.name}`))
  return hashWords(hashText(encodeType(name, types)), ...words)
}

function encodeType(name, types) {
  const found = new Set()
  const collect = (type) => {
    const base = type.replace(/\[.*$/, '')
    if (found.has(base) || types[base] === undefined) return
    found.add(base)
    for (const field of types[base]) collect(field.type)
  }
  collect(name)
  found.delete(name)
  const one = (of) => `${of}(${types[of].map(({ name, type }) => `${type} ${name}`).join(',')})`
  return [name, ...[...found].sort()].map(one).join('')
}

function encodeField(type, value, types, what) {
  const [, inner, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (inner !== undefined) {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw new Error(`${what} is no list of ${type}`)
    return hashWords(...value.map((one, at) => encodeField(inner, one, types, `${what}[${at}]`)))
  }
  if (types[type] !== undefined) return hashStruct(type, value, types)
  if (type === 'string') {
    if (typeof value !== 'string') throw new Error(`${what} is no text`)
    return hashText(value)
  }
  if (type === 'bytes') return keccak256(fromHex(value, what))
  if (type === 'address') return addressWord(parseAddress(value, what))
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw new Error(`${what} is neither true nor false`)
    return word(value ? 1n : 0n)
  }
  return encodeNumber(type, value, what)
}

function encodeNumber(type, value, what) {
  const [, family, size] = /^(bytes|uint|int)(\d+)$/.exec(type) ?? []
  if (family === 'bytes') {
    const bytes = fromHex(value, what)
    if (bytes.length !== Number(size)) throw new Error(`${what} has not ${size} bytes`)
    return concat(bytes, new Uint8Array(32 - bytes.length))
  }
  if (family === 'uint') return word(parseNumber(value, what, Number(size)))
  if (family !== 'int') throw new Error(`${what} has a type that is not known: ${shorten(type)}`)
  const isNegative = String(value).startsWith('-')
  const size256 = parseNumber(
    typeof value === 'number' ? Math.abs(value) : String(value).replace(/^-/, ''),
    what,
    Number(size) - (isNegative ? 0 : 1),
  )
  if (isNegative && size256 > 1n << BigInt(size - 1)) throw new Error(`${what} does not fit ${size} bits`)
  return word(isNegative ? -size256 : size256)
}

// A proposal: what a file, a QR code or a Transaction Service says.

/** Reads a proposal from JSON. `given`: what the JSON may lack, such as the chain. */
function parseProposal(text, given = {}) {
  let read
  try {
    read = JSON.parse(text)
  } catch {
    throw new Error('This is no JSON.')
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('This is no proposal.')
  // A proof pack has it inside.
  const fields = typeof read.transaction === 'object' && read.to === undefined ? read.transaction : read
  const of = (name) => (given[name] === undefined ? fields[name] : given[name])
  const chainId = parseNumber(of('chainId'), 'chainId', 53)
  const proposal = {
    chainId,
    safe: parseAddress(fields.safe ?? fields.safeAddress, 'safe'),
    version: of('version') ?? null,
    claimed:
      fields.safeTxHash ?? fields.safeMessageHash ?? (fields.to === undefined ? fields.messageHash : null) ?? null,
  }
  return fields.to === undefined
    ? { ...proposal, message: parseMessage(fields) }
    : { ...proposal, safeTx: parseFields(fields) }
}

function parseFields(fields) {
  const number = (name) => parseNumber(fields[name], name)
  const operation = Number(number('operation'))
  if (operation > 1) throw new Error('operation is neither 0 nor 1')
  return {
    to: parseAddress(fields.to, 'to'),
    value: number('value'),
    data: fromHex(fields.data ?? '0x', 'data'),
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
  const content = { encoding, content: message }
  if (encoding === 'EIP712') {
    const isObject = (value) => typeof value === 'object' && value !== null
    if (!isObject(message) || !isObject(message.types) || !isObject(message.domain))
      throw new Error('message is no typed data')
    return { ...content, bytes: hashTypedData(message) }
  }
  if (typeof message !== 'string') throw new Error('message is missing')
  if (encoding === 'EIP191_TEXT') return { ...content, bytes: hashSigned(textBytes(message)) }
  if (encoding === 'EIP191_BYTES') return { ...content, bytes: hashSigned(fromHex(message, 'message')) }
  if (encoding === 'RAW') return { ...content, bytes: fromHex(message, 'message') }
  throw new Error(`encoding is not known: ${shorten(encoding)}`)
}

function findingsOfMessage({ content, encoding }) {
  if (encoding === 'RAW' || encoding === 'EIP191_BYTES')
    return [{ level: 'high', place: '', text: 'Bytes are signed that nobody can read.' }]
  if (encoding === 'EIP191_TEXT')
    return /[\p{Cc}\p{Cf}]/u.test(content.replace(/[\n\r\t]/g, ''))
      ? [{ level: 'high', place: '', text: 'The text has invisible or reordering characters.' }]
      : []
  const name = String(content.primaryType)
  const where = `${content.domain.name ?? 'no name'}, ${content.domain.verifyingContract ?? 'no contract'}`
  return /permit|order|transfer|approv|delegat|authoriz|forward|safetx/i.test(name)
    ? [
        {
          level: 'high',
          place: '',
          text: `${name} lets others act for the Safe without another signature (${where}).`,
        },
      ]
    : [{ level: 'note', place: '', text: `Typed data ${name} (${where}). Read every field.` }]
}

/** Looks at a proposal: hashes, calls, findings, and what a wallet is asked to sign. */
function look(text, given) {
  const proposal = parseProposal(text, given)
  const { claimed, version, safeTx } = proposal
  const names = version === null ? Object.keys(layouts) : [layoutOf(String(version))]
  const isClaimed = (name) => isSame(hashesOf(proposal, layouts[name]).signedHash, String(claimed))
  const layout = (claimed !== null && names.find(isClaimed)) || names[0]
  const hashes = hashesOf(proposal, layouts[layout])
  const findings = []
  if (claimed !== null && !isSame(hashes.signedHash, String(claimed)))
    findings.push({
      level: 'critical',
      place: '',
      text: `The hash that came with it is another one: ${shorten(claimed)}.`,
    })
  if (version === null)
    findings.push({
      level: 'note',
      place: '',
      text: `The version of the Safe is not named; the hashes are those of ${layout}.`,
    })
  const call = safeTx ? readCall({ ...safeTx, from: proposal.safe }, 0, { calls: 0 }) : null
  findings.push(...(call ? findingsOfTransaction(proposal, call) : findingsOfMessage(proposal.message)))
  const rank = ['critical', 'high', 'note']
  findings.sort((one, other) => rank.indexOf(one.level) - rank.indexOf(other.level))
  return { proposal, layout, hashes, call, findings, typedData: typedDataOf(proposal, layouts[layout]) }
}

/** The EIP-712 typed data that `eth_signTypedData_v4`, or a signer without a network, takes. */
function typedDataOf({ chainId, safe, safeTx, message }, { hasChain, gas }) {
  const field = (text) => ({ type: text.split(' ')[0], name: text.split(' ')[1] })
  const EIP712Domain = [...(hasChain ? ['uint256 chainId'] : []), 'address verifyingContract'].map(field)
  const domain = { ...(hasChain ? { chainId: Number(chainId) } : {}), verifyingContract: safe }
  if (!safeTx)
    return {
      types: { EIP712Domain, SafeMessage: [field('bytes message')] },
      ...{ domain, primaryType: 'SafeMessage', message: { message: toHex(message.bytes) } },
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
    ...(call.inner.length > 0 ? [] : call.shown.map(([name, value]) => `${indent}    ${name}: ${value}`)),
    ...call.inner.flatMap((inner, at) => linesOfCall(inner, `${place}.${at + 1}`)),
  ]
}

function linesOfFields({ chainId, safe, version, safeTx, message }) {
  const known = [`chain ${chainId}`, `Safe ${safe}`, `version ${version ?? 'not named'}`]
  if (!safeTx) {
    const { encoding, content } = message
    return [
      ...known,
      `message (${encoding}):`,
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ]
  }
  const { data, ...fields } = safeTx
  const written = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  return [...known, ...written, `data ${data.length} bytes`]
}

const LEVELS = { critical: 'CRITICAL', high: 'HIGH    ', note: 'note    ' }

/** The whole report as lines of text. Control characters of strangers are shown as codes. */
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
    ...(serious.length > 0 ? serious : ['None. That a call can be read does not say that it is wanted.']),
    '',
    `HASHES (Safe ${layout})`,
    ...signed.map(([label, hash]) => `${label.padEnd(16)}${hash}`),
    ...(call ? ['', 'CALLS', ...linesOfCall(call)] : []),
    ...['', 'FIELDS', ...linesOfFields(proposal)],
  ].map((line) =>
    line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (hidden) =>
      hidden === '\n' ? hidden : `\\u{${hidden.codePointAt(0).toString(16)}}`,
    ),
  )
}

globalThis.secondLook = { look, report, keccak256, toHex }
