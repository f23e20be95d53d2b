import { newSafeTx, type SafeState } from '@countersign/safe'
import type { Given } from '../given.ts'
import type { ChainReader, Fact } from './fact.ts'
import * as registry from './registry.ts'
import type { Simulate } from './simulate.ts'

type Registry = typeof registry

/** Name of a fact, and of the field of the review's input under which its answer stands. */
export type FactId = keyof Registry

type AnswerOf<Of> = Of extends Fact<infer _Need, infer Answer> ? Answer : never

/** Answers of the chain, by the name of the fact. An absent fact was not asked, or not answered. */
export type Facts = { [Id in FactId]?: AnswerOf<Registry[Id]> | undefined }

/** A fact that a subject needs, and what it will ask: plain data, and all that its answer depends on. */
export type NeededFact = { id: FactId; need: unknown }

/** A fact whose types are taken together again by its name. */
const facts = registry as Record<FactId, Fact<unknown, unknown>>

/**
 * The facts that a review of this wants. Some come to be needed only once the Safe was read.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed or read: then there is nothing to review
 * @example
 * neededFacts(given).map(({ id }) => id) // ['balances', 'chainSafeTxHash', 'codes', 'nodeChainId']
 */
export function neededFacts(given: Given): NeededFact[] {
  return (Object.keys(facts) as FactId[]).flatMap((id) => {
    const need = facts[id].needs(given)
    return need === null ? [] : [{ id, need }]
  })
}

/**
 * The fact that compares a Safe's own words with how it was read; null where it is of no release.
 *
 * @example
 * await reader.read(configurationFact(state))
 */
export function configurationFact(state: SafeState): NeededFact | null {
  const { chainId, address: safeAddress } = state
  const nothing = { claimedHash: null, confirmations: [], others: [], account: null, origin: null, tokens: [] }
  const safeTx = newSafeTx({ to: safeAddress, nonce: state.nonce })
  const need = facts.safeSlots.needs({ kind: 'transaction', chainId, safeAddress, state, safeTx, ...nothing })
  return need === null ? null : { id: 'safeSlots', need }
}

/**
 * Asks for one fact.
 *
 * @param simulate runs a transaction; where there is nothing to run it, nobody knows what it does
 * @throws what the way to the node throws, where the fact has no answer for that
 * @example
 * const answer = await readFact((chainId) => requestOf(chainId), needed)
 */
export async function readFact(chain: ChainReader, { id, need }: NeededFact, simulate?: Simulate): Promise<unknown> {
  return facts[id].read(chain, need, simulate)
}

/**
 * Whether a fact may be answered otherwise later although nothing tells of it.
 *
 * @example
 * const refetchInterval = isFactOpen(needed, answer) ? 10_000 : false
 */
export function isFactOpen({ id }: NeededFact, answer: unknown): boolean {
  return facts[id].isOpen?.(answer) ?? false
}

/**
 * Puts answers under their names.
 *
 * @param answers in the order of `needed`; undefined where nobody answered
 * @example
 * const input = { ...given, ...toFacts(needed, answers) }
 */
export function toFacts(needed: readonly NeededFact[], answers: readonly unknown[]): Facts {
  return Object.fromEntries(needed.map(({ id }, index) => [id, answers[index]])) as Facts
}

/**
 * Everything that a review of this wants to know, asked at once. One that fails is absent, and spoils no other.
 *
 * @param ask how a fact is asked for; from a cache, for example
 * @example
 * const facts = await collectFacts(given, (needed) => readFact(chain, needed))
 * const review = await reviewSubject({ ...given, ...facts })
 */
export async function collectFacts(given: Given, ask: (needed: NeededFact) => Promise<unknown>): Promise<Facts> {
  const needed = neededFacts(given)
  const answers = await Promise.allSettled(needed.map(async (need) => ask(need)))
  return toFacts(
    needed,
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined)),
  )
}
