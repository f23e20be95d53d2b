import {
  type ActivatedSafe,
  type FactGrade,
  type FinishedSimulation,
  type LessLater,
  lowestGrade,
  otherMachine,
  type PinnedBlock,
  type SafeTxRun,
  type SimulationAssumptions,
  type SimulationLimits,
  type SimulationOutcome,
  type SimulationResult,
  type SimulationRun,
  type SlotChange,
  type StateReader,
  type Touched,
  withoutContracts,
} from '@countersign/review'
import { mostGas } from '@countersign/safe/calls'
import type { EVMResult } from '@ethereumjs/evm'
import { type Address, bytesToHex, getAddress, type Hex, hexToBytes, numberToHex, padHex, zeroAddress } from 'viem'
import { isAroundTransaction, withParts } from './call-parts.ts'
import { CallTree, flattenTree, whereFailed } from './call-tree.ts'
import { otherMachineOf, type Rules, rulesAt } from './hardfork.ts'
import { type KnownAccount, KnownState } from './known-state.ts'
import { Machine, machineAddress } from './machine.ts'
import {
  type Conditions,
  isOtherwise,
  lessOf,
  otherConditions,
  type RunChanges,
  type SeenByCode,
} from './other-conditions.ts'
import { assumedApprovals, prepareExecution, producerOf, type SafeExecution } from './safe-execution.ts'
import { safeSlots } from './safe-slots.ts'
import { approvalChanges, balanceChanges } from './token-changes.ts'
import { destroyAccounts, destroyedIn, gasOfData, runTransaction } from './transaction.ts'
import { EnoughMissing, Unfinished } from './unfinished.ts'
import { reasonOf } from './unfinished-reason.ts'

/** Limits that ordinary work never meets: a batch of 200 payments takes a twentieth of each. */
export const ordinaryLimits: SimulationLimits = {
  milliseconds: 20_000,
  memoryBytes: 8_388_608,
  reads: 20_000,
  rounds: 40,
  calls: 20_000,
}

/** Gas that is tried for a transaction that fails with as much as one may have. */
const TIMES_OF_GAS = 64n
/** Time for that beside four times that of the run itself: code that never ends takes all of it. */
const MORE_GAS_MS = 4_000

/** Options of a run. */
export type SimulationOptions = {
  limits?: Partial<SimulationLimits> | undefined
  /**
   * Accounts and slots that are probably needed: an access list from a node, or what the last run touched. A wrong hint
   * costs time and never changes an answer.
   */
  hints?: readonly Touched[] | undefined
  /** Rules of the EVM, as the library names them; those of the chain at its block when left out. */
  rules?: Rules | undefined
}

/**
 * Runs a Safe transaction as a whole, or any call, on the state of the reader's block, and says what it would do. What the
 * run touches is read, and the run is repeated until nothing is missing. It never rejects: a run that cannot be finished
 * says why. Contracts that are owners are asked about their signatures as on the chain.
 *
 * @example
 * const result = await simulate(reader, { kind: 'safe-transaction', safeAddress, version, owners, threshold, safeTx, confirmations: [], executor })
 * if (result.status === 'finished') show(result.outcome, result.slots, result.balances)
 */
export async function simulate(
  reader: StateReader,
  run: SimulationRun,
  options: SimulationOptions = {},
): Promise<SimulationResult> {
  const result = await simulateAsSigned(reader, run, options)
  if (result.status === 'finished' && result.outcome.kind !== 'reverted') return result
  const fewer = run.kind === 'call' ? null : withoutContracts(run)
  return fewer === null ? result : simulateAsSigned(reader, fewer, options)
}

