import { safeEventTopics } from '@countersign/safe'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, numberToHex, TimeoutError, zeroHash } from 'viem'
import type { Database } from '../../db/client.ts'
import { historyEntry, safe } from '../../db/schema.ts'
import type { Chain } from '../../rpc/clients.ts'
import { isRefusal } from '../../rpc/errors.ts'
import {
  type Block,
  type Cost,
  changed,
  type EthereumTransaction,
  inOrder,
  isTransfer,
  type Log,
  lowerCase,
  readBlock,
  readBlocks,
  readCost,
  readEthereumTransaction,
  readLogs,
} from '../../rpc/logs.ts'
import { namedBlocks } from '../../rpc/refusals.ts'
import { blockTime } from '../block-time.ts'
import { type Cursor, type Facts, WINDOW_BLOCKS } from '../write/apply.ts'
import { createCreationReader, type NewSafe, readCreationLogs } from './creations.ts'
import { type Execution, isExecution, type KnownSafe, readExecutions as readSafeExecutions } from './executions.ts'
import { decodeEntries } from './facts.ts'
import { hasBareModuleExecution, isModuleExecution, type ModuleCall, readModuleCalls } from './module-calls.ts'
import { readInnerCalls } from './moves.ts'
import { createRangeSize } from './range-size.ts'
import { createThresholdReader, decodeThresholdChanges, type ThresholdChange } from './thresholds.ts'

/** Tokens that are named to a node that answers no other query: those of the configuration and those of the history. */
const MAX_TOKENS = 2_000

/** Ethereum transactions that are read at a time: with all their calldata they are one answer of the node. */
const CALLS_AT_ONCE = 50

const topics = safeEventTopics()

/** Blocks to read: from one to another or, where that is too much at once, a part at its begin; backward, at its end. */
type Range = {
  safes: ReadonlySet<Hex>
  /** Whether to look for Safes that were created in it, too. */
  isWhole: boolean
  isBackward?: boolean
  from: number
  upTo: number
  head: Block
  before: Cursor | null
  /** The block after it, whose parent is to be its last one. */
  after?: Cursor | null
  /** The end of writing what came before it: until then the history that is kept lacks that. */
  written?: Promise<void> | undefined
}

/** `from` and `last` are where the part that was read begins and ends. The facts are of the Safes asked for, and of those that were created in the range. */
export type Reading = { facts: Facts; created: NewSafe[]; from: number; last: Block }

/** Reads ranges of one chain. */
export type RangeReader = { read: (range: Range) => Promise<Reading> }

/** Parts that every step of reading a range works with. */
type Reader = {
  chain: Chain
  chainId: number
  db: Database
  size: ReturnType<typeof createRangeSize>
  creationReader: ReturnType<typeof createCreationReader>
  readThreshold: ReturnType<typeof createThresholdReader>
  tokens: NamedTokens
  /** The last block of the range that is read after this one, asked for with this one's: so one waits less for a node. */
  next: Block | null
  /** The end of writing what came before the range. */
  written: Promise<void>
}

/** Reads a chain range by range. */
export function createRangeReader({ chain, db }: { chain: Chain; db: Database }): RangeReader {
  const { request } = chain
  const { chainId } = chain.settings
  const whenWritten = () => reader.written
  const reader: Reader = {
    chain,
    chainId,
    db,
    size: createRangeSize(),
    creationReader: createCreationReader(request),
    readThreshold: createThresholdReader({ request, db, chainId, whenWritten }),
    tokens: createNamedTokens({ chain, db, whenWritten }),
    next: null,
    written: Promise.resolve(),
  }
  return { read: (range) => readRange(reader, range) }
}

/** Everything that a range says, checked to be of one and the same chain. */
async function readRange(reader: Reader, range: Range): Promise<Reading> {
  const { size } = reader
  const { safes, isWhole, isBackward, from, upTo, written = Promise.resolve() } = range
  reader.written = written
  const whole = upTo - from + 1
  let blocks = safes.size === 0 && !isWhole ? whole : Math.min(whole, size.next())
  for (;;) {
    const [begin, end] = isBackward ? [upTo - blocks + 1, upTo] : [from, from + blocks - 1]
    try {
      return await readExactly(reader, { ...range, from: begin }, end)
    } catch (error) {
      reader.next = null
      // One block cannot be too many: the node has another reason.
      if (!isRefusal(error) || blocks === 1) throw error
      size.refused(blocks, namedBlocks(logQuery(begin, end), error))
      // Silence may have another reason, too: not asked again at once.
      if (error instanceof TimeoutError) throw error
      blocks = Math.min(blocks - 1, size.next())
    }
  }
}

