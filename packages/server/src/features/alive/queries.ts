import {
  type listSignatures as endpoint,
  type Input,
  type OtherProposal,
  type Reply,
  type SignedThing,
  storedSafeTx,
} from '@countersign/contract'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { safe } from '../../db/schema.ts'
import { deletedProposal } from '../../db/team-schema.ts'
import { isHashOutdated } from '../../safes/hash-form.ts'
import { isMember, roleOf } from '../../safes/roles.ts'
import { byStanding } from '../transactions/queries.ts'
import { hexOf, safeTxOf } from './deleted-proposals.ts'

const DEFAULT_LIMIT = 50
/** More of one hash are told by nobody: a Safe has far fewer owners. */
const MAX_SIGNATURES = 200
const keyset = [/^[1-3]$/, /^-?\d{1,78}$/, /^[0-9a-f]{64}$/]
/** Kinds, in the order of the list. */
const kinds = ['transaction', 'hash', 'message'] as const

type Row = {
  part: 1 | 2 | 3
  place: string
  hash: string
  fits: boolean
  is_deleted: boolean
  is_signed: boolean
  safe_tx: unknown
  content: string | null
  signatures: { owner: Hex; signature: Hex }[] | null
}

/**
 * Finds everything that accounts have signed for a Safe and that may still count, for its team: open transactions by
 * nonce, hashes that nobody here knows, messages newest first; each with all signatures, of former owners too. Signatures
 * that were refused under another transaction come for owners alone, as their alarms do.
 */
export async function findSignatures(
  { db, viewer, clock }: SignedInCtx,
  { chainId, safeAddress, cursor, limit = DEFAULT_LIMIT }: Input<typeof endpoint>,
): Promise<Reply<typeof endpoint>> {
  const [part = '', place = '', after = ''] = decodeKeyset(cursor, keyset)
  const now = clock()
  const order = [sql`e.part`, sql`e.place`, sql`e.hash`]
  const fits = fitsPage(sql`(e.weight + signed.bytes)`, order)
  const isAfter = cursor
    ? sql`(e.part, e.place, e.hash) > (${part}::int, ${place}::numeric, decode(${after}, 'hex'))`
    : sql`true`
  const { rows } = await db.execute<Row>(sql`
    with seen as materialized (
      select ${safe}.*, ${roleOf(viewer, now)} = 'owner' as is_owner from ${safe}
      where ${safe.chainId} = ${chainId} and ${safe.address} = ${sql.param(toBytes(safeAddress))}::bytea
        and ${isMember(viewer, now)}
    ), entry as (
      ${entries()}
    ), placed as materialized (
      select e.part, e.place, e.hash, e.is_deleted, ${fits} as fits
      from seen s cross join entry e cross join lateral (select ${signatureBytes} as bytes) signed
      where ${isAfter} order by ${sql.join(order, sql`, `)} limit ${limit + 1}
    )
    select p.part, p.place::text as place, encode(p.hash, 'hex') as hash, p.is_deleted, p.fits,
      exists (select from history_entry h where h.chain_id = s.chain_id and h.safe_address = s.address
        and h.kind = 'message-signed' and h.safe_tx_hash = p.hash) as is_signed,
      case when p.fits and p.part = 1 then case when p.is_deleted then d.safe_tx else ${safeTxOf} end end as safe_tx,
      case when p.fits and p.part = 3 then coalesce(d.content, m.content) end as content,
      case when p.fits then (${signaturesOf}) end as signatures
    from placed p cross join seen s
    left join multisig_transaction t on p.part = 1 and not p.is_deleted and t.chain_id = s.chain_id and t.safe_tx_hash = p.hash
    left join safe_message m on p.part = 3 and not p.is_deleted and m.chain_id = s.chain_id and m.message_hash = p.hash
    left join deleted_proposal d on p.is_deleted and d.chain_id = s.chain_id and d.hash = p.hash
    order by p.part, p.place, p.hash`)
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return {
    signed: rows.slice(0, shown).map(toSigned),
    nextCursor: last ? encodeKeyset([last.part, last.place, last.hash]) : null,
  }
}

/** More of what was deleted is looked at by nobody. */
export const MAX_DELETED = 100

/** Finds deleted transactions of the Safe at later nonces, as other proposals of it: a change of owners may wake them. */
export async function findDeletedAfter(
  { db, viewer, clock }: SignedInCtx,
  { chainId, safeAddress, nonce: executed }: { chainId: number; safeAddress: Address; nonce: bigint },
): Promise<OtherProposal[]> {
  const { hash, nonce, signatures } = deletedProposal
  const rows = await db
    .select({ safeTxHash: hash, nonce, signatures, owners: safe.owners })
    .from(deletedProposal)
    .innerJoin(safe, and(eq(safe.chainId, deletedProposal.chainId), eq(safe.address, deletedProposal.safeAddress)))
    .where(
      and(
        eq(deletedProposal.chainId, chainId),
        eq(deletedProposal.safeAddress, safeAddress),
        gt(nonce, executed),
        isMember(viewer, clock()),
        sql`not exists (select from multisig_transaction t where t.chain_id = ${deletedProposal.chainId}
          and t.safe_tx_hash = ${hash})`,
      ),
    )
    .orderBy(nonce, hash)
    .limit(MAX_DELETED)
  return rows.flatMap(({ signatures: given, owners, ...row }) =>
    row.nonce === null ? [] : [{ ...row, nonce: row.nonce, isCancellation: false, ...byStanding(given, owners) }],
  )
}