async function simulateAsSigned(
  reader: StateReader,
  run: SimulationRun,
  options: SimulationOptions,
): Promise<SimulationResult> {
  const limits = { ...ordinaryLimits, ...withoutUndefined(options.limits) }
  const started = performance.now()
  const known = new KnownState(reader, limits.reads)
  const { chainId, header } = reader
  const block: PinnedBlock = { chainId, number: header.number, hash: header.hash, timestamp: header.timestamp }
  const cost = { runs: 0, lastRunMs: 0 }
  const costNow = () => ({
    ...cost,
    rounds: known.rounds,
    reads: known.reads,
    totalMs: performance.now() - started,
  })
  try {
    const other = otherMachine(chainId)
    if (other !== null) throw new Unfinished({ kind: 'machine', name: other })
    const rules = options.rules ?? rulesAt(chainId, header)
    const { hardfork } = rules
    const execution = run.kind === 'safe-transaction' ? prepareExecution(run, chainId) : null
    const assumed = assume(known, run, execution)
    const producer = run.kind === 'safe-transaction' ? [producerOf(header)] : []
    known.expect([
      ...(execution?.hints ?? callHints(run)),
      ...producer,
      ...(options.hints ?? []),
      ...creationHints(run),
    ])
    const deadline = started + limits.milliseconds
    const machineOf = (rules: string, block = header) =>
      new Machine(known, { chainId, header: block, hardfork: rules, limits, deadline })
    const setting = { known, run, execution, limits, header, assumed, machine: machineOf(hardfork), executorFunds: 0n }
    const { creation } = run.kind === 'safe-transaction' ? run : {}
    const activated =
      creation && (await activate(setting, creation, (round) => untilAllIsRead({ known, limits, deadline }, round)))
    const { seenByCode, ...finished } = await untilAllIsRead({ known, limits, deadline }, async () => {
      cost.runs += 1
      const begun = performance.now()
      const found = await runOnce(setting).catch(unlessMissing)
      cost.lastRunMs = performance.now() - begun
      return found
    })
    // The producer, whom a tip adds, is paid in every block: what counts is what the run itself used.
    const used = { touched: known.touched(), seen: known.seen() }
    const gaps = new Set(finished.gaps)
    const untilRead = <Answer>(round: () => Promise<Answer | null>) =>
      untilAllIsRead({ known, limits, deadline }, round)
    const lessLater = await comparedAgain({ setting, finished, seen: seenByCode, rules, machineOf }, untilRead)
    if (lessLater === null) gaps.add('conditions')
    const gasWanted = await wantedGas({ ...setting, machine: machineOf(hardfork) }, finished.outcome, {
      endsBy: Math.min(deadline, performance.now() + Math.max(MORE_GAS_MS, 4 * cost.lastRunMs)),
    })
    const otherEvm = otherMachineOf(chainId, header)
    const ofMachine: readonly FactGrade[] = otherEvm === null ? [] : ['one-node']
    const grade = lowestGrade([known.grade, ...ofMachine])
    return {
      ...finished,
      ...used,
      ...(activated ? { activated } : {}),
      gasWanted,
      gaps: [...gaps],
      ...(lessLater === null || lessLater.length === 0 ? {} : { lessLater }),
      otherMachine: otherEvm,
      block,
      hardfork,
      grade,
      cost: costNow(),
    }
  } catch (error) {
    return { status: 'unfinished', reason: reasonOf(error), block, cost: costNow() }
  }
}

type Compared = {
  setting: Setting
  finished: Finished
  seen: SeenByCode
  rules: Rules
  machineOf: (rules: string, block: Setting['header']) => Machine
}

/**
 * Runs the transaction under other conditions at which code looked, and under those at which it looks only then.
 *
 * @returns null where something else comes of it; else the assets of which less comes later
 */
