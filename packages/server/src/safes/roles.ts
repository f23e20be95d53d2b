import type { Role } from '@countersign/contract'
import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Ctx, SignedInCtx, Viewer } from '../context.ts'
import { toBytes } from '../db/columns.ts'
import { safe } from '../db/schema.ts'

/*
 * Who somebody is to a Safe, as SQL over a row of `safe`: derived at the moment of reading, from the owners that the
 * chain has now. A delegate or a viewer is one only while the owner who said so is an owner.
 */

/** Who asks; and what proved it, where that is known. */
export type Who = Pick<Viewer, 'address'> & Partial<Viewer>

/** Who a verb acts for: the viewer of the request, or an account that a signature proved. */
export function whoIs({ viewer }: Pick<Ctx, 'viewer'>, account: Address | null): Who | null {
  if (account === null) return null
  return viewer?.address === account ? viewer : { address: account }
}

/**
 * Owner before proposer before viewer; null: none of these, who may see what is on the chain anyway. A Safe that signed
 * in is a viewer of itself: enough of its owners signed for that, and none of them acts for the others.
 */
export function roleOf(who: Who, now: Date): SQL<Role | null> {
  const account = sql.param(toBytes(who.address))
  return sql<Role | null>`case
    when ${account}::bytea = any(${safe.owners}) then 'owner'
    when exists (${delegations(who.address, now)}) then 'proposer'
    when ${isItself(who)} or exists (${invitations(who.address)}) then 'viewer'
  end`
}

/** Whether who asks sees what is not on the chain. */
export function isMember(who: Who, now: Date): SQL<boolean> {
  const account = sql.param(toBytes(who.address))
  return sql<boolean>`(${account}::bytea = any(${safe.owners}) or ${isItself(who)}
    or exists (${delegations(who.address, now)}) or exists (${invitations(who.address)}))`
}

/**
 * Whether who asks is the Safe of the row: by a session that its contract proved on its chain, which ends when its owners
 * change. Not by an API token, which lives on.
 */
export function isItself(who: Who): SQL<boolean> {
  if (!isContractSession(who)) return sql<boolean>`false`
  return sql<boolean>`(${safe.address} = ${sql.param(toBytes(who.address))}::bytea and ${safe.chainId} = ${who.chainId})`
}

function isContractSession({ provenBy, credential }: Who): boolean {
  return provenBy === 'contract' && credential?.kind === 'session'
}

/** Whether who asks is of the team of the Safe of a row that holds its place, in the very query that reads the row. */
export function isForTeam(
  { viewer, clock }: Pick<SignedInCtx, 'viewer' | 'clock'>,
  row: { chainId: Column; safeAddress: Column },
): SQL {
  return sql`exists (select from ${safe} where ${safe.chainId} = ${row.chainId} and ${safe.address} = ${row.safeAddress}
    and ${isMember(viewer, clock())})`
}

/** Delegations of the account for the Safe that are in force. */
function delegations(account: Address, now: Date): SQL {
  return sql`select from delegate d
    where d.delegate = ${sql.param(toBytes(account))} and d.chain_id = ${safe.chainId}
      and (d.safe_address is null or d.safe_address = ${safe.address})
      and d.delegator = any(${safe.owners})
      and (d.expiry_date is null or d.expiry_date > ${now.toISOString()}::timestamptz)`
}

function invitations(account: Address): SQL {
  return sql`select from viewer v
    where v.account = ${sql.param(toBytes(account))} and v.chain_id = ${safe.chainId}
      and v.safe_address = ${safe.address} and v.invited_by = any(${safe.owners})`
}

/** Ids of the Safes that the account has to do with or added: each part is answered by an index. */
export function safesOf(asking: Who, now: Date): SQL {
  const who = sql.param(toBytes(asking.address))
  const itself = sql`union select chain_id, address from safe where chain_id = ${asking.chainId} and address = ${who}`
  return sql`
    select chain_id, address from safe where owners @> array[${who}::bytea]
    ${isContractSession(asking) ? itself : sql``}
    union select chain_id, safe_address from safe_list_entry where account = ${who}
    union select v.chain_id, v.safe_address from viewer v
      join safe s on s.chain_id = v.chain_id and s.address = v.safe_address and v.invited_by = any(s.owners)
      where v.account = ${who}
    union select s.chain_id, s.address from delegate d
      join safe s on s.chain_id = d.chain_id and s.owners @> array[d.delegator]
        and (d.safe_address is null or d.safe_address = s.address)
      where d.delegate = ${who} and (d.expiry_date is null or d.expiry_date > ${now.toISOString()}::timestamptz)`
}
