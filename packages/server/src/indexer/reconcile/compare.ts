import { hashSafeTx, safeAbi } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { encodeFunctionData, type Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import type { safe } from '../../db/schema.ts'
import type { Chain } from '../../rpc/clients.ts'
import { isRefusal } from '../../rpc/errors.ts'
import { changed, lowerCase, readCost } from '../../rpc/logs.ts'
import type { AskAt } from '../../rpc/state-at.ts'
import { yieldToEventLoop } from '../../rpc/yield-to-event-loop.ts'
import { blockTime } from '../block-time.ts'
import type { Lease } from '../lease.ts'
import { candidatesFromCalldata, type Execution } from '../read/executions.ts'
import { decodeExecuted, type Entry } from '../read/facts.ts'
import {
  type BlockTransactions,
  isSuccessful,
  readInnerCallsOfBlock,
  readMoves,
  readTransactions,
} from '../read/moves.ts'
import { confirmationsOf, type Owners, readOwnersAround } from '../read/signers.ts'
import type { ReadThreshold } from '../read/thresholds.ts'
import { applyFacts, findHeader } from '../write/apply.ts'
import type { Quantities } from './quantities.ts'

/** Steps of one round; the next round goes on from there. */
const STEPS = 20
/** Places after every log of a block, for what only the comparison found. */
const AFTER_LOGS = 1_000_000
const UNEXPLAINED = 2_000_000
const PARTS_PER_EXECUTION = 1_000_000
const MAX_EXECUTIONS = 200n
/** Hashes of one block whose signatures are looked at: whoever imitates a Safe could have any number made up. */
const MAX_TRIES = 5_000

export type Row = typeof safe.$inferSelect
export type Quantity = 'balance' | 'nonce'

/** A contract's answer that is no number: its own trouble, not the node's. */
export class NotANumberError extends Error {}

export type Context = {
  chain: Chain
  db: Database
  clock: () => Date
  lease: Lease
  askAt: AskAt
  readThreshold: ReadThreshold
  /** Hashes of the followed blocks that a reorganisation may still replace. */
  hashes: ReadonlyMap<number, Hex>
}

/**
 * Compares what the history says with what the chain says: a Safe's balance of the native coin, and its nonce. Where
 * they differ, the block is looked for and its transactions are read: executions of 1.0.0 leave no log, nor does coin that
 * reaches an old Safe, or that a contract moves from inside. What still has no cause becomes an entry of its own: never
 * silence, never a guess.
 *
 * @returns null when there is more to explain than one round has time for
 */
export async function compareSafe(context: Context, row: Row, head: number): Promise<Quantities | null> {
  const [balance, nonce] = await Promise.all([
    readQuantity(context, row, 'balance', head),
    readQuantity(context, row, 'nonce', head),
  ])
  const base = await readBase(context, row)
  if (base) {
    // Executions move coin: they come first.
    if (!(await explainChanges(context, row, { quantity: 'nonce', from: base.block, value: base.nonce, head })))
      return null
    if (!(await explainChanges(context, row, { quantity: 'balance', from: base.block, value: base.balance, head })))
      return null
  }
  return { balance, nonce }
}

/** Where the comparison begins; null when what came before cannot be known: the present is the beginning then. */
async function readBase(context: Context, row: Row): Promise<{ block: number; balance: bigint; nonce: bigint } | null> {
  if (row.comparedBlock !== null && row.comparedBalance !== null && row.comparedNonce !== null)
    return { block: row.comparedBlock, balance: row.comparedBalance, nonce: row.comparedNonce }
  const start = (context.chain.settings.startBlock ?? 0) - 1
  // After blocks were undone it goes on from the last that stayed, whose state every node still has.
  for (const block of [row.comparedBlock ?? start, start]) {
    if (block < 0) return { block: -1, balance: 0n, nonce: 0n }
    try {
      const [balance, nonce] = await Promise.all([
        readQuantity(context, row, 'balance', block),
        readQuantity(context, row, 'nonce', block),
      ])
      return { block, balance, nonce }
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return null
}

/** @returns whether everything up to the head is explained, or said to be unexplained */
async function explainChanges(
  context: Context,
  row: Row,
  { quantity, from, value, head }: { quantity: Quantity; from: number; value: bigint; head: number },
): Promise<boolean> {
  const { chain, db, lease } = context
  let last = -1
  for (let step = 0; step < STEPS; step += 1) {
    const changes = await findChanges(db, row, quantity, from)
    const expected = (block: number) =>
      value + changes.reduce((sum, change) => (change.block <= block ? sum + change.change : sum), 0n)
    if ((await readQuantity(context, row, quantity, head)) === expected(head)) return true
    const { after, block } = await findBlock(context, row, { quantity, from, head, expected })
    const found = await readTransactions(chain.request, block)
    // Causes that were found here before and did not explain it are none.
    const isExact = after === block - 1 && block !== last
    last = block
    const facts = isExact ? await findCauses(context, row, quantity, found) : { entries: [], executions: [] }
    if (facts.entries.length === 0) {
      const change = (await readQuantity(context, row, quantity, block)) - expected(block)
      facts.entries.push(unexplained(row, quantity, { after, block, change }))
    }
    const times = new Map([[block, blockTime(found.timestamp)]])
    const { chainId } = row
    await lease.write(async (tx, log) => {
      // One of several nodes may be on a branch that is not followed: what it says belongs to no history.
      const kept = await findHeader(tx, chainId, block)
      if (kept !== null && kept !== found.hash) throw changed(block)
      await applyFacts(tx, log, { chainId, ...facts, times, headers: [], ofNamedTokens: null })
    })
  }
  return false
}

/** The first block, as far as the node knows old state, after which the chain and the history differ. */
export async function findBlock(
  context: Context,
  row: Row,
  {
    quantity,
    from,
    head,
    expected,
  }: { quantity: Quantity; from: number; head: number; expected: (block: number) => bigint },
): Promise<{ after: number; block: number }> {
  let after = from
  let block = head
  try {
    while (block - after > 1) {
      const middle = Math.floor((after + block) / 2)
      if ((await readQuantity(context, row, quantity, middle)) === expected(middle)) after = middle
      else block = middle
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  return { after, block }
}

export type Change = { block: number; change: bigint }

/** How the history says that the quantity changed after a block. */
export async function findChanges(
  db: Database,
  { chainId, address }: Row,
  quantity: Quantity,
  after: number,
): Promise<Change[]> {
  const change =
    quantity === 'balance'
      ? sql`sum(case when kind in ('transfer-in', 'unexplained-in') then amount else -amount end)`
      : sql`sum(case when kind = 'executed' then 1 else amount end)`
  const which = quantity === 'balance' ? sql`token_kind = 'native'` : sql`kind in ('executed', 'unexplained-nonce')`
  const { rows } = await db.execute<{ block: string; change: string }>(sql`
    select block_number::text as block, ${change}::text as change from history_entry
    where chain_id = ${chainId} and safe_address = decode(${address.slice(2)}, 'hex')
      and block_number > ${after} and ${which}
    group by block_number`)
  return rows.map((row) => ({ block: Number(row.block), change: BigInt(row.change) }))
}

export async function readQuantity(
  { chain, askAt, hashes }: Context,
  { address }: Row,
  quantity: Quantity,
  blockNumber: number,
): Promise<bigint> {
  if (blockNumber < 0) return 0n
  const nonce = encodeFunctionData({ abi: safeAbi, functionName: 'nonce' })
  const answer = await askAt({ blockNumber, blockHash: hashes.get(blockNumber) ?? null }, (block) =>
    quantity === 'balance'
      ? chain.request({ method: 'eth_getBalance', params: [address, block] })
      : chain.request({ method: 'eth_call', params: [{ to: address, data: nonce }, block] }),
  )
  // Before the Safe was created nothing answers.
  if (answer === '0x') return 0n
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)) return BigInt(answer)
  throw new NotANumberError(`The ${quantity} of ${address} is no number.`)
}

export type Causes = { entries: Entry[]; executions: Execution[] }

export function findCauses(context: Context, row: Row, quantity: Quantity, block: BlockTransactions): Promise<Causes> {
  return quantity === 'balance' ? findTransfers(context, row, block) : findExecutions(context, row, block)
}

/** Moves of coin in a block that no entry tells of. */
async function findTransfers({ chain, db }: Context, row: Row, block: BlockTransactions): Promise<Causes> {
  const account = lowerCase(row.address)
  const { rows } = await db.execute<{ key: string }>(sql`
    select encode(transaction_hash, 'hex') || kind || encode(counterparty, 'hex') || amount as key from history_entry
    where chain_id = ${row.chainId} and safe_address = decode(${row.address.slice(2)}, 'hex')
      and block_number = ${block.number} and token_kind = 'native' and kind in ('transfer-in', 'transfer-out')`)
  const known = rows.map(({ key }) => key)
  const entries: Entry[] = []
  for (const [at, move] of (await readMoves(chain, block, account)).entries()) {
    const sides = [
      ...(move.from === account ? [{ kind: 'transfer-out', counterparty: move.to } as const] : []),
      ...(move.to === account ? [{ kind: 'transfer-in', counterparty: move.from } as const] : []),
    ]
    for (const [side, { kind, counterparty }] of sides.entries()) {
      const place = known.indexOf(`${move.transactionHash.slice(2)}${kind}${counterparty.slice(2)}${move.value}`)
      if (place >= 0) known.splice(place, 1)
      else
        entries.push({
          safeAddress: account,
          blockNumber: block.number,
          logIndex: AFTER_LOGS + move.transactionIndex,
          part: 10_000 + 2 * at + side,
          kind,
          transactionHash: move.transactionHash,
          tokenKind: 'native',
          counterparty,
          amount: move.value,
        })
    }
  }
  return { entries, executions: [] }
}

/**
 * Executions in a block that no log tells of. The hash of each candidate is computed with the nonces that were used up;
 * it is the one when owners of the Safe signed that hash.
 */
async function findExecutions(context: Context, row: Row, block: BlockTransactions): Promise<Causes> {
  const before = await readQuantity(context, row, 'nonce', block.number - 1)
  const after = await readQuantity(context, row, 'nonce', block.number)
  const facts: Causes = { entries: [], executions: [] }
  // No Safe executes so many in one block; a contract that imitates one may say any number.
  if (after - before > MAX_EXECUTIONS) return facts
  const used = new Set<bigint>()
  let tries = 0
  let owners: Owners | undefined
  const places = new Map<Hex, number>()
  for (const transaction of block.transactions) await search(transaction, transaction.input)
  // Only a trace shows calls that a contract made up on the way.
  if (BigInt(used.size) < after - before) {
    const inner = await readInnerCallsOfBlock(context.chain.ask, block.number, lowerCase(row.address))
    for (const transaction of block.transactions)
      for (const input of (inner.get(transaction.hash) ?? []).slice(0, Number(MAX_EXECUTIONS)))
        await search(transaction, input)
  }
  return facts

  /** Events of 1.0.0, and those that a delegatecall hid, do not tell where in an Ethereum transaction they began. */
  async function thresholdOf(hash: Hex, transactionIndex: number): Promise<number | null> {
    const { rows } = await context.db.execute<{ hash: string; threshold: number }>(sql`
      select encode(transaction_hash, 'hex') as hash, threshold from history_entry
      where chain_id = ${row.chainId} and safe_address = ${toBytes(row.address)} and block_number = ${block.number}
        and kind in ('created', 'threshold-changed') and threshold > 0 order by log_index, part`)
    const indices = new Map(block.transactions.map((transaction) => [transaction.hash, transaction.transactionIndex]))
    const indexOf = (transaction: { hash: string }) => indices.get(`0x${transaction.hash}`) ?? -1
    const isInside = rows.some((row) => indexOf(row) === transactionIndex)
    if (isInside && (places.get(hash) ?? 0) > 0) return null
    return context.readThreshold({
      address: row.address,
      blockNumber: block.number,
      blockHash: block.hash,
      parentHash: context.hashes.get(block.number - 1) ?? null,
      before: rows
        .filter((row) => indexOf(row) < transactionIndex)
        .map(({ threshold }) => ({ blockNumber: block.number, threshold })),
      isChangedLater: rows.some((row) => indexOf(row) >= transactionIndex),
    })
  }

  async function search({ hash, transactionIndex, from }: BlockTransactions['transactions'][number], input: Hex) {
    for await (const candidate of candidatesFromCalldata(input))
      for (let nonce = before; nonce < after; nonce += 1n) {
        if (used.has(nonce)) continue
        tries += 1
        if (tries > MAX_TRIES) return
        await yieldToEventLoop()
        const { chainId, address: safeAddress, domainVersion: version } = row
        const safeTx = { ...candidate.safeTx, nonce }
        const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
        const signed = await confirmationsOf(safeTxHash, candidate.signatures, row.threshold)
        if (signed.length > 0) owners ??= await readOwnersAround(context.chain.request, row.address, block.number)
        const byOwners = signed.filter(({ owner }) => owners?.addresses.has(owner))
        const isSigned = byOwners.some(({ signatureType }) => signatureType === 'EOA' || signatureType === 'ETH_SIGN')
        // An earlier transaction of that kind may have failed.
        if (!isSigned || !(await isSuccessful(context.chain.request, hash))) continue
        used.add(nonce)
        const threshold = await thresholdOf(hash, transactionIndex)
        const log = {
          address: lowerCase(row.address),
          topics: [],
          data: '0x' as const,
          blockNumber: block.number,
          blockHash: block.hash,
          transactionHash: hash,
          logIndex: AFTER_LOGS + transactionIndex,
          blockTimestamp: block.timestamp,
        }
        const execution: Execution = {
          log,
          executor: from,
          safeTxHash,
          isSuccessful: true,
          payment: null,
          safeTx,
          confirmations: (threshold === null || threshold === row.threshold
            ? signed
            : await confirmationsOf(safeTxHash, candidate.signatures, threshold)
          ).filter(({ owner }) => !owners?.isOfBlock || owners.addresses.has(owner)),
          signatures: candidate.signatures,
          cost: await readCost(context.chain.request, hash),
          feeCaps: null,
          threshold,
          isProven: true,
        }
        facts.executions.push(execution)
        // Several may come with one Ethereum transaction.
        const place = places.get(hash) ?? 0
        places.set(hash, place + 1)
        const first = PARTS_PER_EXECUTION * place
        facts.entries.push(...decodeExecuted(log, execution).map((entry) => ({ ...entry, part: first + entry.part })))
      }
  }
}

export function unexplained(
  row: Row,
  quantity: Quantity,
  { after, block, change }: { after: number; block: number; change: bigint },
): Entry {
  const isNonce = quantity === 'nonce'
  return {
    safeAddress: lowerCase(row.address),
    blockNumber: block,
    afterBlock: after,
    logIndex: UNEXPLAINED,
    part: isNonce ? 0 : 1,
    kind: isNonce ? 'unexplained-nonce' : change > 0n ? 'unexplained-in' : 'unexplained-out',
    transactionHash: null,
    ...(isNonce ? {} : { tokenKind: 'native' }),
    amount: isNonce || change > 0n ? change : -change,
  }
}