async function readExactly(
  reader: Reader,
  { safes, isWhole, isBackward = false, from, head, before, after = null }: Range,
  to: number,
): Promise<Reading> {
  const { chainId, size, creationReader, tokens } = reader
  const firstOpen = Math.max(from, head.number - WINDOW_BLOCKS)
  const open = Array.from({ length: Math.max(0, to - firstOpen + 1) }, (_, at) => firstOpen + at)
  const headers = await readHeaders(reader, open, to, after)
  const isNextFar = isBackward && from > 0 && from - 1 < head.number - WINDOW_BLOCKS
  const next = isNextFar ? readBlock(reader.chain.request, from - 1).catch(() => null) : null
  if (after && headers.get(to + 1)?.hash !== after.blockHash) throw changed(to + 1)
  assertLinked(headers, before)
  const last = headers.get(to)
  if (!last) throw changed(to)
  const range = { fromBlock: from, toBlock: to, toHash: last.hash }
  const { own, creations } = await readLinkedLogs(reader, { range, safes, isDiscovering: isWhole, before, headers })
  reader.next = await next
  // Old state is not known to every node.
  const at = to < head.number - WINDOW_BLOCKS ? 'latest' : numberToHex(to)
  const created = await findCreated(reader, creations, safes, at)
  const fresh = created.filter(({ createdBlock }) => createdBlock !== null)
  const added = new Set(fresh.map(({ address }) => address))
  const all = added.size === 0 ? safes : new Set([...safes, ...added])
  const more =
    added.size === 0
      ? null
      : (await readLinkedLogs(reader, { range, safes: added, isDiscovering: false, before, headers })).own
  const logs = merge(own.logs, creations, more?.logs ?? [])
  if (safes.size > 0 || isWhole) size.accepted(to - from + 1, logs.length)
  const told = await creationReader.readCreations(logs, all)
  const about = logs.filter((log) => told.has(log) || all.has(log.address) || isTransfer(log))
  const times = await readTimes(reader, about, headers)
  const { executions, moduleCalls } = await readCalls(reader, about, fresh, headers)
  const entries = decodeEntries(about, all, executions, told, moduleCalls)
  tokens.add(entries)
  return {
    from,
    last,
    created,
    facts: {
      chainId,
      entries,
      executions: [...executions.values()],
      times,
      ofNamedTokens: own.isOfNamedTokens || more?.isOfNamedTokens ? { from, to } : null,
      headers: open.map((number) => ({ blockNumber: number, blockHash: headers.get(number)?.hash ?? zeroHash })),
    },
  }
}

/** Reads the headers that a range is checked by: of its blocks that may still change, or of its last one, and of the one after. */
async function readHeaders(
  { chain, next }: Reader,
  open: readonly number[],
  to: number,
  after: Range['after'],
): Promise<Map<number, Block>> {
  if (open.length === 0 && !after && next?.number === to) return new Map([[to, next]])
  return readBlocks(chain.request, [...(open.length > 0 ? open : [to]), ...(after ? [to + 1] : [])])
}

/** Reads the logs of Safes, and creations while discovering; throws if they are of another chain than the headers. */
async function readLinkedLogs(
  { chain, tokens }: Reader,
  {
    range,
    safes,
    isDiscovering,
    before,
    headers,
  }: {
    range: { fromBlock: number; toBlock: number; toHash: Hex }
    safes: ReadonlySet<Hex>
    isDiscovering: boolean
    before: Range['before']
    headers: ReadonlyMap<number, Block>
  },
) {
  const needsAddress = chain.limits().every(({ limits }) => limits.some(({ kind }) => kind === 'log-address'))
  const [own, creations, first] = await Promise.all([
    safes.size === 0
      ? { logs: [], isOfNamedTokens: false }
      : readLogs(chain.requestLogs, { safes, topics, ...range }, { tokens: tokens.list, needsAddress }),
    isDiscovering ? readCreationLogs(chain.requestLogs, range, needsAddress) : [],
    isKnown(before) ? readBlock(chain.request, before.blockNumber) : null,
  ])
  // Far below the head blocks are not linked one by one: whoever has the range has what came before it, too.
  if (isKnown(before) && first?.hash !== before.blockHash) throw changed(before.blockNumber)
  for (const { blockNumber, blockHash } of [...own.logs, ...creations])
    if ((headers.get(blockNumber)?.hash ?? blockHash) !== blockHash) throw changed(blockNumber)
  return { own, creations }
}

