import { gzipSync } from 'node:zlib'
import {
  canonicalContract,
  demoAccounts,
  deploySafe,
  startDevnet,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import {
  configurationFact,
  createFactReader,
  createProvedReader,
  type NeededFact,
  readVouchedBlock,
  type SafeTxRun,
  type StateReader,
} from '@countersign/review'
import {
  encodeApprovedHash,
  guessSafeState,
  hashSafeTx,
  newSafeTx,
  type RpcRequest,
  readSafeState,
  type SafeState,
  type SafeTx,
} from '@countersign/safe'
import { type BatchedCall, encodeMultiSend } from '@countersign/safe/calls'
import { askAccessList, nodeSimulation, plainReader, readHeader, simulate } from '@countersign/simulation'
import { type Address, concat, encodeFunctionData, keccak256, numberToHex, parseAbi, slice } from 'viem'
import { type Entry, type Measurement, median } from '../entry.ts'
import { processSeconds } from '../load/process-time.ts'
import { bundle } from '../page/bundled-core.ts'

const chainId = 31337
const owners = [demoAccounts[0].address, demoAccounts[1].address]
const ROUNDS = 7
const { erc20 } = testContracts
const library = canonicalContract('1.4.1', 'multi_send_call_only').address

/** Measures what a run in the page costs, over proofs and over plain answers, beside the node's own simulation. */
export const proved: Entry = {
  name: 'proved',
  about: 'simulation in the page: processor time, bytes and round trips of a payment and of batches, beside the node',
  async run() {
    await using devnet = await startDevnet({ port: 0 })
    const safeAddress = await deploySafe({
      rpcUrl: devnet.rpcUrl,
      chainId,
      version: '1.4.1',
      owners,
      threshold: 2,
      saltNonce: 4_100n,
    })
    const node = countingNode(devnet.rpcUrl)
    await fund(node.request, safeAddress)
    const measured: Measurement[] = await measureConfiguration(node, safeAddress)
    for (const [what, safeTx, goal] of works()) {
      const run: SafeTxRun = {
        kind: 'safe-transaction',
        safeAddress,
        version: '1.4.1',
        owners,
        threshold: 2,
        safeTx,
        confirmations: [],
        executor: demoAccounts[5].address,
        gasPrice: 1_000_000_000n,
      }
      measured.push(...(await measure({ what, run, goal, node })))
    }
    return measured
  },
}

function works(): [string, SafeTx, number][] {
  const pay = (at: number): BatchedCall => {
    const to = slice(keccak256(numberToHex(at + 1)), 12)
    const data = encodeFunctionData({
      abi: testContractAbi('TestErc20'),
      functionName: 'transfer',
      args: [to, BigInt(at + 1)],
    })
    return { to: erc20.address, value: 0n, data, operation: 0 }
  }
  const batch = (count: number) => {
    const data = encodeMultiSend(Array.from({ length: count }, (_, at) => pay(at)))
    return newSafeTx({ to: library, data, operation: 1, nonce: 0n })
  }
  return [
    ['payment in coin', newSafeTx({ to: demoAccounts[3].address, value: 1_000n, nonce: 0n }), 150],
    ['payment in a token', newSafeTx({ ...pay(0), nonce: 0n }), 150],
    ['batch of 20', batch(20), 500],
    ['batch of 200', batch(200), 500],
  ]
}

async function fund(request: RpcRequest, safeAddress: Address): Promise<void> {
  await request({ method: 'anvil_setBalance', params: [safeAddress, numberToHex(10n ** 20n)] })
  const data = encodeFunctionData({
    abi: testContractAbi('TestErc20'),
    functionName: 'mint',
    args: [safeAddress, 10n ** 12n],
  })
  const [from] = [demoAccounts[9].address]
  await request({ method: 'eth_sendTransaction', params: [{ from, to: erc20.address, data }] })
  await request({ method: 'evm_mine' })
}

type Node = { request: RpcRequest; take(): { trips: number; bytes: number } }
type Work = { what: string; run: SafeTxRun; goal: number; node: Node }

async function measure({ what, run, goal, node }: Work): Promise<Measurement[]> {
  const open = { proved: openProved, plain: openPlain }
  const costs: Record<string, { cpu: number; first: number; last: number; trips: number; bytes: number }> = {}
  for (const [name, openReader] of Object.entries(open)) {
    const times: number[] = []
    const lasts: number[] = []
    let cost = { trips: 0, bytes: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      node.take()
      const before = process.cpuUsage()
      const [reader, hints] = await Promise.all([openReader(node.request), askLatest(node.request, run)])
      const result = await simulate(reader, run, { hints })
      const { user, system } = process.cpuUsage(before)
      if (result.status === 'unfinished' || result.outcome.kind !== 'success')
        throw new Error(`${what} did not succeed`)
      times.push((user + system) / 1_000)
      lasts.push(result.cost.lastRunMs)
      cost = node.take()
    }
    costs[name] = { cpu: median(times), first: times[0] ?? 0, last: median(lasts), ...cost }
  }
  const nodeMs = await timeOfNode(node.request, run)
  const anvil = await executeOnAnvil(node, run)
  const ofAnvil: Measurement[] = [
    { what: `${what}, executed by anvil and traced: processor of anvil`, value: anvil.ms, unit: 'ms' },
    { what: `${what}, executed by anvil and traced: round trips`, value: anvil.trips, unit: '' },
    { what: `${what}, executed by anvil and traced: answers`, value: anvil.bytes / 1_000, unit: 'kB' },
  ]
  const ofPage = Object.entries(costs).flatMap(([name, { cpu, first, last, trips, bytes }]) => [
    {
      what: `${what}, ${name}: processor`,
      value: cpu,
      unit: 'ms',
      peer: { what: 'of the node for eth_simulateV1', value: nodeMs },
      goal: { value: goal, isAtMost: true },
    },
    { what: `${what}, ${name}: the first time`, value: first, unit: 'ms' },
    { what: `${what}, ${name}: last run alone`, value: last, unit: 'ms' },
    { what: `${what}, ${name}: round trips`, value: trips, unit: '', goal: { value: 3, isAtMost: true } },
    { what: `${what}, ${name}: answers`, value: bytes / 1_000, unit: 'kB' },
  ])
  return [...ofPage, ...ofAnvil]
}

const safeAbi = parseAbi([
  'function approveHash(bytes32 hashToApprove)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])

/** Executes the same on a node of one's own, lets it say which slots differ and which calls were made, and goes back. */
async function executeOnAnvil({ request, take }: Node, { safeAddress, safeTx, owners: of, executor }: SafeTxRun) {
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx })
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = safeTx
  const sorted = of.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
  const signatures = concat(sorted.map(encodeApprovedHash))
  const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures] as const
  const input = encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args })
  const approval = encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [safeTxHash] })
  const send = async (from: Address, call: `0x${string}`) => {
    const gas = numberToHex(16_000_000n)
    const sent = await request({ method: 'eth_sendTransaction', params: [{ from, to: safeAddress, data: call, gas }] })
    return sent as `0x${string}`
  }
  take()
  const before = processSeconds(process.pid, 'anvil')
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) {
    const snapshot = await request({ method: 'evm_snapshot' })
    await Promise.all(of.map((owner) => send(owner, approval)))
    await request({ method: 'evm_mine' })
    const hash = await send(executor, input)
    await request({ method: 'evm_mine' })
    const tracers = [{ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, { tracer: 'callTracer' }]
    const [receipt] = await Promise.all([
      request({ method: 'eth_getTransactionReceipt', params: [hash] }),
      ...tracers.map((tracer) => request({ method: 'debug_traceTransaction', params: [hash, tracer] })),
    ])
    if ((receipt as { status?: string } | null)?.status !== '0x1') throw new Error('anvil did not execute it')
    await request({ method: 'evm_revert', params: [snapshot] })
  }
  const after = processSeconds(process.pid, 'anvil')
  const took = before === null || after === null ? performance.now() - started : (after - before) * 1_000
  const { trips, bytes } = take()
  return { ms: took / ROUNDS, trips: trips / ROUNDS, bytes: bytes / ROUNDS }
}

