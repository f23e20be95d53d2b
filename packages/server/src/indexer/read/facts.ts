import type { EntryKind } from '@countersign/contract'
import { decodeSafeEvent, deploymentAt, type SafeTx } from '@countersign/safe'
import { decodeMultiSend } from '@countersign/safe/calls'
import { decodeAbiParameters, getAddress, type Hex, zeroAddress } from 'viem'
import { isTransfer, type Log, topicAddress, transferTopics } from '../../rpc/logs.ts'
import type { Creation } from './creations.ts'
import { type Execution, isDetail, isExecution, MAX_THRESHOLD } from './executions.ts'
import type { ModuleCall } from './module-calls.ts'

/** A row of `history_entry`, before it is known when its block was. */
export type Entry = {
  safeAddress: Hex
  blockNumber: number
  logIndex: number
  part: number
  kind: EntryKind
  afterBlock?: number
  transactionHash: Hex | null
  safeTxHash?: Hex
  isSuccessful?: boolean
  subject?: Hex
  factory?: Hex | null
  singleton?: Hex | null
  threshold?: number | null
  token?: Hex
  tokenKind?: 'native' | 'erc20' | 'erc721' | 'erc1155'
  tokenId?: bigint
  counterparty?: Hex
  amount?: bigint
  data?: Hex
  operation?: 0 | 1
}

/** Reads the history entries of some logs. Pure; a log that cannot be read gives none. */
export function decodeEntries(
  logs: readonly Log[],
  safes: ReadonlySet<Hex>,
  executions: ReadonlyMap<Log, Execution>,
  creations: ReadonlyMap<Log, Creation>,
  moduleCalls: ReadonlyMap<Log, ModuleCall> = new Map(),
): Entry[] {
  const entries: Entry[] = []
  /** Calls that modules had each Safe execute in the current Ethereum transaction. */
  const byModule = new Map<string, ModuleCall>()
  let transactionHash: Hex | null = null
  for (const log of logs) {
    if (log.transactionHash !== transactionHash) byModule.clear()
    transactionHash = log.transactionHash
    const creation = creations.get(log)
    if (creation) {
      const { creator: subject, safeAddress, ...rest } = creation
      entries.push({ ...place(log, safeAddress), part: 0, subject, ...rest })
    } else if (isTransfer(log)) entries.push(...decodeTransfers(log, safes))
    else if (!safes.has(log.address) || isDetail(log)) continue
    else if (isExecution(log)) {
      const execution = executions.get(log)
      if (execution) entries.push(...decodeExecuted(log, execution))
    } else entries.push(...decodeEvent(log, byModule, moduleCalls.get(log)))
  }
  return entries
}

/** An execution, and the native coin that it moved by itself. */
export function decodeExecuted(
  log: Pick<Log, 'address' | 'blockNumber' | 'logIndex' | 'transactionHash'>,
  { safeTxHash, isSuccessful, safeTx, payment, executor }: Execution,
): Entry[] {
  const here = place(log)
  const entries: Entry[] = [{ ...here, part: 0, kind: 'executed', safeTxHash, isSuccessful }]
  const moves = safeTx && isSuccessful ? movesOf(safeTx) : []
  // The refund of gas is paid in the native coin when no token is named; a token's own log tells of it otherwise.
  if (safeTx && payment && safeTx.gasToken === zeroAddress) {
    const receiver = safeTx.refundReceiver === zeroAddress ? executor : safeTx.refundReceiver
    moves.push({ to: receiver, value: payment })
  }
  for (const [at, { to, value }] of moves.entries())
    entries.push({ ...here, part: 1 + at, safeTxHash, ...nativeTransfer('transfer-out', to, value) })
  return entries
}

/** Native coin that a successful transaction sends by itself; what the contracts that it calls send on is theirs. */
function movesOf({ to, value, data, operation }: SafeTx): { to: Hex; value: bigint }[] {
  if (operation === 0) return value > 0n ? [{ to, value }] : []
  try {
    if (deploymentAt(getAddress(to))?.kind.startsWith('multi-send'))
      return decodeMultiSend(data).filter((call) => call.operation === 0 && call.value > 0n)
  } catch {
    // Not a batch that can be read: the balance tells that something moved.
  }
  return []
}

function nativeTransfer(kind: 'transfer-in' | 'transfer-out', counterparty: Hex, amount: bigint) {
  return { kind, tokenKind: 'native', counterparty, amount } as const
}

function decodeTransfers(log: Log, safes: ReadonlySet<Hex>): Entry[] {
  const moves = decodeTokenMoves(log)
  const [from, to] = (log.topics[0] === transferTopics.transfer ? log.topics.slice(1, 3) : log.topics.slice(2, 4)).map(
    topicAddress,
  )
  if (!from || !to) return []
  // Even parts leave a Safe, odd ones reach one: a Safe may send to itself.
  return moves.flatMap((move, at) => {
    const rest = { ...move, token: log.address }
    const entries: Entry[] = []
    if (safes.has(from))
      entries.push({ ...place(log, from), part: 2 * at, kind: 'transfer-out', counterparty: to, ...rest })
    if (safes.has(to))
      entries.push({ ...place(log, to), part: 2 * at + 1, kind: 'transfer-in', counterparty: from, ...rest })
    return entries
  })
}

