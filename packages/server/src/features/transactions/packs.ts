import {
  type AttachedPack,
  type attachPack as attachEndpoint,
  fail,
  type getPack as getEndpoint,
  type Input,
  type listPacks as listEndpoint,
  type Reply,
  type removePack as removeEndpoint,
} from '@countersign/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import { type Address, type Hex, stringToBytes } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { multisigTransaction, safe } from '../../db/schema.ts'
import { proposalPack as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { notAnOwner, requireOwnerOrProposer, requireSharedSafe } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { hashInSlices } from '../../workload/hash-bytes.ts'
import { transactionNotFound } from './access.ts'
import { executed } from './store-proposal.ts'

/** Packs of one account on one proposal. */
const MAX_PACKS = 3
/** Room of one owner on the open proposals of a Safe; all who are no owners share as much. */
const OPEN = { packs: 60, bytes: 8 * 1024 * 1024 }
/** Bytes of one account on proposals of all Safes that are not executed, executable still or not. */
const BYTES_IN_ALL = 32 * 1024 * 1024
const MAX_PAGE = 100
/** JSON characters around the text of a pack, and the most for one byte of it: `\u0041` is an A. */
const JSON_AROUND = 11
const JSON_PER_BYTE = 6

type Subject = { chainId: number; safeAddress: Address; safeTxHash: Hex }

const fields = {
  id: table.id,
  author: table.author,
  packHash: table.packHash,
  // How long it is can be told without reading it.
  bytes: sql`octet_length(${table.text})`.mapWith(Number),
  attachedAt: table.attachedAt,
}

/** Finds the proof packs of a transaction, oldest first, for the team. */
export async function findPacks(
  ctx: SignedInCtx,
  { cursor, ...subject }: Subject & { cursor?: string | undefined },
): Promise<Reply<typeof listEndpoint>> {
  const [after] = decodeKeyset(cursor, [/^\d{1,18}$/])
  const rows = await ctx.db
    .select(fields)
    .from(table)
    .where(and(isOf(subject), isMemberOf(ctx, table), cursor ? gt(table.id, BigInt(after ?? 0)) : undefined))
    .orderBy(table.id)
    .limit(MAX_PAGE + 1)
  const last = rows.length > MAX_PAGE ? rows[MAX_PAGE - 1] : undefined
  return { packs: rows.slice(0, MAX_PAGE).map(toPack), nextCursor: last ? encodeKeyset([last.id]) : null }
}

/**
 * Gives the content of one proof pack, for the team.
 *
 * @throws CountersignError `TRANSACTION_NOT_FOUND` where there is none with that id
 */
export async function getPack(
  ctx: SignedInCtx,
  { chainId, safeAddress, safeTxHash, id }: Input<typeof getEndpoint>,
): Promise<Reply<typeof getEndpoint>> {
  await requireSharedSafe(ctx, chainId, safeAddress)
  const [found] = await ctx.db
    .select({ author: table.author, text: table.text })
    .from(table)
    .where(and(isOf({ chainId, safeAddress, safeTxHash }), eq(table.id, BigInt(id)), isMemberOf(ctx, table)))
  if (found) return found
  throw transactionNotFound(chainId, safeTxHash)
}

/**
 * Refuses a proof pack that will not be stored whatever it contains, because of its account, its transaction or its length.
 *
 * @param length of the JSON that contains it; null if not stated
 * @throws CountersignError as `attachPack`
 */
export async function refusePack(
  ctx: SignedInCtx,
  { chainId, safeAddress, safeTxHash }: Subject,
  length: number | null,
): Promise<void> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const author = ctx.viewer.address
  const subject = { chainId, safeAddress, safeTxHash }
  const longest = length ?? Number.POSITIVE_INFINITY
  const least = Math.floor(Math.max(0, (length ?? 0) - JSON_AROUND) / JSON_PER_BYTE)
  const safeNonce = await requireOpen(ctx.db, subject, 'look')
  const own = await ctx.db
    .select(fields)
    .from(table)
    .where(and(isOf(subject), eq(table.author, author)))
  // A pack that may already be stored is received, because only its content can show that.
  if (own.some(({ bytes }) => bytes >= least && bytes <= longest)) return
  if (own.length >= MAX_PACKS) throw fail('TOO_MANY', { reason: 'packs', limit: MAX_PACKS })
  await requireRoom(ctx.db, { ...subject, author, isOwners: role === 'owner', safeNonce, added: least }, 'look')
}

/**
 * Attaches a proof pack to a proposal that can still be executed. Its content is for the pages of the team to check: here
 * it is a text.
 *
 * @throws CountersignError `TRANSACTION_NOT_FOUND`, `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `TOO_MANY`
 */
export async function attachPack(
  ctx: SignedInCtx,
  { chainId, safeAddress, safeTxHash, text }: Input<typeof attachEndpoint>,
): Promise<AttachedPack> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const author = ctx.viewer.address
  const attachedAt = ctx.clock()
  const subject = { chainId, safeAddress, safeTxHash }
  const bytes = stringToBytes(text)
  const packHash = await hashInSlices(ctx.work, bytes)
  return write(ctx, null, async (tx, log) => {
    const safeNonce = await requireOpen(tx, subject)
    const own = await tx
      .select(fields)
      .from(table)
      .where(and(isOf(subject), eq(table.author, author)))
    const same = own.find((pack) => pack.packHash === packHash)
    if (same) return toPack(same)
    if (own.length >= MAX_PACKS) throw fail('TOO_MANY', { reason: 'packs', limit: MAX_PACKS })
    await requireRoom(tx, { ...subject, author, isOwners: role === 'owner', safeNonce, added: bytes.length })
    const [added] = await tx
      .insert(table)
      .values({ ...subject, author, packHash, text, attachedAt })
      .returning({ id: table.id })
    if (!added) throw fail('INTERNAL', { reason: 'pack' })
    log.add({ verb: 'attached-pack', account: author, ...subject, detail: { packHash } })
    return toPack({ ...added, author, packHash, bytes: bytes.length, attachedAt })
  })
}

