import { nodeLimitKinds } from '@countersign/contract'
import { and, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { nodeLimit } from '../../db/schema.ts'
import type { Chains } from '../../rpc/clients.ts'
import { FORGET_MS } from '../../rpc/node-limits.ts'

const KEEP_MS = 5_000

/** Keeps what nodes refuse over restarts: known again at the start, and written down whenever it changes. */
export async function keepNodeLimits(
  { db, chains }: { db: Database; chains: Chains },
  milliseconds = KEEP_MS,
): Promise<{ stop: () => Promise<void> }> {
  const kept = await readNodeLimits(db)
  for (const [chainId, chain] of chains)
    for (const { name } of chain.limits())
      chain.recallLimits(
        name,
        kept
          .filter((one) => one.chainId === chainId && one.node === name)
          .map(({ learnedAt, ...one }) => ({
            ...one,
            learnedAt: learnedAt.getTime(),
          })),
      )
  let saved = textOf(chains)

  async function save(): Promise<void> {
    const now = textOf(chains)
    if (now === saved) return
    for (const [chainId, chain] of chains)
      for (const { name, limits } of chain.limits()) {
        const kinds = limits.map(({ kind }) => kind)
        const isOf = and(eq(nodeLimit.chainId, chainId), eq(nodeLimit.node, name))
        await db.delete(nodeLimit).where(kinds.length === 0 ? isOf : and(isOf, notInArray(nodeLimit.kind, kinds)))
        if (limits.length > 0)
          await db
            .insert(nodeLimit)
            .values(
              limits.map(({ learnedAt, ...one }) => ({ ...one, chainId, node: name, learnedAt: new Date(learnedAt) })),
            )
            .onConflictDoUpdate({
              target: [nodeLimit.chainId, nodeLimit.node, nodeLimit.kind],
              set: { value: sql`excluded.value`, words: sql`excluded.words`, learnedAt: sql`excluded.learned_at` },
            })
      }
    saved = now
  }

  // A write that fails now is made the next time.
  const timer = setInterval(() => void save().catch(() => {}), milliseconds)
  return {
    async stop() {
      clearInterval(timer)
      await save().catch(() => {})
    },
  }
}

/** Limits that are not forgotten yet. */
export function readNodeLimits(db: Database): Promise<(typeof nodeLimit.$inferSelect)[]> {
  return db
    .select()
    .from(nodeLimit)
    .where(and(gt(nodeLimit.learnedAt, new Date(Date.now() - FORGET_MS)), inArray(nodeLimit.kind, [...nodeLimitKinds])))
    .orderBy(nodeLimit.kind)
}

function textOf(chains: Chains): string {
  return JSON.stringify([...chains.values()].map((chain) => chain.limits()))
}