/**
 * The Safe as the review reads it right before a signature: the newest block; then the Safe, and its storage, owners and modules
 * word by word against proofs, by how it was last seen. `unknown`: a Safe that was never seen, by a guess.
 */
async function measureConfiguration(node: Node, safeAddress: Address): Promise<Measurement[]> {
  const known = await readSafeState(node.request, safeAddress, chainId)
  const measured: Measurement[] = []
  for (const [what, expected] of [
    ['configuration, proved', known],
    ['configuration of an unknown Safe, proved', null],
  ] as const) {
    const times: number[] = []
    let cost = { trips: 0, bytes: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      node.take()
      const before = process.cpuUsage()
      await proveConfiguration(node.request, safeAddress, expected)
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1_000)
      cost = node.take()
    }
    measured.push(
      {
        what: `${what}: processor`,
        value: median(times),
        unit: 'ms',
        goal: { value: 50, isAtMost: true },
      },
      { what: `${what}: the first time`, value: times[0] ?? 0, unit: 'ms' },
      { what: `${what}: round trips`, value: cost.trips, unit: '', goal: { value: 2, isAtMost: true } },
      { what: `${what}: answers`, value: cost.bytes / 1_000, unit: 'kB' },
    )
  }
  return [...measured, await measureBytes()]
}

