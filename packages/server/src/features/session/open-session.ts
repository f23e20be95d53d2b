import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import { CHANNEL } from '../../live/notify.ts'

/** Facts about a browser that wants a session. */
export type NewSession = {
  tokenHash: Hex
  /** Token hashes of this browser's earlier sessions, which end when the new one opens. */
  previousTokenHashes: readonly Hex[]
  isFramed: boolean
  userAgent: string | null
  clientAddress: string | null
}

/** How the account was proven: what a contract said rests on a warrant. */
export type SignInProof = { account: Address; by: 'key' } | { account: Address; by: 'contract'; warrantId: string }

export type Attempt = { nonce: string; message: string; browserHash: Hex; session: NewSession }

/** A message as it was asked for. */
export type Asked = { address: Address; chainId: number; message: string; issuedAt: Date; expiresAt: Date }

/** Servers that share a database may have clocks that differ by this. */
export const CLOCK_DIFFERENCE_SECONDS = 120

/**
 * One statement and one way to the database: uses the message up, and if it is this very text, in time, and of the
 * account that was proven, opens the session and ends those that this browser had.
 *
 * The commit waits for the disk only when something ends: a session that is lost in a crash is verified again, one that
 * was ended must not come back. What was used up cannot: see the table.
 */
const openSession = (name: string, asked: string) => ({
  name: `open-session-${name}`,
  text: `with asked as (${asked}
  ), proven as (
    select address, chain_id from asked
    where message = $3 and address = $5 and $4 < expires_at and chain_id = any($6::bigint[])
      and issued_at <= $4 + interval '${CLOCK_DIFFERENCE_SECONDS} seconds'
  ), opened as (
    insert into session (token_hash, id, address, chain_id, proven_by, is_framed, user_agent, client_address,
      created_at, last_seen_at, expires_at, warrant_id)
    select $7::bytea, $8::text, address, chain_id, $9::text, $10::boolean, $11::text, $12::text, $4, $4,
      $13::timestamptz, $15::text
    from proven
    returning id
  ), ended as (
    delete from session where token_hash = any($14::bytea[]) and exists (select from proven)
    returning id
  ), logged as (
    insert into activity (at, account, verb, chain_id) select $4, address, 'signed-in', chain_id from proven
  )
  select asked.*, exists (select from opened) as is_open,
    (select count(pg_notify('${CHANNEL}', json_build_object('kind', 'session-ended', 'sessionId', id)::text)) from ended),
    case when cardinality($14::bytea[]) = 0 then set_config('synchronous_commit', 'off', true) end
  from asked`,
})

const columns = 'address, chain_id, message, issued_at, expires_at'

const statements = {
  /** A signature by a key consumes the message with the first attempt, even if it fails. */
  usual: openSession(
    'usual',
    `update sign_in_nonce set spent_at = $4::timestamptz
    where nonce = $1 and browser_hash = $2 and spent_at is null returning ${columns}`,
  ),
  /** A request that has consumed the message, and has asked the account's contract since. */
  used: openSession(
    'used',
    `select ${columns} from sign_in_nonce
    where nonce = $1 and browser_hash = $2 and spent_at <= $4::timestamptz`,
  ),
  /**
   * A message that several people sign must not be lost to an attempt that came too early: success alone consumes it.
   */
  waiting: openSession(
    'waiting',
    `update waiting_sign_in set spent_at = $4::timestamptz
    where nonce = $1 and browser_hash = $2 and spent_at is null and message = $3 and address = $5 and $4 < expires_at
    returning ${columns}`,
  ),
}

type Row = {
  address: Hex
  chain_id: string
  message: string
  issued_at: Date
  expires_at: Date
  is_open: boolean
}

/** No secret: 24 hex digits of a random UUID, which Node makes from bytes that it has drawn for many at once. */
function newSessionId(): string {
  return randomUUID().replaceAll('-', '').slice(8)
}

/** Null: there is no such message to use, of this browser. */
export async function consumeSignInMessage(
  ctx: Ctx,
  kind: keyof typeof statements,
  { nonce, message, browserHash, session }: Attempt,
  proof: SignInProof | null,
): Promise<{ asked: Asked; isOpen: boolean; createdAt: Date; expiresAt: Date } | null> {
  const { absoluteMilliseconds, contractMilliseconds } = ctx.sessionLimits
  const lifetime =
    proof?.by === 'contract' ? Math.min(contractMilliseconds, absoluteMilliseconds) : absoluteMilliseconds
  const createdAt = ctx.clock()
  const expiresAt = new Date(createdAt.getTime() + lifetime)
  const { rows } = await ctx.db.$client.query<Row>({
    ...statements[kind],
    values: [
      nonce,
      toBytes(browserHash),
      message,
      createdAt.toISOString(),
      proof ? toBytes(proof.account) : null,
      [...ctx.chains.keys()],
      toBytes(session.tokenHash),
      newSessionId(),
      proof?.by ?? 'key',
      session.isFramed,
      session.userAgent,
      session.clientAddress,
      expiresAt.toISOString(),
      session.previousTokenHashes.map(toBytes),
      proof?.by === 'contract' ? proof.warrantId : null,
    ],
  })
  const [row] = rows
  if (!row) return null
  return {
    asked: {
      address: decodeAddress(row.address),
      chainId: Number(row.chain_id),
      message: row.message,
      issuedAt: row.issued_at,
      expiresAt: row.expires_at,
    },
    isOpen: row.is_open,
    createdAt,
    expiresAt,
  }
}
