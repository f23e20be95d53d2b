import type { Role } from '@countersign/contract'
import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'

/*
 * Who somebody is to a Safe, as SQL over a row of `safe`: derived at the moment of reading, from the owners that the
 * chain has now. A delegate or a viewer is one only while the owner who said so is an owner.
 */

/** Owner before proposer before viewer; null: none of these, who may see what is on the chain anyway. */
export function roleOf(account: Address, now: Date): SQL<Role | null> {
  const who = sql.param(toBytes(account))
  return sql<Role | null>`case
    when ${who}::bytea = any(${safe.owners}) then 'owner'
    when exists (${delegations(account, now)}) then 'proposer'
    when exists (${invitations(account)}) then 'viewer'
  end`
}

/** Whether the account sees what is not on the chain. */
export function isMember(account: Address, now: Date): SQL<boolean> {
  const who = sql.param(toBytes(account))
  return sql<boolean>`(${who}::bytea = any(${safe.owners})
    or exists (${delegations(account, now)}) or exists (${invitations(account)}))`
}

/** Whether who asks is of the team of the Safe of a row that holds its place, in the very query that reads the row. */
export function isForTeam(
  { viewer, clock }: Pick<SignedInCtx, 'viewer' | 'clock'>,
  row: { chainId: Column; safeAddress: Column },
): SQL {
  return sql`exists (select from ${safe} where ${safe.chainId} = ${row.chainId} and ${safe.address} = ${row.safeAddress}
    and ${isMember(viewer.address, clock())})`
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
export function safesOf(account: Address, now: Date): SQL {
  const who = sql.param(toBytes(account))
  return sql`
    select chain_id, address from safe where owners @> array[${who}::bytea]
    union select chain_id, safe_address from safe_list_entry where account = ${who}
    union select v.chain_id, v.safe_address from viewer v
      join safe s on s.chain_id = v.chain_id and s.address = v.safe_address and v.invited_by = any(s.owners)
      where v.account = ${who}
    union select s.chain_id, s.address from delegate d
      join safe s on s.chain_id = d.chain_id and s.owners @> array[d.delegator]
        and (d.safe_address is null or d.safe_address = s.address)
      where d.delegate = ${who} and (d.expiry_date is null or d.expiry_date > ${now.toISOString()}::timestamptz)`
}
