import {
  type AnyVersion,
  canonicalContract,
  type Devnet,
  demoAccounts,
  deployAnySafe,
  deployContractAccount,
  deployMeddler,
  oldContract,
  requestNode,
  startDevnet,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import {
  createFactReader,
  type FactReader,
  type Facts,
  factsOf,
  type Given,
  judgeSources,
  type NeededFact,
  neededFacts,
  parseBlockHeader,
  provenanceOf,
  type ReadFact,
  type RunCall,
  readVouchedBlock,
  reviewSubject,
  type SimulationNeed,
} from '@countersign/review'
import {
  encodeContractSignature,
  hashSafeTx,
  newSafeTx,
  type RpcRequest,
  readSafeState,
  type SafeState,
  type SafeTx,
} from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, numberToHex, padHex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { crossCheck } from './cross-check.ts'
import { plainReader, readHeader } from './plain-reader.ts'
import { simulate } from './simulate.ts'
import { simulateCalls } from './simulate-calls.ts'

// A node that lies in one place of one answer, while another source names the block as it is.

const versions = ['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0'] as const satisfies AnyVersion[]
const owner = demoAccounts[0].address
const second = demoAccounts[1].address
const owners = [owner, second, demoAccounts[2].address]
const chainId = 31_337
const token = testContracts.erc20.address
const tokenAbi = testContractAbi('TestErc20')
const works = [
  'payment',
  'payment in a token',
  'batch',
  'payment past a guard',
  "payment with a contract's word",
] as const
/** Works of Safes that are not as all others are. A contract is asked by the hash since 1.5.0. */
const special = [
  { work: 'payment past a guard', version: '1.4.1' },
  { work: "payment with a contract's word", version: '1.5.0' },
] as const
const GUARD_SLOT: Hex = '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8'
/** A soak tells all lies: up to 400 reviews for each work, of a fifth of a second on a busy machine. */
const LIMIT_MS = isSoak ? 900_000 : 180_000
const known = new Map<string, Promise<unknown>>()
const safes = new Map<AnyVersion, Address>()
const specialSafes = new Map<Work, Address>()
let account: Address
let devnet: Devnet

/** How long a run took is no part of what it says. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (key, field) =>
    key === 'cost' ? undefined : typeof field === 'bigint' ? field.toString() : field,
  ) ?? ''

/** The node itself. The chain stands still, so nothing is asked twice. */
const honest: RpcRequest = ({ method, params = [] }) => {
  const key = textOf([method, params])
  const answer = known.get(key) ?? requestNode(devnet.rpcUrl, method, ...params)
  known.set(key, answer)
  return answer.then((found) => structuredClone(found))
}

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  for (const [index, version] of versions.entries()) {
    const options = { rpcUrl: devnet.rpcUrl, chainId, version, owners, threshold: 2, saltNonce: BigInt(880 + index) }
    const safe = await deployAnySafe(options)
    await requestNode(devnet.rpcUrl, 'anvil_setBalance', safe, '0xde0b6b3a7640000')
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [safe, 1_000_000n] })
    await requestNode(devnet.rpcUrl, 'eth_sendTransaction', { from: demoAccounts[9].address, to: token, data })
    await requestNode(devnet.rpcUrl, 'evm_mine')
    safes.set(version, safe)
  }
  const { rpcUrl } = devnet
  account = await deployContractAccount(rpcUrl, demoAccounts[9].address, demoAccounts[3].address)
  const guard = await deployMeddler(rpcUrl, demoAccounts[9].address)
  for (const [index, { work, version }] of special.entries()) {
    const options = { rpcUrl, chainId, version, owners: [owner, account], threshold: 2, saltNonce: BigInt(980 + index) }
    const safe = await deployAnySafe(options)
    await requestNode(rpcUrl, 'anvil_setBalance', safe, '0xde0b6b3a7640000')
    if (work === 'payment past a guard')
      await requestNode(rpcUrl, 'anvil_setStorageAt', safe, GUARD_SLOT, padHex(guard, { size: 32 }))
    specialSafes.set(work, safe)
  }
  await requestNode(devnet.rpcUrl, 'anvil_mine', '0x1')
})
afterAll(() => devnet?.close())

