import type { Delegation } from '@countersign/safe'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Executor } from '../db/client.ts'
import { delegate } from '../db/team-schema.ts'
import { isWarranted } from '../warrants/standing.ts'
import { isUnexpired } from './roles.ts'

/**
 * For whom an account may propose: delegations for this Safe, or for every Safe of the delegator, that have not expired;
 * oldest first. Whether the delegator is an owner is what the chain says.
 */
export function findDelegations(
  db: Pick<Executor, 'select'>,
  { chainId, safeAddress, account, now }: { chainId: number; safeAddress: Address; account: Address; now: Date },
): Promise<Delegation[]> {
  return db
    .select({ delegate: delegate.delegate, delegator: delegate.delegator })
    .from(delegate)
    .where(
      and(
        eq(delegate.delegate, account),
        eq(delegate.chainId, chainId),
        or(isNull(delegate.safeAddress), eq(delegate.safeAddress, safeAddress)),
        isUnexpired(now),
        isWarranted(delegate.warrantId),
      ),
    )
    .orderBy(asc(delegate.createdAt), asc(delegate.delegator))
}