async function comparedAgain(
  { setting, finished, seen: first, rules, machineOf }: Compared,
  untilRead: (round: () => Promise<AgainAndSeen | null>) => Promise<AgainAndSeen>,
): Promise<LessLater[] | null> {
  const { run, header } = setting
  const lessLater: LessLater[] = []
  const tried = new Set<string>()
  const seen = { ...first }
  const allOf = () => otherConditions(run, { ...finished, seen }, { header, rules })
  const nextOf = () => allOf().find(({ id }) => !tried.has(idOf(id, seen)))
  for (let other = nextOf(); other !== undefined; other = nextOf()) {
    tried.add(idOf(other.id, seen))
    const { executor } = other.run
    if (!executorsOf(run).includes(executor)) setting.known.makeUp(executor)
    if (other.header !== header) setting.known.makeUp(other.header.coinbase)
    const isFirst = other.hardfork === rules.hardfork && other.header === header
    const machine = isFirst ? setting.machine : machineOf(other.hardfork, other.header)
    const conditions = { ...setting, ...other, machine }
    const isOfSafe = other.compared !== 'all'
    if (other.isBounded) machine.endBy(performance.now() + MORE_GAS_MS)
    const again = await untilRead(() => changesOfRun(conditions, { isOfSafe }).catch(unlessMissing)).catch((error) =>
      other.isBounded && error instanceof Unfinished && error.reason.kind === 'limit' ? null : Promise.reject(error),
    )
    machine.endBy(Number.POSITIVE_INFINITY)
    if (again === null) return null
    const paying = [...executorsOf(run), executor, header.coinbase, other.header.coinbase]
    if (isOtherwise(finished, again.changes, { compared: other.compared, safe: safeOf(run), paying })) return null
    lessLater.push(...lessThen(finished, again.changes, other, safeOf(run)))
    for (const what of Object.keys(seen) as (keyof SeenByCode)[]) seen[what] ||= again.seen[what]
  }
  return lessLater
}

function lessThen(before: Finished, again: RunChanges, { compared }: Conditions, safe: Address): LessLater[] {
  const isAsked = compared !== 'all' && compared.mayBringLess === true && again.outcome.kind === 'success'
  return isAsked ? lessOf(before, again, safe, compared.safeWithin) : []
}

/** All of it together is tried again where more was seen meanwhile. */
function idOf(id: string, seen: SeenByCode): string {
  return id.startsWith('all') ? `${id} ${Object.values(seen).join(' ')}` : id
}

/** Runs again and again, each time with all that the run before has asked for. */
async function untilAllIsRead<Answer>(
  { known, limits, deadline }: { known: KnownState; limits: SimulationLimits; deadline: number },
  run: () => Promise<Answer | null>,
): Promise<Answer> {
  for (;;) {
    if (known.missingCount > 0) await known.readMissing()
    if (known.rounds > limits.rounds) throw new Unfinished({ kind: 'limit', limit: 'rounds' })
    if (performance.now() > deadline) throw new Unfinished({ kind: 'limit', limit: 'milliseconds' })
    known.startRound()
    const answer = await run()
    if (answer !== null && known.missingCount === 0) return answer
  }
}

/** The Safe's account and slots after its creation. */
type Left = { safe: KnownAccount | null; slots: [Hex, Uint8Array][]; gasUsed: bigint }
type CreationCall = NonNullable<SafeTxRun['creation']>

/**
 * Runs the call that creates the Safe, and keeps what it leaves at the Safe's address as the state that the transaction is
 * run on.
 *
 * @throws Unfinished when it fails, or leaves nothing there
 */
async function activate(
  { machine, known, run, header }: Setting,
  { factory, data }: CreationCall,
  untilRead: (round: () => Promise<Left | null>) => Promise<Left>,
): Promise<ActivatedSafe> {
  if (run.kind !== 'safe-transaction') throw new Error('A call creates no Safe.')
  const { safeAddress, executor } = run
  const { safe, slots, gasUsed } = await untilRead(async () => {
    machine.start()
    const call = {
      block: machine.block,
      caller: machineAddress(executor),
      gasLimit: mostGas(header),
      skipNonceIncrement: true,
    }
    const input = hexToBytes(data)
    const made = await machine.runCall({ ...call, to: machineAddress(factory), data: input }).catch(unlessMissing)
    if (made === null) return null
    const written = machine.state.writtenSlots().filter(({ address }) => address === lower(safeAddress))
    return {
      safe: machine.state.read(lower(safeAddress)),
      slots: written.map(({ slot, after }) => [slot, after]),
      gasUsed: made.execResult.executionGasUsed + gasOfData(input).intrinsic,
    }
  })
  if (safe === null || safe.code.length === 0) throw new Unfinished({ kind: 'creation' })
  known.setCreated(safeAddress, { account: safe, slots: new Map(slots) })
  const words = slots.map(([slot, value]) => [slot, word(value)] as const)
  return { code: bytesToHex(safe.code), slots: words.filter(([, value]) => BigInt(value) !== 0n), gasUsed }
}