type Run = {
  isFull: boolean
  hasEnoughSources: boolean
  verdict: string
  grade: string
  findings: string[]
  facts: Facts
  state: SafeState | null
}
type Work = (typeof works)[number]

const runCall: RunCall = async (reader, call) => {
  const [answer] = await simulateCalls(reader, [call])
  if (answer === undefined) throw new Error('The call has no answer.')
  return answer
}

/**
 * The npm packages of 1.0.0 and 1.2.0 hold other bytes than what stands on the public chains. Here the list of releases is
 * taken to have them, so that nothing but a lie keeps such a Safe from matching.
 */
function asReleased(state: SafeState | null, version: AnyVersion): SafeState | null {
  if (state === null || (version !== '1.0.0' && version !== '1.2.0')) return state
  const { address, codeHash } = oldContract(version, 'gnosis_safe')
  const isIt = state.singleton === address && state.singletonCodeHash === codeHash
  return isIt ? { ...state, version, isOfficialProxy: true } : state
}

function safeTxOf(work: Work): SafeTx {
  if (work === 'batch') {
    const calls = [safeTxOf('payment'), safeTxOf('payment in a token')].map((call) => ({
      ...call,
      operation: 0 as const,
    }))
    const { address: to } = canonicalContract('1.4.1', 'multi_send_call_only')
    return newSafeTx({ to, data: encodeMultiSend(calls), operation: 1, nonce: 0n })
  }
  if (work !== 'payment in a token') return newSafeTx({ to: demoAccounts[8].address, value: 5n, nonce: 0n })
  const args = [demoAccounts[8].address, 700n]
  return newSafeTx({
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args }),
    nonce: 0n,
  })
}

/** Confirmations that are there before the review: where a contract is an owner, its own. */
async function confirmationsOf(work: Work, hash: Hex): Promise<Given['confirmations']> {
  if (work !== "payment with a contract's word") return []
  const bytes = await sign({ hash, privateKey: demoAccounts[3].privateKey, to: 'hex' })
  return [{ owner: account, signature: encodeContractSignature(account, bytes) }]
}

/** Reviews a transaction as the page does: the Safe and all facts from one node, whose block another source names, too. */
async function reviewBy(
  node: RpcRequest,
  version: AnyVersion,
  { others = [honest], work = 'payment' }: { others?: RpcRequest[]; work?: Work } = {},
): Promise<Run> {
  const safeAddress = specialSafes.get(work) ?? safes.get(version) ?? owner
  const state = asReleased(await readSafeState(node, safeAddress, chainId).catch(() => null), version)
  const safeTx = safeTxOf(work)
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const given: Given = {
    kind: 'transaction',
    chainId,
    safeAddress,
    safeTx,
    state,
    claimedHash: safeTxHash,
    confirmations: await confirmationsOf(work, safeTxHash),
    others: [],
    account: owner,
    origin: null,
    tokens: [],
    chainIds: [chainId],
    ...(state && { blockNumber: state.blockNumber }),
  }
  const needed = neededFacts(given)
  const askSources = async (blockNumber: bigint) =>
    Promise.all(
      [node, ...others].map(async (ask, index) => {
        const read = (place: string) => ask({ method: 'eth_getBlockByNumber', params: [place, false] })
        const [{ hash = null }, { timestamp = '0x0' }] = (
          await Promise.all([read(numberToHex(blockNumber)), read('latest')])
        ).map((block) => (block ?? {}) as { hash?: Hex; timestamp?: Hex })
        const source = { kind: 'node', name: `node ${index}`, host: `host ${index}`, hash } as const
        return { ...source, newestTime: Number(timestamp) }
      }),
    )
  const read: (ReadFact | undefined)[] = await readVouchedBlock({ chainId, request: node, askSources, needed: 2 }).then(
    (block) => {
      const reader = createFactReader(() => node, block, runCall)
      const read = (fact: NeededFact) => (fact.id === 'simulation' ? runBy(node, reader, fact) : reader.read(fact))
      return Promise.all(needed.map((fact) => read(fact).catch(() => undefined)))
    },
    () => needed.map(() => undefined),
  )
  const facts = factsOf(needed, read)
  const review = await reviewSubject({ ...given, ...facts, provenance: provenanceOf(needed, read, 2) })
  const { verdict, grade, hasEnoughSources } = review
  const findings = review.findings.map(({ id }) => id)
  return { isFull: verdict === 'matches' && hasEnoughSources, hasEnoughSources, verdict, grade, findings, facts, state }
}

