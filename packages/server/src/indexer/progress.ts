import { type ErrorCode, errorTable } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { eq, sql } from 'drizzle-orm'
import { BaseError } from 'viem'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { parseDatabaseFailure } from '../db/failure.ts'
import { chainFollower } from '../db/schema.ts'
import { notify } from '../live/notify.ts'
import { isNodeFailure } from '../rpc/errors.ts'
import type { Block } from '../rpc/logs.ts'
import { blockTime } from './block-time.ts'
import type { Lease } from './lease.ts'

const TELL_MS = 1_000
/** A head that stays the same is written down this seldom, to say that the node still answers. */
const SAME_HEAD_MS = 10_000

/** Progress of following a chain, as people see it. */
export type Progress = {
  /** The newest block of the node. */
  saw: (head: Block) => Promise<void>
  /** Everything was read that there was. */
  succeeded: () => Promise<void>
  failed: (error: unknown) => Promise<void>
  /** Something was written down: whoever looks asks again, at most once a second. */
  publish: () => void
  stop: () => void
}

const disagreement = z.object({ blockNumber: z.number(), hosts: z.array(z.string()).min(2) })

export function createProgress({
  chainId,
  db,
  lease,
  clock,
}: {
  chainId: number
  db: Database
  lease: Lease
  clock: () => Date
}): Progress {
  let seen: { hash: string; at: number } | null = null
  /** Failure stored for the last attempt; undefined before any was made. */
  let failure: string | null | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function publish(): void {
    if (timer) return
    timer = setTimeout(
      () => {
        timer = undefined
        toldAt = performance.now()
        void notify(db, { kind: 'chain', chainId }).catch(() => {})
      },
      Math.max(0, toldAt + TELL_MS - performance.now()),
    )
  }

  async function write(facts: Partial<typeof chainFollower.$inferInsert>): Promise<void> {
    await lease.write((tx) => tx.update(chainFollower).set(facts).where(eq(chainFollower.chainId, chainId)))
    publish()
  }

  return {
    publish,
    async saw({ number, hash, timestamp }) {
      const now = clock()
      if (seen?.hash === hash && now.getTime() - seen.at < SAME_HEAD_MS) return
      await write({ headBlock: number, headTime: blockTime(timestamp), headReadAt: now })
      seen = { hash, at: now.getTime() }
    },
    async succeeded() {
      if (failure === null) return
      await write({ failureCode: null, failingSince: null, disagreeingHosts: null, disagreedBlock: null })
      failure = null
    },
    async failed(error) {
      const code = codeOf(error)
      const differs = code === 'NODES_DISAGREE' && error instanceof CountersignError ? error.data : null
      const { hosts, blockNumber } = disagreement.safeParse(differs).data ?? { hosts: null, blockNumber: null }
      const now = JSON.stringify({ code, hosts, blockNumber })
      if (failure === now) return
      const known = chainFollower.failureCode
      await lease.write((tx) =>
        tx
          .update(chainFollower)
          .set({
            failureCode: code,
            failingSince: sql`case when ${known} = ${code} then ${chainFollower.failingSince} else ${clock().toISOString()}::timestamptz end`,
            disagreeingHosts: hosts,
            disagreedBlock: blockNumber,
          })
          .where(eq(chainFollower.chainId, chainId)),
      )
      failure = now
      publish()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

/** Errors of nodes have no code of ours; an error without any code is our own mistake. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof CountersignError) return isErrorCode(error.code) ? error.code : 'INTERNAL'
  if (isNodeFailure(error)) return 'CHAIN_UNREACHABLE'
  const failure = parseDatabaseFailure(error)
  if (failure) return codeOf(failure)
  return error instanceof z.ZodError || error instanceof BaseError ? 'RPC_ERROR' : 'INTERNAL'
}

function isErrorCode(code: string): code is ErrorCode {
  return code in errorTable
}