function creationHints(run: SimulationRun): Touched[] {
  if (run.kind === 'call' || run.creation === undefined) return []
  return [run.creation.factory, run.safeAddress].map((address) => ({ address, slots: [] }))
}

type Setting = {
  machine: Machine
  known: KnownState
  run: SimulationRun
  execution: SafeExecution | null
  limits: SimulationLimits
  header: StateReader['header']
  assumed: Assumed
  /** wei that the executor has in any case. */
  executorFunds: bigint
}

type Finished = Omit<
  FinishedSimulation,
  'block' | 'hardfork' | 'otherMachine' | 'grade' | 'touched' | 'seen' | 'gasWanted' | 'cost'
>
type Assumed = Omit<SimulationAssumptions, 'executorFunds' | 'nonce'> & { nonce: bigint | null }

/** One run from the beginning. */
async function runTree(setting: Setting) {
  const { machine, run, execution, limits } = setting
  const tree = new CallTree(limits.calls, run.kind === 'safe-transaction' ? run.executor : null)
  machine.start()
  machine.noteCalls(tree)
  const executorFunds = run.kind === 'safe-transaction' ? fundExecutor(setting) : 0n
  const { result, gasUsed, gasPeak } =
    execution === null ? await runCall(setting) : await runTransaction(machine, transactionOf(setting), setting.header)
  machine.noteCalls(null)
  if (tree.root === null) throw new Error('The run left no call.')
  const call = run.kind === 'safe-transaction' ? withParts(tree.root, run) : tree.root
  return {
    result,
    gasUsed,
    gasPeak,
    executorFunds,
    tree,
    call,
    slots: slotsOf(setting),
    native: nativeChanges(machine),
  }
}

type AgainAndSeen = { changes: RunChanges; seen: SeenByCode }

/** One run from the beginning, and no more than what it changes; where it is the Safe that counts, its tokens as well. */
async function changesOfRun(setting: Setting, { isOfSafe }: { isOfSafe: boolean }): Promise<AgainAndSeen> {
  const { machine, run } = setting
  const { call, slots, native, tree } = await runTree(setting)
  const balances = isOfSafe ? (await balanceChanges(machine, call, safeOf(run))).changes : []
  const approvals = isOfSafe ? (await approvalChanges(machine, call)).changes : []
  const outcome = outcomeOf(run, call)
  return { changes: { outcome, slots: slots.changed, balances: [...native, ...balances], approvals }, seen: tree.seen }
}

/**
 * The gas of a transaction that fails, where it does not with more than any may have: then it is too large, and nothing else
 * is wrong with it. Null where it fails all the same, or takes too long to be tried.
 */
async function wantedGas(
  setting: Setting,
  outcome: SimulationOutcome,
  { endsBy }: { endsBy: number },
): Promise<bigint | null> {
  const { machine, known, limits } = setting
  if (setting.run.kind === 'call' || setting.run.gas !== undefined || outcome.kind === 'success') return null
  const run = { ...setting.run, gas: TIMES_OF_GAS * mostGas(setting.header) }
  machine.endBy(endsBy)
  try {
    return await untilAllIsRead({ known, limits, deadline: endsBy }, async () => {
      const ran = await runTree({ ...setting, run }).catch(unlessMissing)
      if (ran === null) return null
      return { gas: outcomeOf(run, ran.call).kind === 'success' ? ran.gasPeak : null }
    }).then(({ gas }) => gas)
  } catch {
    return null
  }
}