/** Runs the transaction over the node's proofs, and asks the node for its own word on it. */
async function runBy(node: RpcRequest, { reader }: FactReader, { need }: NeededFact): Promise<ReadFact> {
  const { run, blockNumber } = need as SimulationNeed
  const header = reader.block.header ?? (await readHeader(node, blockNumber))
  const priced = { ...run, gasPrice: header.baseFeePerGas ?? 0n }
  const state = reader.block.header ? { ...reader, header } : plainReader(node, { chainId, header })
  const result = await simulate(state, priced)
  if (result.status !== 'finished') {
    const answer = { result, crossCheck: { status: 'unasked', reason: 'unfinished' }, standIn: null }
    return { answer, grade: 'unknown', isRefused: false, at: null }
  }
  const answer = { result, crossCheck: await crossCheck(node, priced, result), standIn: null }
  return { answer, grade: result.grade, isRefused: false, at: null }
}

type Lie = { call: string; path: string }

/** Every place of every answer at which something stands, but what is inside of a block's list of transactions. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]))
  return Array.isArray(value) ? [path, ...inside] : inside
}

function lieAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path
  if (key === undefined) return changed(value)
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = lieAt(copy[key], rest)
  return copy
}

function changed(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, -1)
  if (typeof value === 'string' && value.startsWith('0x') && value.length > 2)
    return value.slice(0, -1) + (value.endsWith('1') ? '2' : '1')
  return value === '0x' ? '0x01' : null
}

/** A node that tells this one lie, and the truth otherwise. */
const liar =
  ({ call, path }: Lie): RpcRequest =>
  async (asked) => {
    const answer = await honest(asked)
    return textOf(asked) === call ? lieAt(answer, JSON.parse(path)) : answer
  }

/** The block at which the Safe was read decides nothing, nor what it held there: its slots and coin are proved at another. */
const unplaced = (state: SafeState | null) => state && { ...state, blockNumber: 0n, balance: 0n }

/** Every answer that a review asks of the node, and what it makes of them. */
async function truthOf(version: AnyVersion, work: Work) {
  const asked = new Map<string, unknown>()
  const recorded: RpcRequest = async (call) => {
    const answer = await honest(call)
    asked.set(textOf(call), answer)
    return answer
  }
  return { truth: await reviewBy(recorded, version, { work }), asked }
}

/** The sample of `npm test`: how many lies in proofs, which are many and alike, and in how many other places of answers. */
type Sample = { ofProofs: number; others: number }

