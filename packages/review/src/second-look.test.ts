import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  size,
  zeroAddress,
} from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import '../../../second-look/second-look.js'
import {
  deploymentAt,
  hashSafeMessage,
  hashSafeTx,
  type MessageContent,
  newSafeTx,
  parseMessageContent,
  type SafeTx,
  safeMessageTypedData,
  safeTxTypedData,
  writeMessageFile,
  writeSafeTxFile,
} from '@countersign/safe'

type Finding = { level: 'critical' | 'high' | 'note'; place: string; text: string }
type Seen = {
  hashes: { domainHash: Hex; messageHash: Hex; signedHash: Hex }
  layout: string
  findings: Finding[]
  typedData: unknown
}
type SecondLook = {
  look: (text: string, given?: { chainId?: string; version?: string; safe?: string; hash?: string }) => Seen
  report: (seen: Seen) => string[]
  keccak256: (bytes: Uint8Array) => Uint8Array
  toHex: (bytes: Uint8Array) => Hex
}

const { secondLook } = globalThis as unknown as { secondLook: SecondLook }
const { look, report, toHex } = secondLook
const folder = join(import.meta.dirname, '../../../second-look')
const readVectors = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../safe/vectors', name), 'utf8')) as Record<string, unknown>[]

const safe = getAddress('0x2222222222222222222222222222222222222222')
const other = getAddress('0x1111111111111111111111111111111111111111')
const owner = getAddress('0x3333333333333333333333333333333333333333')
const abi = parseAbi([
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
  'function enableModule(address)',
  'function addOwnerWithThreshold(address,uint256)',
  'function multiSend(bytes)',
  'function upgradeTo(address)',
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'function aggregate3((address,bool,bytes)[])',
])
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [owner, 5n] })

const write = (fields: Partial<SafeTx>, version = '1.4.1') =>
  writeSafeTxFile({ chainId: 10, safeAddress: safe, version, safeTx: newSafeTx({ to: other, nonce: 7n, ...fields }) })
const found = (fields: Partial<SafeTx>) => look(write(fields)).findings
const levels = (fields: Partial<SafeTx>) => found(fields).map(({ level }) => level)

const entry = (to: Address, data: Hex, operation = 0) =>
  encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [operation, to, 0n, BigInt(size(data)), data])
const batchOf = (...entries: Hex[]): Partial<SafeTx> => ({
  to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  operation: 1,
  data: encodeFunctionData({ abi, functionName: 'multiSend', args: [concatHex(entries)] }),
})

const callOf = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: parseAbi([signature] as never), args: args as never }) as Hex
const execute = (to: Address, { data = '0x', gasPrice = 0n }: { data?: Hex; gasPrice?: bigint }) =>
  encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, 0n, data, 0, 0n, 0n, gasPrice, zeroAddress, zeroAddress, '0x'],
  })

/** multicall(bytes[]) of as many elements, all of them the same bytes. */
const sharing = (count: number, length: number): Hex => {
  const words = [32, count, ...Array(count).fill(32 * count), length]
  return `0xac9650d8${words.map((value) => value.toString(16).padStart(64, '0')).join('')}${'00'.repeat(length)}`
}

const message = (content: unknown, given = {}) =>
  look(JSON.stringify({ chainId: 1, safe, version: '1.4.1', message: content, ...given }))
/** The class of what is thrown: a sentence is an Error, a fault of the code is another one. */
function errorOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (error) {
    return (error as Error).name
  }
}
const typed = (types: object, content: unknown, primaryType = 'Mail') => ({
  types: { EIP712Domain: [], ...types },
  domain: {},
  primaryType,
  message: content,
})