/** Lists what was signed: which part of the list it belongs to, its place in it, and how many bytes it has besides signatures. */
function entries(): SQL {
  const isHere = (alias: SQL) => sql`${alias}.chain_id = s.chain_id and ${alias}.safe_address = s.address`
  const outdated = (version: SQL) => sql`(select not ${isHashOutdated(version)} from ${safe}
    where ${safe.chainId} = s.chain_id and ${safe.address} = s.address)`
  const isKnown = sql`exists (select from multisig_transaction t where t.chain_id = h.chain_id and t.safe_tx_hash = h.safe_tx_hash)
    or exists (select from safe_message m where m.chain_id = h.chain_id and m.message_hash = h.safe_tx_hash)
    or exists (select from deleted_proposal d where d.chain_id = h.chain_id and d.hash = h.safe_tx_hash)`
  const instant = (date: SQL) => sql`-floor(extract(epoch from ${date}) * 1000000)::numeric`
  return sql`
    select 1 as part, t.nonce as place, t.safe_tx_hash as hash, false as is_deleted, octet_length(t.data) + 500 as weight
    from seen s join multisig_transaction t on ${isHere(sql`t`)} and not t.is_executed and t.nonce >= s.nonce
    where ${outdated(sql`t.domain_version`)} and (
      exists (select from confirmation c where c.chain_id = t.chain_id and c.safe_tx_hash = t.safe_tx_hash)
      or exists (select from deleted_proposal d where d.chain_id = t.chain_id and d.hash = t.safe_tx_hash)
      or s.is_owner and exists (select from refused_signature r where ${isHere(sql`r`)} and r.signer is not null
        and r.other_safe_tx_hash = t.safe_tx_hash))
    union all
    select 1, d.nonce, d.hash, true, d.bytes + 500
    from seen s join deleted_proposal d on ${isHere(sql`d`)} and d.nonce >= s.nonce
    where ${outdated(sql`d.domain_version`)}
      and not exists (select from multisig_transaction t where t.chain_id = d.chain_id and t.safe_tx_hash = d.hash)
    union all
    select 2, 0, h.safe_tx_hash, false, 500
    from seen s join history_entry h on ${isHere(sql`h`)} and h.kind in ('hash-approved', 'message-signed')
    where h.safe_tx_hash is not null and not (${isKnown}) group by h.safe_tx_hash
    union all
    select 3, ${instant(sql`m.submission_date`)}, m.message_hash, false, octet_length(m.content) + 500
    from seen s join safe_message m on ${isHere(sql`m`)}
    union all
    select 3, ${instant(sql`d.deleted_date`)}, d.hash, true, d.bytes + 500
    from seen s join deleted_proposal d on ${isHere(sql`d`)} and d.content is not null
    where not exists (select from safe_message m where m.chain_id = d.chain_id and m.message_hash = d.hash)`
}

/** How long the signatures over the hash of an entry are: a contract's may be longer than what it signs. */
const signatureBytes = sql`(
  coalesce((select sum(octet_length(c.signature)) from confirmation c
    where c.chain_id = s.chain_id and c.safe_tx_hash = e.hash), 0)
  + coalesce((select sum(octet_length(c.signature)) from message_confirmation c
    where c.chain_id = s.chain_id and c.message_hash = e.hash), 0)
  + coalesce((select octet_length(g.signatures::text) from deleted_proposal g
    where g.chain_id = s.chain_id and g.hash = e.hash), 0)
  + coalesce((select sum(octet_length(r.signature)) from refused_signature r
    where s.is_owner and r.chain_id = s.chain_id and r.safe_address = s.address
      and r.signer is not null and r.other_safe_tx_hash = e.hash), 0))`

/** Each signature over a hash that is known here, wherever it came from. */
const signaturesOf = sql`
  select json_agg(json_build_object('owner', one.owner, 'signature', one.signature)) from (
    select ${hexOf(sql`c.owner`)} as owner, ${hexOf(sql`c.signature`)} as signature
      from confirmation c where c.chain_id = s.chain_id and c.safe_tx_hash = p.hash
    union select ${hexOf(sql`c.owner`)}, ${hexOf(sql`c.signature`)}
      from message_confirmation c where c.chain_id = s.chain_id and c.message_hash = p.hash
    union select k->>'owner', k->>'signature'
      from deleted_proposal g cross join lateral jsonb_array_elements(g.signatures) k
      where g.chain_id = s.chain_id and g.hash = p.hash
    union select ${hexOf(sql`h.subject`)}, '0x' || repeat('00', 12) || encode(h.subject, 'hex') || repeat('00', 32) || '01'
      from history_entry h where h.chain_id = s.chain_id and h.safe_address = s.address and h.kind = 'hash-approved'
        and h.safe_tx_hash = p.hash and h.subject is not null
    union select ${hexOf(sql`r.signer`)}, ${hexOf(sql`r.signature`)}
      from refused_signature r where s.is_owner and r.chain_id = s.chain_id and r.safe_address = s.address
        and r.signer is not null and r.other_safe_tx_hash = p.hash
    order by 1, 2 limit ${sql.raw(String(MAX_SIGNATURES))}) one`

function toSigned({ part, hash, is_deleted, is_signed, safe_tx, content, signatures }: Row): SignedThing {
  return {
    kind: kinds[part - 1] ?? 'hash',
    hash: `0x${hash}`,
    safeTx: storedSafeTx.safeParse(safe_tx).data ?? null,
    content,
    isDeleted: is_deleted,
    isSignedOnChain: is_signed,
    signatures: (signatures ?? []).map(({ owner, signature }) => ({ owner: decodeAddress(owner), signature })),
  }
}