/** Tokens to name. Those of the history are read once; from then on each range adds what it told of. */
type NamedTokens = { list: () => Promise<Hex[]>; add: (entries: Facts['entries']) => void }

function createNamedTokens({
  chain,
  db,
  whenWritten,
}: {
  chain: Chain
  db: Database
  whenWritten: () => Promise<void>
}): NamedTokens {
  const { chainId, tokens = [] } = chain.settings
  const listed = tokens.map(({ address }) => lowerCase(address))
  const moved = new Set<Hex>()
  let known: Promise<void> | null = null

  function add(token: Address | null | undefined): void {
    if (token && moved.size < MAX_TOKENS) moved.add(lowerCase(token))
  }

  async function read(): Promise<void> {
    await whenWritten()
    const rows = await db
      .selectDistinct({ token: historyEntry.token })
      .from(historyEntry)
      .where(and(eq(historyEntry.chainId, chainId), isNotNull(historyEntry.token)))
      .limit(MAX_TOKENS)
    for (const { token } of rows) add(token)
  }

  return {
    async list() {
      known ??= read()
      await known.catch((error: unknown) => {
        known = null
        throw error
      })
      const first = [...moved]
      // Neither a long list of the operator nor many tokens that strangers sent keep all of the others out.
      const some = [...listed.slice(0, MAX_TOKENS / 2), ...first.slice(0, MAX_TOKENS / 2)]
      return [...new Set([...some, ...listed, ...first])].slice(0, MAX_TOKENS)
    },
    add(entries) {
      // Before the first of these is asked for, all of them are in the database.
      if (known) for (const { token } of entries) add(token)
    },
  }
}

async function readTimes(
  reader: Reader,
  logs: readonly Log[],
  headers: ReadonlyMap<number, Block>,
): Promise<Map<number, Date>> {
  const { chain } = reader
  const seconds = new Map<number, number>()
  for (const { number, timestamp } of headers.values()) seconds.set(number, timestamp)
  for (const { blockNumber, blockTimestamp } of logs)
    if (blockTimestamp !== null) seconds.set(blockNumber, blockTimestamp)
  const missing = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((number) => !seconds.has(number))
  const blocks = await readBlocks(chain.request, missing)
  for (const log of logs) {
    const block = blocks.get(log.blockNumber)
    if (block && block.hash !== log.blockHash) throw changed(log.blockNumber)
  }
  for (const { number, timestamp } of blocks.values()) seconds.set(number, timestamp)
  return new Map([...seconds].map(([number, time]) => [number, blockTime(time)]))
}

/** Safes that the range is the first to tell of. */
async function findCreated(
  reader: Reader,
  logs: readonly Log[],
  safes: ReadonlySet<Hex>,
  at: Hex | 'latest',
): Promise<NewSafe[]> {
  const { creationReader } = reader
  if (logs.length === 0) return []
  const found = await creationReader.findSafes(logs, (address) => safes.has(address), at)
  if (found.length === 0) return []
  const known = await findKnown(
    reader,
    found.map(({ address }) => address),
  )
  return found.filter(({ address }) => !known.has(address))
}