/**
 * Removes a proof pack: an owner may remove any, a proposer their own. The log keeps its hash.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_A_MEMBER`, `NOT_OWNER_OR_DELEGATE`, `NOT_AN_OWNER`
 */
export async function removePack(
  ctx: SignedInCtx,
  { chainId, safeAddress, safeTxHash, id }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  const subject = { chainId, safeAddress, safeTxHash }
  await write(ctx, null, async (tx, log) => {
    const [removed] = await tx
      .delete(table)
      .where(and(isOf(subject), eq(table.id, BigInt(id))))
      .returning({ author: table.author, packHash: table.packHash })
    if (!removed) return
    if (role !== 'owner' && removed.author !== account) throw notAnOwner(account, safeAddress)
    const { author, packHash } = removed
    log.add({ verb: 'removed-pack', account, ...subject, detail: { packHash, author } })
  })
}

/** Whether what is counted is held, so that of two packs at once the second counts the first; or looked at. */
type Manner = 'hold' | 'look'

/** Returns the nonce of the Safe. */
async function requireOpen(
  tx: Executor,
  { chainId, safeAddress, safeTxHash }: Subject,
  manner: Manner = 'hold',
): Promise<bigint> {
  const question = tx
    .select({
      isExecuted: multisigTransaction.isExecuted,
      transactionHash: multisigTransaction.transactionHash,
      nonce: multisigTransaction.nonce,
      safeNonce: safe.nonce,
    })
    .from(multisigTransaction)
    .innerJoin(safe, and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
    .where(
      and(
        eq(multisigTransaction.chainId, chainId),
        eq(multisigTransaction.safeTxHash, safeTxHash),
        eq(multisigTransaction.safeAddress, safeAddress),
      ),
    )
  const [found] = await (manner === 'hold' ? question.for('no key update', { of: multisigTransaction }) : question)
  if (!found) throw transactionNotFound(chainId, safeTxHash)
  const { isExecuted, transactionHash, nonce, safeNonce } = found
  if (isExecuted) throw executed({ safeTxHash, transactionHash })
  if (nonce === null || nonce < safeNonce)
    throw fail('NONCE_ALREADY_EXECUTED', { nonce: nonce ?? 0n, safeNonce, transactionHash: null })
  return safeNonce
}

type Wanted = Subject & { author: Address; isOwners: boolean; safeNonce: bigint; added: number }

/** Refuses what has no room. Each owner has room of their own; all who are no owners share some. */
async function requireRoom(
  tx: Executor,
  { chainId, safeAddress, author, isOwners, safeNonce, added }: Wanted,
  manner: Manner = 'hold',
): Promise<void> {
  if (manner === 'hold') await lockUntilCommit(tx, `packs ${author}`)
  if (manner === 'hold' && !isOwners) await lockUntilCommit(tx, `packs of others ${chainId} ${safeAddress}`)
  const by = sql`p.author = ${sql.param(toBytes(author))}`
  const place = sql.param(toBytes(safeAddress))
  const shares = isOwners
    ? by
    : sql`not exists (select from ${safe} where ${safe.chainId} = ${chainId} and ${safe.address} = ${place}
        and p.author = any(${safe.owners}))`
  const isOpen = sql`p.chain_id = ${chainId} and p.safe_address = ${place} and t.nonce >= ${String(safeNonce)}::numeric
    and ${shares}`
  const { rows } = await tx.execute<{ count: string; open: string; all: string }>(sql`
    select count(*) filter (where ${isOpen}) as count,
      coalesce(sum(octet_length(p.text)) filter (where ${isOpen}), 0) as open,
      coalesce(sum(octet_length(p.text)) filter (where ${by}), 0) as all
    from proposal_pack p
    join multisig_transaction t on t.chain_id = p.chain_id and t.safe_tx_hash = p.safe_tx_hash
    where not t.is_executed and (${by} or (p.chain_id = ${chainId} and p.safe_address = ${place}))`)
  const [row] = rows
  if (Number(row?.all ?? 0) + added > BYTES_IN_ALL)
    throw fail('TOO_MANY', { reason: 'pack-bytes-in-all', limit: BYTES_IN_ALL })
  const isFull = Number(row?.count ?? 0) >= OPEN.packs || Number(row?.open ?? 0) + added > OPEN.bytes
  if (isFull)
    throw fail('TOO_MANY', {
      reason: isOwners ? 'pack-bytes' : 'pack-bytes-of-others',
      limit: OPEN.packs,
      bytes: OPEN.bytes,
    })
}

function isOf({ chainId, safeAddress, safeTxHash }: Subject) {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.safeTxHash, safeTxHash))
}

type Row = { id: bigint; author: Address; packHash: Hex; bytes: number; attachedAt: Date }

function toPack({ id, attachedAt, ...rest }: Row): AttachedPack {
  return { id: id.toString(), ...rest, attachedAt: attachedAt.toISOString() }
}
