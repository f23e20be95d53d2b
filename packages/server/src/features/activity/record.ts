import type { Address } from 'viem'
import type { Executor } from '../../db/client.ts'
import { activity } from '../../db/schema.ts'
import { notify } from '../../live/notify.ts'

type Done = typeof activity.$inferInsert & { safeAddress: Address }

/** What somebody did for the team: a line of the log, and word to the team's screens; in the transaction that does it. */
export async function recordForTeam(tx: Executor, done: Done): Promise<void> {
  await tx.insert(activity).values(done)
  await notify(tx, { kind: 'team', chainId: done.chainId, safeAddress: done.safeAddress })
}
