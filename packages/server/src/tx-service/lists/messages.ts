import { encodeContractSignature, encodeSignatures } from '@countersign/safe'
import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getAddress, type Hex } from 'viem'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { safe } from '../../db/schema.ts'
import { safeMessage as message, type messageConfirmation } from '../../db/team-schema.ts'
import { messageWeight } from '../../features/messages/queries.ts'
import { isDeeperThan, MAX_JSON_DEPTH } from '../../http/json-depth.ts'
import { notFound } from '../wire/answers.ts'
import { parseOrdering, pathAddress, pathHash } from '../wire/fields.ts'
import { MAX_COUNTED, parseWindow, toPage, type Window } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { orNull, toDate, toOrigin } from '../wire/values.ts'
import { isMember } from '../wire/visibility.ts'

/** Messages that a Safe signs off the chain: the team's alone. */
export function messageRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/messages', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const window = parseWindow(call)
    const where = eq(message.safeAddress, safeAddress)
    const usual = { name: 'created', isDescending: true } as const
    const { name, isDescending } = parseOrdering(call, ['created', 'modified'], usual)
    const order = orders[name][isDescending ? 'newest' : 'oldest']
    const rows = await selectPage(call, where, order, window)
    const [alone] =
      rows.length > 0
        ? rows
        : await call.deps.db.select({ count: count(call, where) }).from(sql`(values (1)) as nothing`)
    return toPage(call, window, { rows, count: alone?.count ?? 0, shown: shownOf(rows, window.limit) }, toMessage)
  })
  read('GET', '/v1/messages/{messageHash}', async (call) => {
    const [row] = await select(call, eq(message.safeMessageHash, pathHash(call, 'messageHash')))
    return row ? toMessage(row) : notFound('SafeMessage')
  })
}

type StoredConfirmation = {
  owner: Hex
  signature: Hex
  type: (typeof messageConfirmation.$inferSelect)['signatureType']
  at: string
}

/** Each as an index has it, forwards or backwards. */
const orders = {
  created: {
    oldest: [sql`${message.submissionDate}`, sql`${message.safeMessageHash}`],
    newest: [sql`${message.submissionDate} desc`, sql`${message.safeMessageHash} desc`],
  },
  modified: {
    oldest: [sql`${message.modifiedDate}`, sql`${message.safeMessageHash}`],
    newest: [sql`${message.modifiedDate} desc`, sql`${message.safeMessageHash} desc`],
  },
}

const confirmations = sql<StoredConfirmation[]>`(
  select coalesce(json_agg(json_build_object(
    'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
    'type', c.signature_type, 'at', c.submission_date) order by c.submission_date, c.owner), '[]')
  from message_confirmation c
  where c.chain_id = ${message.chainId} and c.message_hash = ${message.safeMessageHash} and c.owner = any(${safe.owners}))`

const isOfSafe = and(eq(safe.chainId, message.chainId), eq(safe.address, message.safeAddress))

function isVisibleRow(call: Call, which: SQL): SQL | undefined {
  return and(eq(message.chainId, call.chainId), which, isMember(call))
}

/** Read in the order of the index: without it the whole table may be read, of all Safes. */
function count(call: Call, which: SQL): SQL<number> {
  const matching = call.deps.db
    .select({ one: sql`1` })
    .from(message)
    .innerJoin(safe, isOfSafe)
    .where(isVisibleRow(call, which))
    .orderBy(...orders.created.newest)
    .limit(MAX_COUNTED)
  return sql<number>`(select count(*)::int from (${matching}) matching)`
}

function select(call: Call, which: SQL) {
  return call.deps.db
    .select({
      ...getTableColumns(message),
      confirmations,
    })
    .from(message)
    .innerJoin(safe, isOfSafe)
    .where(isVisibleRow(call, which))
}

/** The rows of a page; what does not fit is not read. */
function selectPage(call: Call, which: SQL, order: readonly SQL[], { limit, offset }: Window) {
  const { db } = call.deps
  const page = db
    .select(getTableColumns(message))
    .from(message)
    .innerJoin(safe, isOfSafe)
    .where(isVisibleRow(call, which))
    .orderBy(...order)
    .limit(limit + 1)
    .offset(offset)
    .as(getTableName(message))
  const fits = fitsPage(messageWeight, order)
  return db
    .select({
      ...getTableColumns(message),
      content: sql<string>`case when ${fits} then ${message.content} end`,
      confirmations: sql<StoredConfirmation[]>`case when ${fits} then ${confirmations} else '[]' end`,
      count: count(call, which),
      fits,
    })
    .from(page)
    .innerJoin(safe, isOfSafe)
    .orderBy(...order)
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

/** Returns a message as it came, its own keys untouched; as text where it is no JSON that can be written again. */
function parseContent(content: string): unknown {
  if (isDeeperThan(content, MAX_JSON_DEPTH)) return content
  return orNull<unknown>(() => JSON.parse(content)) ?? content
}

function toMessage(row: Row) {
  const confirmations = row.confirmations.map(({ owner, ...rest }) => ({ owner: getAddress(owner), ...rest }))
  const prepared = confirmations.length > 0 ? orNull(() => encodeSignatures(confirmations)) : null
  return {
    created: toDate(row.submissionDate),
    modified: toDate(row.modifiedDate),
    safe: row.safeAddress,
    messageHash: row.safeMessageHash,
    message: parseContent(row.content),
    proposedBy: row.proposer,
    safeAppId: row.safeAppId,
    confirmations: confirmations.map(({ owner, signature, type, at }) => ({
      created: toDate(new Date(at)),
      modified: toDate(new Date(at)),
      owner,
      signature,
      signatureType: type,
    })),
    preparedSignature: prepared,
    preparedSignatureEip1271: prepared && orNull(() => encodeContractSignature(row.safeAddress, prepared)),
    origin: toOrigin(row.origin),
  }
}