/** Lies that are believed: other facts, and yet a review that is as good as with the truth. */
async function believedOf(version: AnyVersion, work: Work, sample: Sample): Promise<unknown[]> {
  const { truth, asked } = await truthOf(version, work)
  const lies = [...asked].flatMap(([call, answer]) =>
    placesOf(answer).map((path): Lie => ({ call, path: JSON.stringify(path) })),
  )
  expect(lies.length).toBeGreaterThan(50)
  const pick = createRandomInt()
  const isOfProof = ({ call }: Lie) => call.includes('eth_getProof')
  const some = (from: readonly Lie[], count: number) =>
    count >= from.length ? from : Array.from({ length: count }, () => from[pick(from.length)])
  const others = some(
    lies.filter((lie) => !isOfProof(lie)),
    sample.others,
  )
  const tried = isSoak ? lies : [...others, ...some(lies.filter(isOfProof), sample.ofProofs)]
  const believed: unknown[] = []
  for (const lie of tried) {
    if (lie === undefined) continue
    const told = await reviewBy(liar(lie), version, { work })
    // A lie about what nobody reads changes nothing.
    const isSame = textOf([told.facts, unplaced(told.state)]) === textOf([truth.facts, unplaced(truth.state)])
    if (isAsGood(told, truth) && !isSame) believed.push(lie)
  }
  return believed
}

/** Whether a review asks for no more than that of the truth. */
function isAsGood(told: Run, truth: Run): boolean {
  const isWarned = told.verdict !== truth.verdict || textOf(told.findings) !== textOf(truth.findings)
  return told.isFull || (told.hasEnoughSources && !isWarned)
}

const ordinary: Sample = { ofProofs: 12, others: 40 }
/** A review that rests on more takes longer. */
const smaller: Sample = { ofProofs: 10, others: 20 }

describe('a node that lies in one place', () => {
  test.each(versions)(
    'never makes a payment of a Safe %s match, while another source is honest',
    async (version) => {
      const { truth } = await truthOf(version, 'payment')
      expect(truth).toMatchObject({ verdict: 'matches', grade: 'proved', isFull: true })
      expect(await believedOf(version, 'payment', ordinary)).toEqual([])
    },
    LIMIT_MS,
  )

  test.each(['1.3.0', '1.4.1'] as const)(
    'never makes a payment in a token of a Safe %s match',
    async (version) => {
      const { truth } = await truthOf(version, 'payment in a token')
      expect(truth).toMatchObject({ verdict: 'matches', grade: 'proved', isFull: true })
      expect(await believedOf(version, 'payment in a token', ordinary)).toEqual([])
    },
    LIMIT_MS,
  )
})

describe('a node that lies in one place, of what rests on more facts', () => {
  const [guarded, byContract] = special
  test.each([
    ['batch', '1.4.1', 'matches'],
    [guarded.work, guarded.version, 'matches-with-warnings'],
    [byContract.work, byContract.version, 'matches'],
  ] as const)(
    'never makes a %s of a Safe %s as good as the truth does',
    async (work, version, verdict) => {
      const { truth } = await truthOf(version, work)
      expect(truth).toMatchObject({ verdict, grade: 'proved', hasEnoughSources: true })
      expect(await believedOf(version, work, smaller)).toEqual([])
    },
    LIMIT_MS,
  )
})

