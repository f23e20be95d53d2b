import { execFileSync } from 'node:child_process'
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
import { deploymentAt } from './deployments.ts'
import { parseMessageContent, writeMessageFile } from './message-content.ts'
import { hashSafeMessage, type MessageContent, safeMessageTypedData } from './safe-message.ts'
import { hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from './safe-tx.ts'
import { writeSafeTxFile } from './safe-tx-file.ts'

type Finding = { level: 'critical' | 'high' | 'note'; place: string; text: string }
type Seen = {
  hashes: { domainHash: Hex; messageHash: Hex; signedHash: Hex }
  layout: string
  findings: Finding[]
  typedData: unknown
}
type SecondLook = {
  look: (text: string, given?: { chainId?: string; version?: string }) => Seen
  report: (seen: Seen) => string[]
  keccak256: (bytes: Uint8Array) => Uint8Array
  toHex: (bytes: Uint8Array) => Hex
}

const { secondLook } = globalThis as unknown as { secondLook: SecondLook }
const { look, report, toHex } = secondLook
const folder = join(import.meta.dirname, '../../../second-look')
const readVectors = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', name), 'utf8')) as Record<string, unknown>[]

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
    ...{ to: anyAddress, value: anyUint, operation: fc.constantFrom(0 as const, 1 as const) },
    data: fc.uint8Array({ maxLength: 300 }).map((bytes) => toHex(Uint8Array.from(bytes))),
    ...{ safeTxGas: anyUint, baseGas: anyUint, gasPrice: anyUint, nonce: anyUint },
    ...{ gasToken: anyAddress, refundReceiver: anyAddress },
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
    expect(levels({ data: encodeFunctionData({ abi, functionName: 'approve', args: [owner, 5n] }) })).toEqual(['note'])
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
      /may take/,
    ],
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
    for (const text of ['', '[]', 'null', '{}', '{"to":"0x"}', '{"message":{}}'])
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
    expect(JSON.parse(run([file, '--typed-data']).out)).toMatchObject({
      primaryType: 'SafeTx',
      message: { nonce: '7' },
    })
  })

  it('reads the address of a page by the wire of the Transaction Service, with the token', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ url, headers }, answer) => {
      asked.push(url, headers.authorization)
      const { chainId, version, ...fields } = JSON.parse(write({}))
      answer.end(JSON.stringify({ ...fields, safeTxHash: safeTxHash('1.1.1') }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { spawn } = await import('node:child_process')
    const page = `http://127.0.0.1:${port}/safes/10/${safe}/transactions/${safeTxHash('1.1.1')}`
    const child = spawn(process.execPath, [join(folder, 'cli.mjs'), page], {
      env: { ...process.env, COUNTERSIGN_API_TOKEN: 'csn_x' },
    })
    let out = ''
    for await (const chunk of child.stdout) out += chunk
    server.close()
    expect(asked).toEqual([`/tx-service/10/api/v1/multisig-transactions/${safeTxHash('1.1.1')}/`, 'Bearer csn_x'])
    expect(out).toContain('1.0.0 to 1.2.0')
    expect(out).toContain(safeTxHash('1.1.1'))
  })
})