const MAX_MOVES = 1_000

type TokenMove = Required<Pick<Entry, 'tokenKind' | 'amount'>> & Pick<Entry, 'tokenId'>

/** Any contract may emit these; one that cannot be read moves nothing. */
function decodeTokenMoves({ topics, data }: Log): TokenMove[] {
  try {
    if (topics[0] === transferTopics.transfer) {
      const [, , , tokenId] = topics
      if (tokenId) return [{ tokenKind: 'erc721', tokenId: BigInt(tokenId), amount: 1n }]
      return data.length === 66 ? [{ tokenKind: 'erc20', amount: BigInt(data) }] : []
    }
    if (topics[0] === transferTopics.single) {
      const [tokenId, amount] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], data)
      return [{ tokenKind: 'erc1155', tokenId, amount }]
    }
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    if (ids.length !== amounts.length || ids.length > MAX_MOVES) return []
    return ids.map((tokenId, at) => ({ tokenKind: 'erc1155', tokenId, amount: amounts[at] ?? 0n }))
  } catch {
    return []
  }
}

// Complexity: one case for each event of a Safe.
function decodeEvent(log: Log, byModule: Map<string, ModuleCall>, recovered: ModuleCall | undefined): Entry[] {
  const event = decodeSafeEvent(log)
  if (!event) return []
  const here = { ...place(log), part: 0 }
  switch (event.name) {
    case 'AddedOwner':
      return [{ ...here, kind: 'owner-added', subject: event.owner }]
    case 'RemovedOwner':
      return [{ ...here, kind: 'owner-removed', subject: event.owner }]
    case 'ChangedThreshold':
      return [{ ...here, kind: 'threshold-changed', ...thresholdOf(event) }]
    case 'EnabledModule':
      return [{ ...here, kind: 'module-enabled', subject: event.module }]
    case 'DisabledModule':
      return [{ ...here, kind: 'module-disabled', subject: event.module }]
    case 'ChangedGuard':
      return [{ ...here, kind: 'guard-changed', subject: event.guard }]
    case 'ChangedModuleGuard':
      return [{ ...here, kind: 'module-guard-changed', subject: event.moduleGuard }]
    case 'ChangedFallbackHandler':
      return [{ ...here, kind: 'fallback-handler-changed', subject: event.fallbackHandler }]
    case 'ChangedMasterCopy':
      return [{ ...here, kind: 'singleton-changed', subject: event.singleton }]
    case 'ApproveHash':
      return [{ ...here, kind: 'hash-approved', subject: event.owner, safeTxHash: event.hash }]
    case 'SignMsg':
      return [{ ...here, kind: 'message-signed', safeTxHash: event.messageHash }]
    case 'SafeReceived':
      return [{ ...here, ...nativeTransfer('transfer-in', event.sender, event.value) }]
    case 'SafeModuleTransaction':
      byModule.set(`${log.address}/${event.module}`, event)
      return []
    case 'ExecutionFromModuleSuccess':
    case 'ExecutionFromModuleFailure': {
      const executed = byModule.get(`${log.address}/${event.module}`) ?? recovered
      return decodeModuleExecution(log, event.module, event.name === 'ExecutionFromModuleSuccess', executed)
    }
    default:
      return []
  }
}

/** A contract may say any number; the database has a column for those that can be. */
function thresholdOf({ threshold }: { threshold: bigint }): { threshold?: number } {
  return threshold <= MAX_THRESHOLD ? { threshold: Number(threshold) } : {}
}

/** L2 singletons log the call before its execution; for others it is in the trace, where there is one. */
function decodeModuleExecution(
  log: Log,
  module: Hex,
  isSuccessful: boolean,
  executed: ModuleCall | undefined,
): Entry[] {
  const entry: Entry = { ...place(log), part: 0, kind: 'module-executed', subject: module, isSuccessful }
  if (!executed) return [entry]
  const { to, value, data, operation } = executed
  const details = { counterparty: to, amount: value, data, operation: operation === 1 ? 1 : 0 } as const
  const isMoving = isSuccessful && operation === 0 && value > 0n
  return [
    { ...entry, ...details },
    ...(isMoving ? [{ ...place(log), part: 1, ...nativeTransfer('transfer-out', to, value) }] : []),
  ]
}

function place(log: Pick<Log, 'address' | 'blockNumber' | 'logIndex' | 'transactionHash'>, safeAddress = log.address) {
  return { safeAddress, blockNumber: log.blockNumber, logIndex: log.logIndex, transactionHash: log.transactionHash }
}