async function proveConfiguration(
  request: RpcRequest,
  safeAddress: Address,
  expected: SafeState | null,
): Promise<void> {
  const askSources = async () => []
  const [block, guess] = await Promise.all([
    readVouchedBlock({ chainId, request, askSources, needed: 1 }),
    expected ?? guessSafeState(request, safeAddress, chainId),
  ])
  const facts = createFactReader(() => request, block)
  // Words that it proves are not asked for again below.
  const early = guess && facts.read(slotsNeeded(guess))
  const state = await readSafeState(request, safeAddress, chainId, {
    blockNumber: block.number,
    lastSingleton: guess?.singleton,
  })
  await early
  const { answer } = await facts.read(slotsNeeded(state))
  const isSame =
    typeof answer === 'object' && answer !== null && 'differing' in answer && String(answer.differing) === ''
  if (!isSame) throw new Error('The storage is not what was read.')
}

function slotsNeeded(state: SafeState): NeededFact {
  const needed = configurationFact(state)
  if (needed === null) throw new Error('The Safe is of no release.')
  return needed
}

/** The code that checks proofs, beside the part of viem that a page has anyway. */
async function measureBytes(): Promise<Measurement> {
  const sourcesOf = (name: string) => new URL(`../../../packages/${name}/src/`, import.meta.url).pathname
  const base = "export { fromRlp, getAddress, isHex, keccak256, numberToHex, padHex, toRlp } from 'viem'"
  const files = ['account-proof', 'header', 'proved-reader', 'proved-request', 'shared-reads', 'vouched-block']
  const own = files.map((file) => `export * from ${JSON.stringify(`${sourcesOf('review')}proof/${file}.ts`)}`)
  const shared = ['chain/call-contract', 'error-sentences'].map(
    (file) => `export * from ${JSON.stringify(`${sourcesOf('safe')}${file}.ts`)}`,
  )
  const [without, all] = await Promise.all(
    [
      [base, ...shared],
      [base, ...shared, ...own],
    ].map(async (lines) => gzipSync(await bundle(lines.join('\n'))).length),
  )
  return {
    what: 'configuration, proved: JavaScript added, gzip',
    value: ((all ?? 0) - (without ?? 0)) / 1_000,
    unit: 'kB',
    goal: { value: 10, isAtMost: true },
  }
}

/** The hint is asked for together with the newest block. */
function askLatest(request: RpcRequest, run: SafeTxRun) {
  const latest: RpcRequest = ({ method, params = [] }) => request({ method, params: [params[0], 'latest'] })
  return askAccessList(latest, run, 0n)
}

async function openPlain(request: RpcRequest): Promise<StateReader> {
  return plainReader(request, { chainId, header: await readHeader(request) })
}

async function openProved(request: RpcRequest): Promise<StateReader> {
  const askSources = async () => []
  const block = await readVouchedBlock({ chainId, request, askSources, needed: 1 })
  if (block.header === null) throw new Error('The block has no header.')
  return { ...createProvedReader(request, block), header: block.header }
}

/** Processor milliseconds of the node for its own simulation; by the clock where the system does not tell. */
async function timeOfNode(request: RpcRequest, run: SafeTxRun): Promise<number> {
  const header = await readHeader(request)
  const block = { chainId, number: header.number, hash: header.hash, timestamp: header.timestamp }
  const before = processSeconds(process.pid, 'anvil')
  const started = performance.now()
  const times = 300
  for (let round = 0; round < times; round += 1) {
    const simulated = await nodeSimulation(request, run, block)
    if (simulated?.method !== 'eth_simulateV1') throw new Error('The node has no eth_simulateV1.')
  }
  const after = processSeconds(process.pid, 'anvil')
  const took = before === null || after === null ? performance.now() - started : (after - before) * 1_000
  return took / times
}

function countingNode(rpcUrl: string): Node {
  type Waiting = { method: string; params: unknown[]; resolve(value: unknown): void; reject(error: Error): void }
  type Answer = { id: number; result?: unknown; error?: { message: string } }
  let waiting: Waiting[] = []
  let count = { trips: 0, bytes: 0 }
  async function flush(): Promise<void> {
    const all = waiting
    waiting = []
    const body = all.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    count.trips += 1
    count.bytes += text.length
    const answers = new Map((JSON.parse(text) as Answer[]).map((answer) => [answer.id, answer]))
    for (const [id, { method, resolve, reject }] of all.entries()) {
      const answer = answers.get(id)
      if (answer === undefined || answer.error) reject(new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`))
      else resolve(answer.result)
    }
  }
  return {
    request: ({ method, params = [] }) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(() => void flush(), 0)
        waiting.push({ method, params, resolve, reject })
      }),
    take() {
      const taken = count
      count = { trips: 0, bytes: 0 }
      return taken
    },
  }
}
