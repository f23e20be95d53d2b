import {
  assetsExchanged,
  type Facts,
  type Given,
  isFactOpen,
  neededFacts,
  type ReadFact,
  reviewSubject,
  type SignedSubject,
  type SubjectInput,
  tokenQuestion,
} from '@countersign/review'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { joinTokens } from '../../safe/worth/join-tokens.ts'
import { isMissingPart } from '../../ui/part/missing-part.ts'
import { factsRead } from '../read-facts.ts'
import { askPage } from './ask-page.ts'
import type { JudgedSubject, VerdictRequest } from './calls.ts'
import { readKnownFact } from './read-known-fact.ts'
import { remember } from './remember.ts'

const KEEP_PRICES_MS = 60_000

/**
 * Reviews a subject of a list as its page does, and returns its verdict.
 *
 * @throws CountersignError when it cannot be reviewed, or the lists of tokens cannot be asked
 */
export async function judge(request: VerdictRequest): Promise<JudgedSubject> {
  const { sources, nested } = request
  const given = await nameTokens(request, request.given)
  const needed = neededFacts(given)
  const read = await Promise.all(needed.map((fact) => readKnownFact({ needed: fact, sources }).catch(unread)))
  const facts = factsRead(needed, read, sources)
  const priced = await addPrices(request, await nameTokens(request, given, facts), facts)
  const review = await reviewSubject({ ...priced, ...facts, nested } as SubjectInput)
  return {
    summary: summarizeVerdict(review),
    isOpen: needed.some((fact, at) => isAnswered(read[at]) && isFactOpen(fact, read[at].answer)),
    isIncomplete: read.some((fact) => fact === undefined || fact.isIncomplete),
  }
}

function isAnswered(fact: ReadFact | undefined): fact is ReadFact {
  return fact !== undefined && fact.answer !== null
}

/** Leaves out a fact that could not be read. Throws if code did not load, because it may load later. */
function unread(error: unknown): undefined {
  if (isMissingPart(error)) throw error
}

/** Adds the listed tokens that a review could speak of. */
async function nameTokens<Of extends Given>(
  { listRevision }: VerdictRequest,
  given: Of,
  facts: Pick<Facts, 'tokenClaims' | 'simulation'> = {},
): Promise<Of> {
  if (listRevision === null) return given
  const question = tokenQuestion(given, facts)
  if (question.addresses.length + question.names.length === 0) return given
  const listed = await askPage('findTokens', { chainId: given.chainId, listRevision, question })
  return { ...given, tokens: joinTokens([...given.tokens], listed) }
}

/** Adds the prices of swapped assets. They can only add a finding, so the review continues without them. */
async function addPrices(
  { currency }: VerdictRequest,
  given: Given<SignedSubject>,
  facts: Facts,
): Promise<Given<SignedSubject>> {
  const assets = currency === null ? [] : assetsExchanged(given, facts)
  if (currency === null || assets.length === 0) return given
  const question = { chainId: given.chainId, currency, assets }
  const ask = () => askPage('findPrices', question)
  const prices = await remember(`prices ${JSON.stringify(question)}`, ask, () => KEEP_PRICES_MS).catch(() => undefined)
  return prices === undefined ? given : { ...given, prices }
}
