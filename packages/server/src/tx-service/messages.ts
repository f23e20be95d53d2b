import { encodeContractSignature, encodeSignatures } from '@countersign/safe-core'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getAddress, type Hex } from 'viem'
import { safe } from '../db/schema.ts'
import { safeMessage as message, type messageConfirmation } from '../db/team-schema.ts'
import { notFound } from './answers.ts'
import { pathAddress, pathHash } from './fields.ts'
import { MOST_COUNTED, readWindow, toPage } from './page.ts'
import type { Call, TxService } from './service.ts'
import { isOfTeam } from './visibility.ts'
import { toDate, toOrigin } from './wire.ts'

/** Messages that a Safe signs off the chain: the team's alone. */
export function messageRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/messages', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const window = readWindow(call)
    const where = eq(message.safeAddress, safeAddress)
    const order = orders.get(call.query.get('ordering') ?? '') ?? sql`${message.submissionDate} desc`
    const rows = await select(call, where)
      .orderBy(order, sql`${message.safeMessageHash} desc`)
      .limit(window.limit + 1)
      .offset(window.offset)
    const [alone] =
      rows.length > 0
        ? rows
        : await call.deps.db.select({ count: count(call, where) }).from(sql`(values (1)) as nothing`)
    return toPage(call, window, { rows, count: alone?.count ?? 0 }, toMessage)
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

const orders = new Map<string, SQL>([
  ['created', sql`${message.submissionDate}`],
  ['-created', sql`${message.submissionDate} desc`],
  ['modified', sql`${message.modifiedDate}`],
  ['-modified', sql`${message.modifiedDate} desc`],
])

const isOfSafe = and(eq(safe.chainId, message.chainId), eq(safe.address, message.safeAddress))

function isThere(call: Call, which: SQL): SQL | undefined {
  return and(eq(message.chainId, call.chainId), which, isOfTeam(call))
}

function count(call: Call, which: SQL): SQL<number> {
  const matching = call.deps.db
    .select({ one: sql`1` })
    .from(message)
    .innerJoin(safe, isOfSafe)
    .where(isThere(call, which))
    .limit(MOST_COUNTED)
  return sql<number>`(select count(*)::int from (${matching}) matching)`
}

function select(call: Call, which: SQL) {
  return call.deps.db
    .select({
      ...getTableColumns(message),
      confirmations: sql<StoredConfirmation[]>`(
        select coalesce(json_agg(json_build_object(
          'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
          'type', c.signature_type, 'at', c.submission_date) order by c.submission_date, c.owner), '[]')
        from message_confirmation c
        where c.chain_id = ${message.chainId} and c.message_hash = ${message.safeMessageHash} and c.owner = any(${safe.owners}))`,
      count: count(call, which),
    })
    .from(message)
    .innerJoin(safe, isOfSafe)
    .where(isThere(call, which))
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

/** The message comes back as it came, its own keys untouched. */
function toMessage(row: Row) {
  const confirmations = row.confirmations.map(({ owner, ...rest }) => ({ owner: getAddress(owner), ...rest }))
  const prepared = confirmations.length > 0 ? encodeSignatures(confirmations) : null
  return {
    created: toDate(row.submissionDate),
    modified: toDate(row.modifiedDate),
    safe: row.safeAddress,
    messageHash: row.safeMessageHash,
    message: JSON.parse(row.content),
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
    preparedSignatureEip1271: prepared && encodeContractSignature(row.safeAddress, prepared),
    origin: toOrigin(row.origin),
  }
}