describe('a node that answers something else altogether', () => {
  type Call = Parameters<RpcRequest>[0]
  const huge = `0x${'f9'.repeat(50_000_000)}`
  const asked = (call: Call, change: (text: string) => string) => honest(JSON.parse(change(textOf(call))))
  const toFirst = (text: string) =>
    text.replace('"latest"', '"0x1"').replace(/"0x[0-9a-f]{1,8}"(?=\]|,false|,\{)/, '"0x1"')
  const cut = (text: string) => text.slice(0, 2 + (text.length >> 2) * 2)

  /** Everything that counts. That a node is silent on its own number and the run is no lie: nothing rests on it but a comparison. */
  function saidOf({ facts, state }: Run): string {
    const { simulation, nodeChainId, ...rest } = facts
    return textOf([rest, nodeChainId ?? chainId, simulation?.result, unplaced(state)])
  }

  test.each<[string, (answer: unknown, call: Call) => unknown]>([
    ['nothing', () => null],
    ['an empty word', () => '0x'],
    ['a text', () => 'f9'],
    ['a list', () => []],
    ['half of it', (answer) => JSON.parse(textOf(answer).replace(/0x[0-9a-f]{4,}/g, cut))],
    ['100 MB', () => huge],
    ['what it says of the first block', (_, call) => asked(call, toFirst)],
    ['what it says of another account', (_, call) => asked(call, (text) => text.replace(/0x[0-9a-fA-F]{40}/, second))],
  ])(
    'by %s never makes a payment in a token match on what is not so',
    async (form, forge) => {
      const { truth, asked: all } = await truthOf('1.4.1', 'payment in a token')
      const methods = new Set([...all.keys()].map((call) => JSON.parse(call).method as string))
      // One answer, and all of a method. So many bytes take their time.
      const places = form === '100 MB' ? [...methods] : [...all.keys(), ...methods]
      const believed: string[] = []
      for (const place of places) {
        let askedOfNode = 0
        const node: RpcRequest = async (call) => {
          askedOfNode += 1
          if (textOf(call) !== place && call.method !== place) return honest(call)
          return forge(await honest(call).catch(() => null), call)
        }
        const told = await reviewBy(node, '1.4.1', { work: 'payment in a token' })
        expect(askedOfNode, place).toBeLessThanOrEqual(2 * all.size)
        const crossCheck = told.facts.simulation?.crossCheck.status ?? 'unasked'
        expect(['agrees', 'unasked', 'diverges']).toContain(crossCheck)
        if (told.isFull && (saidOf(told) !== saidOf(truth) || crossCheck === 'diverges')) believed.push(place)
      }
      expect(believed).toEqual([])
    },
    LIMIT_MS,
  )
})

