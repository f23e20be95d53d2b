import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import type { SimulationResult } from '../simulation/simulation-result.ts'
import type { Examined } from './examine-pack.ts'
import type { PackedReview } from './proof-pack.ts'

/** Parts of what a pack says, that may be different now. */
export const packParts = [
  'nonce',
  'owners',
  'threshold',
  'singleton',
  'modules',
  'guard',
  'moduleGuard',
  'fallbackHandler',
  'signatures',
  'outcome',
  'moves',
  'approvals',
  'slots',
  'verdict',
  'policy',
  'findings',
] as const
/** Parts of a transaction that a proof pack keeps, each compared with how it is now. */
export type PackPart = (typeof packParts)[number]

/** A part that is different now, with each side as lines of text. */
export type PackDifference = { part: PackPart; before: readonly string[]; now: readonly string[] }

/**
 * Compares what a pack says with the same as it is now, part by part. Of balances what moves is compared, and of slots those
 * of the Safe: what an account holds changes all the time, and so does the price of the gas that the executor pays.
 *
 * @example
 * const differences = comparePacks(await examine(pack, openPack(pack), engine), await examine(pack, node, engine))
 */
export function comparePacks(packed: Examined, live: Examined): PackDifference[] {
  const [before, now] = [partsOf(packed), partsOf(live)]
  return packParts.flatMap((part) =>
    before[part].join('\n') === now[part].join('\n') ? [] : [{ part, before: before[part], now: now[part] }],
  )
}

/**
 * Compares the review that the maker wrote into a pack with the one that its proofs give: a difference is a file that somebody
 * changed, or the review of another release.
 *
 * @returns null for a pack of the first format, which has none
 * @example
 * const other = compareReviews(pack.review, (await examine(pack, openPack(pack), engine)).review)
 */
export function compareReviews(written: PackedReview | undefined, found: PackedReview): PackDifference[] | null {
  if (written === undefined) return null
  const [before, now] = [partsOfReview(written), partsOfReview(found)]
  return (['verdict', 'policy', 'findings'] as const).flatMap((part) =>
    before[part].join('\n') === now[part].join('\n') ? [] : [{ part, before: before[part], now: now[part] }],
  )
}

function partsOfReview({
  verdict,
  policyHash,
  findings,
}: PackedReview): Record<'verdict' | 'policy' | 'findings', string[]> {
  return {
    verdict: [verdict],
    policy: policyHash === null ? [] : [policyHash],
    findings: findings.map(({ id, severity }) => `${severity} ${id}`).toSorted(),
  }
}

function partsOf({ state, confirmations, result, review }: Examined): Record<PackPart, string[]> {
  const optional = (value: string | null) => (value === null ? [] : [value])
  return {
    nonce: [state.nonce.toString()],
    owners: state.owners.toSorted(),
    threshold: [String(state.threshold)],
    singleton: [state.singleton],
    modules: state.modules.toSorted(),
    guard: optional(state.guard),
    moduleGuard: optional(state.moduleGuard),
    fallbackHandler: optional(state.fallbackHandler),
    signatures: confirmations.map(({ owner, status }) => `${owner} ${status}`).toSorted(),
    ...partsOfRun(result, state.address),
    ...partsOfReview(review),
  }
}

function partsOfRun(
  result: SimulationResult,
  safe: Address,
): Record<'outcome' | 'moves' | 'approvals' | 'slots', string[]> {
  if (result.status === 'unfinished') return { outcome: ['unfinished'], moves: [], approvals: [], slots: [] }
  const amount = (value: bigint | null) => (value === null ? '?' : value.toString())
  return {
    outcome: [result.outcome.kind],
    moves: result.balances
      .filter(({ account, standard }) => standard !== 'native' || !isSameAddress(account, result.call.from))
      .map(({ account, token, tokenId, before, after }) => {
        const change = before === null || after === null ? '?' : (after - before).toString()
        return [account, token, ...(tokenId === null ? [] : [tokenId.toString()]), change].join(' ')
      })
      .toSorted(),
    approvals: result.approvals
      .map(({ owner, token, spender, tokenId, after }) =>
        [owner, token, spender, ...(tokenId === null ? [] : [tokenId.toString()]), amount(after)].join(' '),
      )
      .toSorted(),
    slots: result.slots
      .filter(({ account }) => isSameAddress(account, safe))
      .map(({ account, slot, after }) => `${account} ${slot} ${after}`)
      .toSorted(),
  }
}