/** Reads the calls that owners and modules had Safes execute, by log. */
async function readCalls(
  reader: Reader,
  logs: readonly Log[],
  fresh: readonly NewSafe[],
  headers: ReadonlyMap<number, Block>,
): Promise<{ executions: Map<Log, Execution>; moduleCalls: Map<Log, ModuleCall> }> {
  const { chain, chainId, readThreshold } = reader
  const executions = new Map<Log, Execution>()
  const moduleCalls = new Map<Log, ModuleCall>()
  const executed = logs.filter((log) => isExecution(log) || isModuleExecution(log))
  if (executed.length === 0) return { executions, moduleCalls }
  const known: Map<Hex, KnownSafe> = await findKnown(reader, [...new Set(executed.map(({ address }) => address))])
  for (const { address, version, threshold } of fresh)
    known.set(address, { chainId, address: getAddress(address), version, domainVersion: version, threshold })
  const groups = new Map<string, Log[]>()
  for (const log of logs) {
    const group = `${log.transactionHash}/${log.address}`
    const others = groups.get(group)
    if (others) others.push(log)
    else if (known.has(log.address)) groups.set(group, [log])
  }
  const changes = decodeThresholdChanges(logs)
  // The modules of mere imitations of a Safe are not read.
  const isBare = (group: readonly Log[]) =>
    (known.get(group[0]?.address ?? '0x')?.version ?? null) !== null && hasBareModuleExecution(group)
  // Calldata may be long: of a few at a time. While these are worked on, the next are asked for.
  const parts = [...inGroups([...groups.values()].filter((group) => group.some(isExecution) || isBare(group)))]
  let asked = readEthereumTransactions(reader, parts[0])
  for (const [index, some] of parts.entries()) {
    const calls = await asked
    asked = readEthereumTransactions(reader, parts[index + 1])
    asked.catch(() => {})
    await Promise.all(
      some.map(async (group, at) => {
        const owner = group[0] && known.get(group[0].address)
        const read = calls[at]
        if (!owner || !read) return
        const readInner = () => readInnerCalls(chain.ask, read.call.hash, lowerCase(owner.address))
        const readBegin = (log: Log, after: number) =>
          readThreshold(beginOf(owner, log, after, changes.get(log.address) ?? [], headers))
        const executed = { logs: group, safe: owner, ...read, readInner, readThreshold: readBegin }
        for (const [log, execution] of await readSafeExecutions(chain.request, executed)) executions.set(log, execution)
        if (!isBare(group)) return
        for (const [log, moduleCall] of await readModuleCalls(chain.ask, group, read.call))
          moduleCalls.set(log, moduleCall)
      }),
    )
  }
  return { executions, moduleCalls }
}

function readEthereumTransactions(
  reader: Reader,
  groups: readonly Log[][] = [],
): Promise<{ call: EthereumTransaction; cost: Cost | null }[]> {
  const { chain } = reader
  return Promise.all(
    groups.flatMap(([first]) => {
      if (!first) return []
      const call = readEthereumTransaction(chain.request, first.transactionHash)
      const cost = readCost(chain.request, first.transactionHash)
      return [Promise.all([call, cost]).then(([call, cost]) => ({ call, cost }))]
    }),
  )
}

async function findKnown(reader: Reader, addresses: readonly Hex[]) {
  const { chainId, db } = reader
  const list = sql.param(addresses.map((address) => Buffer.from(address.slice(2), 'hex')))
  const rows = await db
    .select()
    .from(safe)
    .where(and(eq(safe.chainId, chainId), sql`${safe.address} = any(${list}::bytea[])`))
  return new Map(rows.map((row) => [lowerCase(row.address), row]))
}

/** Where an execution began: after what its Safe logged in earlier Ethereum transactions, and up to a place in its own. */
function beginOf(
  { address }: KnownSafe,
  { blockNumber, logIndex, transactionHash }: Log,
  after: number,
  changes: readonly ThresholdChange[],
  headers: ReadonlyMap<number, Block>,
) {
  const isBefore = (change: ThresholdChange) =>
    change.blockNumber < blockNumber ||
    (change.blockNumber === blockNumber &&
      change.logIndex < logIndex &&
      (change.transactionHash !== transactionHash || change.logIndex <= after))
  const block = headers.get(blockNumber)
  return {
    address,
    blockNumber,
    parentHash: block?.parentHash ?? null,
    blockHash: block?.hash ?? null,
    before: changes.filter(isBefore),
    isChangedLater: changes.some((change) => change.blockNumber === blockNumber && !isBefore(change)),
  }
}

function logQuery(from: number, to: number) {
  return { method: 'eth_getLogs', params: [{ fromBlock: numberToHex(from), toBlock: numberToHex(to) }] }
}

function* inGroups<item>(items: readonly item[]): Generator<item[]> {
  for (let at = 0; at < items.length; at += CALLS_AT_ONCE) yield items.slice(at, at + CALLS_AT_ONCE)
}

/** In the order of the chain, each once. */
function merge(...lists: readonly Log[][]): Log[] {
  const found = new Map<string, Log>()
  for (const log of lists.flat()) found.set(`${log.blockNumber}/${log.logIndex}`, log)
  return inOrder([...found.values()])
}

/** Not so after a rebuild. */
function isKnown(before: Cursor | null): before is Cursor {
  return before !== null && before.blockHash !== zeroHash
}

/** Each block names the one before it. */
function assertLinked(headers: ReadonlyMap<number, Block>, before: Cursor | null): void {
  for (const { number, parentHash } of headers.values()) {
    const parent = headers.get(number - 1)?.hash ?? (before?.blockNumber === number - 1 ? before.blockHash : null)
    if (parent !== null && parent !== parentHash && parent !== zeroHash) throw changed(number)
  }
}