describe('sources', () => {
  const silent: RpcRequest = async () => null

  test('default: one source alone says it, and the best verdict is not reached', async () => {
    const alone = await reviewBy(honest, '1.4.1', { others: [] })
    expect([alone.verdict, alone.grade, alone.isFull]).toEqual(['matches', 'one-node', false])
    expect(await reviewBy(honest, '1.4.1', { others: [silent] })).toMatchObject({ grade: 'one-node', isFull: false })
  })

  test('behavior: a source that names another block: cannot verify', async () => {
    const other: RpcRequest = async () => ({ hash: `0x${'12'.repeat(32)}` })
    expect(await reviewBy(honest, '1.4.1', { others: [honest, other] })).toMatchObject({
      verdict: 'cannot-verify',
      isFull: false,
    })
  })

  test('behavior: a chain that is made up from head to state is named by nobody else', async () => {
    const faked: RpcRequest = async (call) => {
      const answer = await honest(call)
      if (call.method !== 'eth_getBlockByNumber') return answer
      const block = answer as Record<string, unknown>
      const header = parseBlockHeader({ ...block, stateRoot: `0x${'34'.repeat(32)}` })
      return { ...block, stateRoot: header.stateRoot, hash: header.hash }
    }
    expect(await reviewBy(faked, '1.4.1')).toMatchObject({ verdict: 'cannot-verify', isFull: false })
    // Where nobody else is asked its proofs do not fit, either.
    expect(await reviewBy(faked, '1.4.1', { others: [] })).toMatchObject({ verdict: 'cannot-verify', isFull: false })
  })

  test('behavior: a node that keeps the newest blocks back shows an old Safe, proofs and all: cannot verify', async () => {
    const head = (await honest({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as { number: Hex }
    await requestNode(devnet.rpcUrl, 'evm_increaseTime', 3_600)
    await requestNode(devnet.rpcUrl, 'anvil_mine', '0x2')
    const newest: RpcRequest = ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params)
    const keeping: RpcRequest = (call) =>
      newest(JSON.parse(JSON.stringify(call).replaceAll('"latest"', `"${head.number}"`)))
    expect(await reviewBy(keeping, '1.4.1', { others: [newest] })).toMatchObject({
      verdict: 'cannot-verify',
      isFull: false,
      findings: expect.arrayContaining(['BLOCK-OLD']),
    })
    // A node that is some blocks behind is no liar.
    const near = (await newest({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as { number: Hex }
    await requestNode(devnet.rpcUrl, 'anvil_mine', '0x3', '0xc')
    known.clear()
    const late: RpcRequest = (call) =>
      newest(JSON.parse(JSON.stringify(call).replaceAll('"latest"', `"${near.number}"`)))
    expect(await reviewBy(late, '1.4.1', { others: [newest] })).toMatchObject({ verdict: 'matches', isFull: true })
  })

  test('behavior: a node without proofs, or of another format, goes on with a lower grade', async () => {
    const without: RpcRequest = async (call) => {
      if (call.method === 'eth_getProof') throw Object.assign(new Error('no such method'), { code: -32601 })
      return honest(call)
    }
    expect(await reviewBy(without, '1.4.1')).toMatchObject({ verdict: 'matches', grade: 'one-node', isFull: false })
    // A chain whose blocks have other fields: its node knows them by hashes that nobody else can compute.
    const own = `0x${'56'.repeat(32)}`
    let hash = own
    const unknownHash: RpcRequest = async (call) => {
      if (call.method === 'debug_getRawHeader') return null
      const answer = await honest(JSON.parse(JSON.stringify(call).replaceAll(own, hash)))
      if (call.method !== 'eth_getBlockByNumber') return answer
      hash = (answer as { hash: string }).hash
      return { ...(answer as object), hash: own }
    }
    const elsewhere = await reviewBy(unknownHash, '1.4.1', { others: [unknownHash] })
    expect(elsewhere).toMatchObject({ verdict: 'matches', grade: 'one-node', isFull: false })
  })

  test('behavior: refuses proofs of another block, empty, truncated and of 100 MB', async () => {
    await requestNode(devnet.rpcUrl, 'anvil_mine', '0x1')
    const proof = async (call: Parameters<RpcRequest>[0]) => (await honest(call)) as Record<string, unknown>
    const { asked } = await truthOf('1.4.1', 'payment')
    const huge = `0x${'f9'.repeat(50_000_000)}`
    const replies: ((call: Parameters<RpcRequest>[0]) => Promise<unknown>)[] = [
      ({ params = [] }) => honest({ method: 'eth_getProof', params: [...params.slice(0, 2), '0x1'] }),
      async () => null,
      async (call) => ({ ...(await proof(call)), accountProof: [] }),
      async (call) => ({ ...(await proof(call)), storageProof: [] }),
      async (call) => ({ ...(await proof(call)), accountProof: [huge] }),
      async (call) => ({ ...(await proof(call)), accountProof: Array.from({ length: 1_000_000 }, () => '0xc0') }),
    ]
    for (const reply of replies) {
      let askedOfNode = 0
      const node: RpcRequest = (call) => {
        askedOfNode += 1
        return call.method === 'eth_getProof' ? reply(call) : honest(call)
      }
      expect(await reviewBy(node, '1.4.1')).toMatchObject({ verdict: 'cannot-verify', isFull: false })
      expect(askedOfNode).toBeLessThanOrEqual(2 * asked.size)
    }
  })

  test('behavior: two of one host count once, and a wallet whose node is not known by itself', () => {
    const hash = `0x${'ab'.repeat(32)}` as const
    const node = (name: string, host: string | null) => ({ kind: 'node', name, host, hash }) as const
    const wallet = { kind: 'wallet', name: 'Fox', host: null, hash } as const
    expect(judgeSources(hash, [node('a', 'x'), node('a (2)', 'x')], 2)).toMatchObject({ status: 'few', count: 1 })
    expect(judgeSources(hash, [node('a', 'x'), node('b', 'y')], 2)).toMatchObject({ status: 'enough', count: 2 })
    expect(judgeSources(hash, [node('a', 'x'), wallet], 2)).toMatchObject({ status: 'enough', count: 2 })
    expect(judgeSources(hash, [node('a', 'x'), { ...wallet, hash: null }], 2)).toMatchObject({ status: 'few' })
    expect(judgeSources(hash, [], 1)).toMatchObject({ status: 'few', count: 0 })
  })
})
