import { parseBlockHeader, parseRawHeader, readAccountProof, readProvedCode } from '@countersign/review'
import { type Address, encodeAbiParameters, type Hex, keccak256, pad, padHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { requestNode } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployAnySafe, handlerOf } from './test-safes.ts'

// The answers of a real node, as they are and changed.

const owners = [demoAccounts[0].address, demoAccounts[1].address]
const HANDLER_SLOT: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5'
const nobody: Address = '0x00000000000000000000000000000000000000f7'
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const slotOf = (key: Address, mapping: bigint): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, mapping]))
const slots: Hex[] = [
  ...([0, 3, 4, 5].map((slot) => padHex(`0x${slot}`, { size: 32 })) as Hex[]),
  HANDLER_SLOT,
  ...[SENTINEL, ...owners].map((key) => slotOf(key, 2n)),
  slotOf(nobody, 2n),
]

let devnet: Devnet
let safe: Address
let block: Record<string, unknown>
let answer: Record<string, unknown>

const ask = (method: string, ...params: unknown[]) => requestNode(devnet.rpcUrl, method, ...params)
const proofOf = async (address: Address, asked: readonly Hex[] = []) =>
  (await ask('eth_getProof', address, asked, block.number)) as Record<string, unknown>
const stateRoot = () => parseBlockHeader(block).stateRoot
const check = (given: unknown, asked: readonly Hex[] = slots, address = safe) =>
  readAccountProof(given, { address, slots: asked }, stateRoot())

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl } = devnet
  const options = { rpcUrl, chainId: 31_337, version: '1.4.1', owners, threshold: 2, saltNonce: 771n } as const
  safe = await deployAnySafe(options)
  await ask('anvil_setBalance', safe, '0x123456')
  await ask('anvil_mine', '0x1')
  block = (await ask('eth_getBlockByNumber', 'latest', false)) as Record<string, unknown>
  answer = await proofOf(safe, slots)
})

afterAll(() => devnet?.close())

describe('parseBlockHeader', () => {
  test('default: the hash that the node says, and the fields that it binds', () => {
    const header = parseBlockHeader(block)
    expect(header.hash).toBe(block.hash)
    expect(header.number).toBe(BigInt(block.number as Hex))
    expect(parseRawHeader(header.raw)).toEqual(header)
  })

  test('behavior: the newest fork that added a field, and what code sees as random', () => {
    const { requestsHash, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, ...shanghai } = block
    const cancun = { ...shanghai, blobGasUsed, excessBlobGas, parentBeaconBlockRoot }
    const { withdrawalsRoot, ...london } = shanghai
    const { baseFeePerGas, ...frontier } = london
    const later = { ...block, requestsHash, blockAccessListHash: `0x${'12'.repeat(32)}` }
    const blocks = [frontier, london, shanghai, cancun, { ...cancun, requestsHash }, later]
    expect(blocks.map((fields) => parseBlockHeader(fields).fork)).toEqual([
      'frontier',
      'london',
      'shanghai',
      'cancun',
      'prague',
      'amsterdam',
    ])
    expect(parseBlockHeader(block).prevRandao).toBe(block.mixHash)
    expect(BigInt(parseBlockHeader({ ...block, difficulty: '0x2' }).prevRandao)).toBe(2n)
  })

  test('behavior: each field that a header has changes the hash', () => {
    const unbound = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']
    const bound = Object.keys(block).filter((name) => !unbound.includes(name) && typeof block[name] === 'string')
    expect(bound.length).toBeGreaterThanOrEqual(16)
    for (const name of bound) {
      const value = String(block[name])
      const changed = value.slice(0, -1) + (value.endsWith('1') ? '2' : '1')
      const hash = (() => {
        try {
          return parseBlockHeader({ ...block, [name]: changed }).hash
        } catch {
          return null
        }
      })()
      expect([name, hash === block.hash]).toEqual([name, false])
    }
  })
})