/** One run from the beginning, and the questions about what changed. */
async function runOnce(setting: Setting): Promise<Finished & { seenByCode: SeenByCode }> {
  const { machine, known, run } = setting
  const { result, gasUsed, gasPeak, executorFunds, tree, call, slots, native } = await runTree(setting)
  const safe = run.kind === 'safe-transaction' ? getAddress(run.safeAddress) : null
  const balances = await balanceChanges(machine, call, safe)
  const approvals = await approvalChanges(machine, call)
  return {
    status: 'finished',
    outcome: outcomeOf(run, call),
    call,
    slots: slots.changed,
    restoredSlots: slots.restored,
    balances: [...native, ...balances.changes],
    approvals: approvals.changes,
    ...accountsOf(machine, result, call),
    gasUsed,
    gasPeak,
    gasLimit: run.gas ?? mostGas(setting.header),
    seenByCode: tree.seen,
    assumed: { approvedBy: setting.assumed.approvedBy, nonce: assumedNonce(known, run), executorFunds },
    gaps: [
      ...(balances.isCut ? (['balances'] as const) : []),
      ...(approvals.isCut ? (['approvals'] as const) : []),
      ...(tree.isCut ? (['call-data'] as const) : []),
      ...(tree.assumedReads.some((path) => !isAroundTransaction(call, path)) ? (['conditions'] as const) : []),
    ],
  }
}

/** Puts into the run's own state what the transaction waits for: approvals that are missing, and its nonce. */
function assume(known: KnownState, run: SimulationRun, execution: SafeExecution | null): Assumed {
  if (run.kind === 'call' || execution === null) return { approvedBy: [], nonce: null }
  // The executor's own approval is looked at where somebody else sends it, and nowhere else.
  const { approvedBy, consentOf, safeTxHash } = execution
  const approving = { approvedBy: [...approvedBy, ...(consentOf === null ? [] : [consentOf])], safeTxHash }
  for (const { slot, value } of assumedApprovals(approving)) known.assumeSlot(run.safeAddress, slot, value)
  known.assumeSlot(run.safeAddress, safeSlots.nonce, numberToHex(run.safeTx.nonce, { size: 32 }))
  return { approvedBy, nonce: run.safeTx.nonce }
}

function assumedNonce(known: KnownState, run: SimulationRun): SimulationAssumptions['nonce'] {
  if (run.kind === 'call') return null
  const onChain = toBigInt(known.chainSlot(lower(run.safeAddress), safeSlots.nonce))
  const assumed = run.safeTx.nonce
  return onChain === assumed ? null : { onChain, assumed }
}

function transactionOf({ run, execution, header }: Setting) {
  if (run.kind === 'call' || execution === null) throw new Error('A call is no transaction.')
  const gas = run.gas ?? mostGas(header)
  const gasPrice = run.gasPrice ?? header.baseFeePerGas ?? 0n
  return { from: run.executor, to: run.safeAddress, data: execution.data, gas, gasPrice }
}

/** Gives the executor what it lacks to buy the gas. */
function fundExecutor(setting: Setting): bigint {
  const { machine } = setting
  const { from, gas, gasPrice } = transactionOf(setting)
  const executor = machine.state.read(lower(from))
  const lacking = gas * gasPrice + setting.executorFunds - (executor?.balance ?? 0n)
  if (!executor || lacking <= 0n) return 0n
  machine.state.write(lower(from), { ...executor, balance: executor.balance + lacking })
  return lacking
}

function safeOf(run: SimulationRun): Address {
  return run.kind === 'safe-transaction' ? run.safeAddress : run.from
}

function executorsOf(run: SimulationRun): Address[] {
  return run.kind === 'safe-transaction' ? [run.executor] : []
}