describe('second look', () => {
  it('shares no code with the page: no file of it imports anything of this repository or a package', () => {
    for (const name of ['second-look.js', 'page.js', 'cli.mjs']) {
      const imported = readFileSync(join(folder, name), 'utf8').match(/\b(?:import|require)\b.*/g) ?? []
      expect(imported.filter((line) => !/'node:[a-z]+'|'\.\/second-look\.js'|^imports?[ ,]/.test(line))).toEqual([])
    }
  })

  it('has the hash function of the chain, at every length around its blocks', () => {
    for (const length of [0, 1, 31, 32, 135, 136, 137, 271, 272, 273, 1_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256)
      expect(toHex(secondLook.keccak256(bytes))).toBe(keccak256(bytes))
    }
  })

  it('computes every recorded hash of a transaction', () => {
    // Before 1.1 an operation 2 created a contract; nobody proposes it any more.
    const vectors = [...readVectors('safe-tx-hashes.json'), ...readVectors('safe-tx-hashes-anvil.json')].filter(
      ({ operation }) => operation !== 2,
    )
    expect(vectors.length).toBeGreaterThan(80)
    for (const { domainHash, messageHash, safeTxHash, ...fields } of vectors)
      expect(look(JSON.stringify(fields)).hashes).toEqual({ domainHash, messageHash, signedHash: safeTxHash })
  })

  it('computes every recorded hash of a message', () => {
    const vectors = readVectors('safe-message-hashes.json').filter(({ lookupOnly }) => !lookupOnly)
    for (const { chainId, safe, version, message, safeMessageHash } of vectors)
      expect(look(JSON.stringify({ chainId, safe, version, message })).hashes.signedHash).toBe(safeMessageHash)
  })

  const anyAddress = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => getAddress(toHex(Uint8Array.from(bytes))))
  const anyUint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const anySafeTx = fc.record({
    to: anyAddress,
    value: anyUint,
    operation: fc.constantFrom(0 as const, 1 as const),
    data: fc.uint8Array({ maxLength: 300 }).map((bytes) => toHex(Uint8Array.from(bytes))),
    safeTxGas: anyUint,
    baseGas: anyUint,
    gasPrice: anyUint,
    nonce: anyUint,
    gasToken: anyAddress,
    refundReceiver: anyAddress,
  })

  it('random: hashes and typed data are those of the page', () => {
    const anyVersion = fc.constantFrom('0.1.0', '1.0.0', '1.1.1', '1.3.0+L2', '1.4.1', '1.5.0')
    fc.assert(
      fc.property(anySafeTx, anyVersion, fc.integer({ min: 1, max: 2 ** 31 }), (safeTx, version, chainId) => {
        const context = { chainId, safeAddress: safe, version, safeTx }
        const { domainHash, messageHash, safeTxHash } = hashSafeTx(context)
        const seen = look(writeSafeTxFile(context))
        expect(seen.hashes).toEqual({ domainHash, messageHash, signedHash: safeTxHash })
        const { domain, message, primaryType } = safeTxTypedData(context)
        const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
        const plain = JSON.parse(JSON.stringify({ message, primaryType }, asText))
        expect(seen.typedData).toMatchObject(plain)
        expect(Object.keys((seen.typedData as { domain: object }).domain)).toEqual(Object.keys(domain))
      }),
      { numRuns: 60 },
    )
  })

  it.each<MessageContent>([
    { encoding: 'EIP191_TEXT', text: 'Grüße, 你好' },
    { encoding: 'EIP191_BYTES', bytes: '0xdeadbeef' },
    { encoding: 'RAW', bytes: `0x${'ab'.repeat(32)}` },
  ])('hashes a message of encoding $encoding as the page does', (content) => {
    const context = { chainId: 1, safeAddress: safe, version: '1.4.1', content }
    const message = 'text' in content ? content.text : 'bytes' in content ? content.bytes : ''
    const { encoding } = content
    const file = { chainId: 1, safe, version: '1.4.1', encoding, message }
    const seen = look(JSON.stringify(file))
    const { domainHash, messageHash, safeMessageHash } = hashSafeMessage(context)
    expect(seen.hashes).toEqual({ domainHash, messageHash, signedHash: safeMessageHash })
    expect(seen.typedData).toMatchObject({ message: safeMessageTypedData(context).message })
  })

  it('reads the file that the page writes of a message', () => {
    const json = '"hello world"'
    const context = { chainId: 1, safeAddress: safe, version: '1.1.1' }
    const { safeMessageHash } = hashSafeMessage({ ...context, content: parseMessageContent(json) })
    expect(look(writeMessageFile({ ...context, json })).hashes.signedHash).toBe(safeMessageHash)
  })

  it('names a hash that is another one, and finds the layout that a claimed hash has', () => {
    const old = hashSafeTx({
      chainId: 10,
      safeAddress: safe,
      version: '1.1.1',
      safeTx: newSafeTx({ to: other, nonce: 7n }),
    })
    const fields = JSON.parse(write({}))
    const unnamed = { ...fields, version: undefined, safeTxHash: old.safeTxHash }
    expect(look(JSON.stringify(unnamed))).toMatchObject({ layout: '1.0.0 to 1.2.0' })
    expect(look(JSON.stringify({ ...unnamed, value: '1' })).findings[0]).toMatchObject({ level: 'critical' })
  })

  it('says nothing serious of ordinary work', () => {
    expect(levels({ value: 5n })).toEqual([])
    expect(levels({ data: transfer })).toEqual([])
    expect(levels(batchOf(entry(other, transfer), entry(owner, '0x')))).toEqual([])
    const again = encodeFunctionData({
      abi,
      functionName: 'execTransaction',
      args: [owner, 1n, '0x', 0, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x'],
    })
    expect(levels({ data: again })).toEqual([])
  })

  it.each<[string, Partial<SafeTx>, RegExp]>([
    ['unknown code that runs as the Safe', { operation: 1, data: transfer }, /Runs the code/],
    ['another function of a library', { ...batchOf(), data: transfer }, /Runs the code/],
    ['a delegatecall inside a batch', batchOf(entry(other, transfer, 1)), /Runs the code/],
    [
      'a module',
      { to: safe, data: encodeFunctionData({ abi, functionName: 'enableModule', args: [other] }) },
      /may move everything/,
    ],
    [
      'an owner, inside a batch',
      batchOf(entry(safe, encodeFunctionData({ abi, functionName: 'addOwnerWithThreshold', args: [other, 1n] }))),
      /New owner .* threshold 1/,
    ],
    [
      'the Safe itself by the zero address, in a batch of 1.5.0',
      {
        ...batchOf(entry(zeroAddress, encodeFunctionData({ abi, functionName: 'enableModule', args: [other] }))),
        to: '0xA83c336B20401Af773B6219BA5027174338D1836',
      },
      /may move everything/,
    ],
    ['an upgrade', { data: encodeFunctionData({ abi, functionName: 'upgradeTo', args: [owner] }) }, /The code of this/],
    ['bytes after the arguments', { data: concatHex([transfer, '0x00']) }, /Some bytes are no argument/],
    ['bytes that nobody reads, for the Safe itself', { to: safe, data: '0x12345678' }, /call the Safe itself/],
    ['arguments that share their bytes', { data: sharing(9, 640) }, /share their bytes/],
    [
      'a module of a Safe inside',
      { data: execute(other, { data: encodeFunctionData({ abi, functionName: 'enableModule', args: [owner] }) }) },
      /may move everything/,
    ],
    [
      'other code for the Safe',
      {
        to: safe,
        data: callOf('function setup(address[],uint256,address,bytes,address,address,uint256,address)', [
          [owner],
          1n,
          other,
          '0x',
          other,
          other,
          0n,
          other,
        ]),
      },
      /is set up for \[0x3333/,
    ],
    [
      'a release that the proposer has written',
      {
        to: '0xfF83F6335d8930cBad1c0D439A841f01888D9f69',
        operation: 1,
        data: callOf('function migrateToL2(address)', [owner]),
      },
      /becomes that of 0x3333/,
    ],
  ])('finds %s critical', (_, fields, says) => {
    expect(found(fields)).toContainEqual(
      expect.objectContaining({ level: 'critical', text: expect.stringMatching(says) }),
    )
  })

  it.each<[string, Partial<SafeTx>, RegExp]>([
    ['a call that nobody reads', { data: '0x12345678' }, /4 bytes/],
    ['a refund', { gasPrice: 1n }, /paid by the Safe/],
    [
      'an allowance without a limit',
      { data: encodeFunctionData({ abi, functionName: 'approve', args: [owner, 2n ** 256n - 1n] }) },
      /may take \d+ \(without limit\)/,
    ],
    [
      'an allowance of everything that is there, or of an item',
      { data: encodeFunctionData({ abi, functionName: 'approve', args: [owner, 0n] }) },
      /may take 0 of this token, or the item of this number/,
    ],
    ['a refund inside another Safe', { data: execute(owner, { gasPrice: 7n }) }, /paid by 0x1111.*: 7 for each unit/],
    ['a function of a token, called of the Safe itself', { to: safe, data: transfer }, /is called by itself/],
    ['a batch that is called', { ...batchOf(entry(other, transfer)), operation: 0 }, /called, not run as the Safe/],
    ['the zero address in a batch', batchOf(entry(zeroAddress, '0x')), /names the zero address/],
    [
      'code that nobody reads, made a contract',
      { data: callOf('function performCreate(uint256,bytes)', [0n, '0x60']) },
      /created of code/,
    ],
    [
      'bytes for who gets an item',
      { data: callOf('function safeTransferFrom(address,address,uint256,bytes)', [safe, owner, 1n, '0x12']) },
      /The receiver gets 1 bytes/,
    ],
    [
      'a token that is sent to itself',
      { data: callOf('function transfer(address,uint256)', [other, 1n]) },
      /token is lost at/,
    ],
    [
      'a token that is sent to a library',
      { data: callOf('function transferFrom(address,address,uint256)', [safe, batchOf().to, 1n]) },
      /token is lost at/,
    ],
    [
      'an item that is sent to nobody',
      { data: callOf('function safeTransferFrom(address,address,uint256)', [safe, zeroAddress, 1n]) },
      /token is lost at/,
    ],
    [
      'a coin that anybody may take',
      { to: '0xcA11bde05977b3631167028862bE2a173976CA11', value: 1n },
      /coin is lost at/,
    ],
    ['a coin that is sent to a library', { to: batchOf().to, value: 1n }, /coin is lost at/],
    [
      'what another Safe executes inside',
      {
        data: encodeFunctionData({
          abi,
          functionName: 'execTransaction',
          args: [owner, 0n, '0x12345678', 0, 0n, 0n, 0n, other, other, '0x'],
        }),
      },
      /4 bytes/,
    ],
    [
      'what Multicall3 calls inside',
      { data: encodeFunctionData({ abi, functionName: 'aggregate3', args: [[[owner, false, '0x12345678']]] }) },
      /4 bytes/,
    ],
  ])('finds %s high', (_, fields, says) => {
    expect(found(fields)).toContainEqual(expect.objectContaining({ level: 'high', text: expect.stringMatching(says) }))
  })

  it('takes for a library what official releases deployed, and nothing else', () => {
    const addresses =
      readFileSync(join(folder, 'second-look.js'), 'utf8').match(/(?<=[' ])[0-9a-fA-F]{40}(?=[' ])/g) ?? []
    expect(addresses.length).toBeGreaterThan(25)
    const kinds = addresses.map((address) => deploymentAt(`0x${address}`)?.kind)
    const libraries = [
      'multi-send',
      'multi-send-call-only',
      'sign-message-lib',
      'create-call',
      'migration',
      'l2-migration',
    ]
    expect(kinds.filter((kind) => !libraries.includes(String(kind)))).toEqual([])
  })

  it('names a proposal that is not the one that was asked for', () => {
    const text = write({})
    const { signedHash } = look(text).hashes
    expect(look(text, { hash: signedHash, safe, chainId: '10', version: '1.4.1' }).findings).toEqual([])
    expect(look(text, { hash: `0x${'12'.repeat(32)}` }).findings[0]).toMatchObject({
      level: 'critical',
      text: expect.stringContaining('You asked for another proposal'),
    })
    expect(() => look(text, { safe: other })).toThrow('safe is 0x2222')
    expect(() => look(text, { chainId: '1' })).toThrow('chainId is 10 in the proposal, and not 1.')
    expect(() => look(text, { version: '1.1.1' })).toThrow('version is 1.4.1 in the proposal, and not 1.1.1.')
    const old = { chainId: 10, safeAddress: safe, version: '1.1.1', safeTx: newSafeTx({ to: other, nonce: 7n }) }
    const { safeTxHash } = hashSafeTx(old)
    expect(look(JSON.stringify({ ...JSON.parse(text), safeTxHash })).findings[0]?.text).toMatch(/that of a Safe 1.0.0/)
  })

  it('hashes typed data as the page does, and shows what is hashed', () => {
    const types = {
      Mail: [
        { name: 'small', type: 'int8' },
        { name: 'big', type: 'uint256' },
        { name: 'words', type: 'string[2][]' },
        { name: 'to', type: 'Person[]' },
        { name: 'tag', type: 'bytes3' },
        { name: 'sure', type: 'bool' },
      ],
      Person: [
        { name: 'account', type: 'address' },
        { name: 'friends', type: 'Person[]' },
        { name: 'key', type: 'bytes' },
      ],
    }
    const person = { account: owner, friends: [], key: '0x' }
    const content = {
      small: -128,
      big: '0xff',
      words: [['a', '😀\u0000']],
      tag: '0xABCDEF',
      sure: true,
      note: 'pay 1',
      to: [{ ...person, friends: [person] }],
    }
    const json = typed(types, content)
    const context = { chainId: 1, safeAddress: safe, version: '1.4.1' }
    const seen = message(json)
    expect(seen.hashes.signedHash).toBe(
      hashSafeMessage({ ...context, content: parseMessageContent(JSON.stringify(json)) }).safeMessageHash,
    )
    const lines = report(seen)
    expect(lines).toContain('| message.words[0][1] (string): "😀\\u0000"')
    expect(lines).toContain('| message.to[0].friends[0].key (bytes): "0x"')
    expect(lines).toContain('| NOT SIGNED: message.note')
    expect(lines.join()).not.toContain('pay 1')
    expect(seen.findings.map(({ text }) => text).join()).toContain('1 fields that came with it are not signed')
  })

  it.each<[string, object, unknown, string?]>([
    ['a type of the domain that is none', { EIP712Domain: null, Mail: [{ name: 'a', type: 'bool' }] }, { a: true }],
    ['the type of the domain', { Mail: [] }, { pay: 1 }, 'EIP712Domain'],
    ['a type without fields', { Mail: [] }, { pay: 1 }],
    ['a type whose fields have none', { Mail: [{ name: 'a', type: 'Any' }], Any: [] }, { a: { pay: 1 } }],
    ['a name with a letter of another alphabet', { Mail: [{ name: 'p\u0430y', type: 'bool' }] }, { 'p\u0430y': true }],
    ['a name with a hidden character', { Mail: [{ name: 'p\u200bay', type: 'bool' }] }, { 'p\u200bay': true }],
    ['a prototype', { Mail: [{ name: '__proto__', type: 'bool' }] }, JSON.parse('{"__proto__":true}')],
    ['a length with a nought before it', { Mail: [{ name: 'a', type: 'bool[01]' }] }, { a: [true] }],
    ['a name of two fields', { Mail: [{ name: 'a,uint256 b', type: 'uint8' }] }, { 'a,uint256 b': 1 }],
    ['a type of two fields', { Mail: [{ name: 'a', type: 'uint8 b,uint8' }], 'uint8 b,uint8': [] }, { a: {} }],
    ['a field twice', { Mail: ['uint8', 'int8'].map((type) => ({ name: 'a', type })) }, { a: 1 }],
    ['a type that is a number', { Mail: [{ name: 'a', type: 'uint8' }], uint8: [] }, { a: {} }],
    ['a size of no number', { Mail: [{ name: 'a', type: 'uint264' }] }, { a: String(2n ** 256n) }],
    ['bytes beyond a word', { Mail: [{ name: 'a', type: 'bytes33' }] }, { a: `0x${'00'.repeat(33)}` }],
    ['a number over its type', { Mail: [{ name: 'a', type: 'int8' }] }, { a: 128 }],
    ['a negative number over its type', { Mail: [{ name: 'a', type: 'int8' }] }, { a: '-129' }],
    ['a value that nobody wrote', { Mail: [{ name: 'constructor', type: 'Any' }], Any: [] }, {}],
    [
      'a text for an object',
      { Mail: [{ name: 'a', type: 'Any' }], Any: [{ name: 'length', type: 'uint8' }] },
      { a: 'x' },
    ],
    ['half a character', { Mail: [{ name: 'a', type: 'string' }] }, { a: '\ud800' }],
    ['a type that nobody declared', { Mail: [] }, {}, 'toString'],
  ])(
    'refuses typed data that two programs could read differently, as the page does: %s',
    (_, types, content, primary) => {
      const json = typed(types, content, primary)
      expect(errorOf(() => message(json))).toBe('Error')
      expect(() => parseMessageContent(JSON.stringify(json))).toThrow()
    },
  )

  it('derives a missing domain type as the page does, and lists unsigned fields', () => {
    const mail = { types: { Mail: [{ name: 'a', type: 'bool' }] }, primaryType: 'Mail', message: { a: true, b: 2.5 } }
    for (const domain of [
      {},
      { chainId: 1, name: '', salt: null },
      { verifyingContract: safe, version: '1', owner: 'x' },
    ]) {
      const json = { ...mail, domain, note: 1 }
      const context = { chainId: 1, safeAddress: safe, version: '1.4.1' }
      const content = parseMessageContent(JSON.stringify(json))
      expect(message(json).hashes.signedHash).toBe(hashSafeMessage({ ...context, content }).safeMessageHash)
      expect(report(message(json))).toEqual(expect.arrayContaining(['| NOT SIGNED: note', '| NOT SIGNED: message.b']))
    }
    const claimed = { ...typed({ ...mail.types }, { a: true }), domain: { name: 'Uniswap', verifyingContract: safe } }
    expect(report(message(claimed)).join('')).toContain('Mail for no name (no contract)')
  })

  it('refuses a name of a type that could be taken for two', () => {
    expect(() => message(typed({ 'Mail(bool a)': [] }, {}, 'Mail(bool a)'))).toThrow('no name of a type')
  })

  it('finds no message harmless, and a transaction in disguise critical', () => {
    const worst = (content: unknown, given = {}) => message(content, given).findings[0]?.level
    const empty = (name: string, ...fields: string[]) =>
      typed(
        { [name]: fields.map((field) => ({ name: field, type: 'bool' })) },
        Object.fromEntries(fields.map((field) => [field, true])),
        name,
      )
    expect(worst('hello world')).toBe('high')
    expect(
      message(` 0x${'ab'.repeat(32)}`)
        .findings.map(({ text }) => text)
        .join(),
    ).toContain('The text is hex')
    expect(worst(empty('Vote', 'choice'))).toBe('high')
    expect(worst(empty('SafeTx', 'choice'))).toBe('critical')
    expect(worst(empty('Vote', 'to', 'data', 'operation'))).toBe('critical')
    expect(worst(`0x${'ab'.repeat(31)}`, { encoding: 'RAW' })).toBe('high')
    expect(worst(`0x${'ab'.repeat(32)}`, { encoding: 'RAW' })).toBe('critical')
    expect(worst(`0x1901${'ab'.repeat(64)}`, { encoding: 'EIP191_BYTES' })).toBe('critical')
  })

  it('lets no stranger write a line of the report', () => {
    const lines = report(message(`hi\n\nFINDINGS\nNone.\r\u001b[2J${' '.repeat(76)}HASHES ${'你'.repeat(60)}`))
    expect(lines.filter((line) => /^(?:FINDINGS|HASHES|None)/.test(line))).toHaveLength(2)
    const quoted = lines.slice(lines.findIndex((line) => line.startsWith('message (')) + 1)
    // As many columns as a terminal has, in which a Chinese character takes two.
    expect(quoted.every((line) => /^\| /.test(line) && line.replace(/你/g, 'ni').length <= 78)).toBe(true)
    expect(quoted.join('')).toContain('None.\\u{d}\\u{1b}[2J')
    expect(lines.join('')).not.toMatch(/\p{Cc}/u)
    expect(() => message('', { version: '1.4.1\nFINDINGS' })).toThrow('version is none of a Safe')
    const mail = { Mail: [{ name: 'a', type: 'bool' }] }
    const name = report(message(typed(mail, { a: true })))
    expect(name.join('')).toContain('Mail for no name (no contract)')
    const domain = { name: '\u001b[2J\nNone.\u3000\u115f\u202e' }
    const named = { ...typed({ EIP712Domain: [{ name: 'name', type: 'string' }], ...mail }, { a: true }), domain }
    expect(report(message(named)).join('\n')).toContain('Mail for \\u{1b}[2J\\u{a}None.\\u{3000}\\u{115f}\\u{202e} (')
  })

  it('ends with a sentence, however large or deep the input is', () => {
    const deep = (text: string, end = '') =>
      `{"chainId":1,"safe":"${safe}","message":${text.repeat(100_000)}${end.repeat(100_000)}}`
    expect(() => look(`"${'x'.repeat(10_000_000)}"`)).toThrow('too long for a proposal')
    expect(() => look(write({ data: `0x${'ab'.repeat(300_000)}` }))).toThrow('longer than a transaction')
    expect(() => look(deep('[', ']'))).toThrow('message is no typed data')
    expect(() =>
      look(JSON.stringify({ ...JSON.parse(write({})), to: 1 }).replace(':10', `:${'['.repeat(1e6)}${']'.repeat(1e6)}`)),
    ).toThrow(/^chainId is a list or an object/)
    expect(() => message('a'.repeat(300_000))).toThrow('too long for a message')
    expect(look(write({ data: sharing(3_000, 100_000) })).findings[0]?.text).toContain('share their bytes')
    const self = typed(
      { Mail: [{ name: 'a', type: 'Mail[]' }] },
      JSON.parse(`${'{"a":['.repeat(2_000)}${']}'.repeat(2_000)}`),
    )
    expect(() => message(self)).toThrow('too deep')
    const wide = typed({ Mail: [{ name: 'a', type: 'bool[]' }] }, { a: Array(20_000).fill(true) })
    expect(() => message(wide)).toThrow('too many fields')
    const named = 'x'.repeat(200)
    const nested = typed(
      { Mail: [{ name: named, type: 'Mail[]' }] },
      JSON.parse(`${`{"${named}":[`.repeat(9)}${']}'.repeat(9)}`),
    )
    expect(() => message(nested)).toThrow('too deep')
    const fields = Array.from({ length: 100 }, (_, at) => ({ name: `${'x'.repeat(195)}${at}`, type: 'bool' }))
    const types = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`T${at}`, fields]))
    const lists = Object.keys(types).map((type) => ({ name: type, type: `${type}[]` }))
    const none = Object.fromEntries(lists.map(({ name }) => [name, []]))
    expect(() => message(typed({ ...types, Mail: lists }, none))).toThrow('too long')
    const entries = Array(2_500).fill(entry(zeroAddress, '0x'))
    expect(report(look(write(batchOf(...entries)))).length).toBeGreaterThan(5_000)
  })

  it('shows hidden characters of a text as codes', () => {
    const seen = look(JSON.stringify({ chainId: 1, safe, version: '1.4.1', message: 'pay \u202e1' }))
    expect(report(seen).join('\n')).toContain('pay \\u{202e}1')
    expect(seen.findings[0]).toMatchObject({ level: 'high' })
  })

  it('random: nothing that it is given ends in anything but a report or a sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...abi), (bytes, { name }) => {
        const selector = encodeFunctionData({ abi, functionName: 'upgradeTo', args: [owner] }).slice(0, 10)
        const head = name === 'upgradeTo' ? selector : transfer.slice(0, 10)
        expect(
          report(look(write({ data: `${head}${toHex(Uint8Array.from(bytes)).slice(2)}` as Hex }))).length,
        ).toBeGreaterThan(5)
      }),
    )
    for (const text of ['', '[]', 'null', '{}', '{"to":"0x"}', '{"message":{}}', '{"transaction":null}', '{"safe":[]}'])
      expect(() => look(text)).toThrow(/^[A-Za-z].+/)
  })
})