describe('readAccountProof', () => {
  test('default: the account and its slots', async () => {
    const { account, slots: proved } = check(answer)
    expect(account.balance).toBe(0x123456n)
    const code = await ask('eth_getCode', safe, block.number)
    expect(readProvedCode(code, account.codeHash)).toBe(code)
    for (const slot of slots) expect(proved.get(slot)).toBe(await ask('eth_getStorageAt', safe, slot, block.number))
    expect(proved.get(slotOf(SENTINEL, 2n))).toBe(pad(owners[0] ?? nobody).toLowerCase())
    expect(proved.get(HANDLER_SLOT)).toBe(pad(handlerOf('1.4.1')).toLowerCase())
    expect(proved.get(slotOf(nobody, 2n))).toBe(padHex('0x', { size: 32 }))
  })

  test('behavior: an account that is not there, and one without storage, are proved to be so', async () => {
    expect(check(await proofOf(nobody), [], nobody).account).toMatchObject({ balance: 0n, nonce: 0n })
    const [slot = '0x'] = slots
    const [owner = nobody] = owners
    const { account, slots: proved } = check(await proofOf(owner, [slot]), [slot], owner)
    expect([account.balance > 0n, proved.get(slot)]).toEqual([true, padHex('0x', { size: 32 })])
    const empty = await proofOf(owner, [slot])
    const [first] = empty.storageProof as object[]
    // As geth says it.
    expect(check({ ...empty, storageProof: [{ ...first, proof: [] }] }, [slot], owner).account).toEqual(account)
  })

  test('error: PROOF_INVALID for another account, block, root, fewer slots, more, cut paths and longer ones', async () => {
    const invalid = expect.objectContaining({ code: 'PROOF_INVALID' })
    const path = answer.accountProof as Hex[]
    const storage = answer.storageProof as { key: Hex; value: Hex; proof: Hex[] }[]
    const longer = storage.map((slot) => ({ ...slot, proof: [...slot.proof, ...slot.proof] }))
    const hostile: unknown[] = [
      null,
      1,
      'proof',
      [],
      {},
      await proofOf(nobody, slots),
      { ...answer, accountProof: path.slice(0, -1) },
      { ...answer, accountProof: path.slice(1) },
      { ...answer, accountProof: [...path, path[0]] },
      { ...answer, accountProof: [] },
      { ...answer, accountProof: ['0x80'] },
      { ...answer, accountProof: Array.from({ length: 100_000 }, () => path[0]) },
      { ...answer, accountProof: [`0x${'f8'.repeat(5_000_000)}`] },
      { ...answer, accountProof: ['0xc0'] },
      { ...answer, storageProof: storage.slice(1) },
      { ...answer, storageProof: [...storage, storage[0]] },
      { ...answer, storageProof: storage.toReversed() },
      { ...answer, storageProof: longer },
      { ...answer, storageProof: storage.map((slot) => ({ ...slot, proof: [] })) },
      { ...answer, storageProof: storage.map((slot) => ({ ...slot, value: '0x7' })) },
    ]
    for (const lie of hostile) expect(() => check(lie)).toThrow(invalid)
    await ask('anvil_mine', '0x1')
    await ask('anvil_setBalance', safe, '0x7')
    await ask('anvil_mine', '0x1')
    expect(() => check(answer)).not.toThrow()
    const later = await requestNode(devnet.rpcUrl, 'eth_getProof', safe, slots, 'latest')
    expect(() => check(later)).toThrow(invalid)
  })

  test('behavior: each changed digit of an answer is refused', () => {
    const text = JSON.stringify(answer)
    const digits = Array.from(text.matchAll(/"0x[0-9a-f]+"/g)).flatMap(({ index, 0: { length } }) =>
      Array.from({ length: length - 4 }, (_, at) => index + 3 + at),
    )
    const pick = createRandomInt()
    const kept: number[] = []
    for (let run = 0; run < (isSoak ? 10_000 : 400); run += 1) {
      const at = digits[pick(digits.length)] ?? 0
      const now = Number.parseInt(text[at] ?? '0', 16)
      const changed = ((now + 1 + pick(15)) % 16).toString(16)
      try {
        check(JSON.parse(text.slice(0, at) + changed + text.slice(at + 1)))
        kept.push(at)
      } catch (error) {
        expect(error).toMatchObject({ code: 'PROOF_INVALID' })
      }
    }
    expect(kept).toEqual([])
  })
})

describe('readProvedCode', () => {
  test('error: PROOF_INVALID for other code', () => {
    const { account } = check(answer)
    for (const code of ['0x', '0x00', null, `${'0x'}0`])
      expect(() => readProvedCode(code, account.codeHash)).toThrow(expect.objectContaining({ code: 'PROOF_INVALID' }))
  })
})