async function runCall({ machine, run, header }: Setting) {
  if (run.kind !== 'call') throw new Error('A transaction is no plain call.')
  const result = await machine.runCall({
    block: machine.block,
    caller: machineAddress(run.from),
    ...(run.to === null ? {} : { to: machineAddress(run.to) }),
    data: hexToBytes(run.data),
    value: run.value ?? 0n,
    // Some chains name a limit that lets code fill a gigabyte by one instruction.
    gasLimit: run.gas ?? mostGas(header),
    skipNonceIncrement: run.to !== null,
  })
  await destroyAccounts(machine, result)
  const gasUsed = result.execResult.executionGasUsed
  return { result, gasUsed, gasPeak: gasUsed }
}

function callHints(run: SimulationRun): Touched[] {
  if (run.kind !== 'call') return []
  return [run.from, ...(run.to === null ? [] : [run.to])].map((address) => ({ address, slots: [] }))
}

const TRUE = padHex('0x01', { size: 32 })

function outcomeOf(run: SimulationRun, call: FinishedSimulation['call']): SimulationOutcome {
  if (call.failure) {
    const began = whereFailed(call)
    return { kind: 'reverted', failure: call.failure, began: began.path }
  }
  if (run.kind === 'call' || call.output === TRUE) return { kind: 'success', output: call.output }
  const failed = flattenTree(call).find(({ part }) => part === 'transaction')
  const began = failed ? whereFailed(failed) : call
  const failure = failed?.failure ?? { kind: 'halt', reason: 'execTransaction did not return true' }
  return { kind: 'inner-failure', failure, began: began.path }
}

/** Slots that differ, those of the Safe first; and those of the Safe that were written and are as before. */
function slotsOf({ machine, known, run }: Setting): { changed: SlotChange[]; restored: Hex[] } {
  const safe = run.kind === 'safe-transaction' ? lower(run.safeAddress) : null
  const changed: SlotChange[] = []
  const restored: Hex[] = []
  for (const { address, slot, before, after } of machine.state.writtenSlots()) {
    const isApproval = address === safe && slot !== safeSlots.nonce && known.isAssumed(address, slot)
    // An approval that was assumed and used up is as it is on the chain.
    const start = isApproval ? known.chainSlot(address, slot) : before
    const change = { account: getAddress(address), slot, before: word(start), after: word(after) }
    if (change.before !== change.after) changed.push(change)
    else if (address === safe && !isApproval) restored.push(slot)
  }
  return {
    changed: changed.toSorted(
      (one, other) => Number(lower(other.account) === safe) - Number(lower(one.account) === safe),
    ),
    restored,
  }
}

function nativeChanges(machine: Machine): FinishedSimulation['balances'] {
  return machine.state.changedAccounts().flatMap(({ address, before, after }) => {
    const change = { before: before.balance, after: after?.balance ?? 0n }
    const where = { account: getAddress(address), token: zeroAddress, standard: 'native', tokenId: null } as const
    return change.before === change.after ? [] : [{ ...where, ...change }]
  })
}

const DELEGATION = '0xef0100'

function accountsOf(machine: Machine, { execResult }: EVMResult, call: FinishedSimulation['call']) {
  const destroyed = destroyedIn(execResult, machine.common.isActivatedEIP(6780)).map((address) => getAddress(address))
  const created = machine.state
    .changedAccounts()
    .filter(({ before, after }) => before.code.length === 0 && after !== null && after.code.length > 0)
    .map(({ address }) => getAddress(address))
  const delegations = new Map<Address, Address>()
  for (const { to } of flattenTree(call)) {
    const code = machine.state.read(lower(to))?.code
    if (code?.length === 23 && bytesToHex(code.subarray(0, 3)) === DELEGATION)
      delegations.set(to, getAddress(bytesToHex(code.subarray(3))))
  }
  return { created, destroyed, delegations: [...delegations].map(([account, to]) => ({ account, to })) }
}

function unlessMissing(error: unknown): null {
  if (error instanceof EnoughMissing) return null
  throw error
}

function word(bytes: Uint8Array): Hex {
  return padHex(bytesToHex(bytes), { size: 32 })
}

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes))
}

function lower(address: Address): Hex {
  return address.toLowerCase() as Hex
}

function withoutUndefined(limits: SimulationOptions['limits']): Partial<SimulationLimits> {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined))
}