describe('npm run second-look', () => {
  const directory = mkdtempSync(join(tmpdir(), 'second-look-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const run = (args: string[], input = '') => {
    try {
      return {
        code: 0,
        out: execFileSync(process.execPath, [join(folder, 'cli.mjs'), ...args], { input, stdio: 'pipe' }).toString(),
      }
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: Buffer; stderr: Buffer }
      return { code: status, out: `${stdout}${stderr}` }
    }
  }
  const safeTxHash = (version: string) =>
    hashSafeTx({ chainId: 10, safeAddress: safe, version, safeTx: newSafeTx({ to: other, nonce: 7n }) }).safeTxHash

  it('reads a file, and what is piped to it; the exit code says whether something is serious', () => {
    const file = join(directory, 'proposal.json')
    writeFileSync(file, write({}))
    expect(run([file])).toMatchObject({ code: 0, out: expect.stringContaining(safeTxHash('1.4.1')) })
    expect(run(['-'], write({ operation: 1 }))).toMatchObject({ code: 1, out: expect.stringContaining('CRITICAL') })
    expect(run(['-'], 'hello')).toMatchObject({ code: 2, out: 'This is no JSON.\n' })
    expect(run(['-'], JSON.stringify({ chainId: 1, safe: '\u001b[2J\u202e' }))).toMatchObject({
      code: 2,
      out: 'safe is no address: \\u{1b}[2J\\u{202e}\n',
    })
    for (const args of [['--chian'], [file, file]])
      expect(run(args)).toMatchObject({ code: 2, out: expect.stringContaining('--typed-data') })
    expect(JSON.parse(run([file, '--typed-data']).out)).toMatchObject({
      primaryType: 'SafeTx',
      message: { nonce: '7' },
    })
  })

  /** Runs the command on the address of a page whose server gives this answer. */
  async function askServer(answer: string, { safeAddress = safe, hash = safeTxHash('1.1.1'), server: own = '' } = {}) {
    const asked: (string | undefined)[] = []
    const server = createServer(({ url, headers }, response) => {
      asked.push(url, headers.authorization)
      response.end(answer)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const page = `http://127.0.0.1:${port}/safes/10/${safeAddress}/transactions/${hash}`
    const child = spawn(process.execPath, [join(folder, 'cli.mjs'), page], {
      env: { ...process.env, COUNTERSIGN_API_TOKEN: 'csn_x', COUNTERSIGN_URL: own || `http://127.0.0.1:${port}/` },
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) for await (const chunk of stream) out += chunk
    server.close()
    return { asked, out }
  }
  const { chainId, version, ...fields } = JSON.parse(write({}))

  it('reads the address of a page by the wire of the Transaction Service, with the token', async () => {
    const { asked, out } = await askServer(JSON.stringify({ ...fields, safeTxHash: safeTxHash('1.1.1') }))
    expect(asked).toEqual([`/tx-service/10/api/v1/multisig-transactions/${safeTxHash('1.1.1')}/`, 'Bearer csn_x'])
    expect(out).toContain('1.0.0 to 1.2.0')
    expect(out).toContain(safeTxHash('1.1.1'))
  })

  it('gives the token to no server but its own, whoever wrote the address', async () => {
    const { asked } = await askServer(JSON.stringify(fields), { server: 'https://countersign.example' })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toBeUndefined()
  })

  it('believes no server that answers with another proposal, or without end', async () => {
    const another = await askServer(JSON.stringify({ ...fields, safeTxHash: safeTxHash('1.1.1') }), {
      hash: safeTxHash('1.4.1'),
    })
    expect(another.out).toMatch(/^CRITICAL You asked for another proposal/m)
    expect((await askServer(JSON.stringify(fields), { safeAddress: other })).out).toMatch(/^safe is 0x2222/)
    expect((await askServer(JSON.stringify({ ...fields, chainId: 1 }))).out).toMatch(/^chainId is 1 in the proposal/)
    expect((await askServer('x'.repeat(3_000_000))).out).toMatch(/answered more than a proposal/)
  })
})
