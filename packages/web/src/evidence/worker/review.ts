import {
  assetsExchanged,
  type Facts,
  type Given,
  isOfOneBlock,
  type NeededFact,
  neededFacts,
  reviewSubject,
  type SimulationNeed,
  type SubjectInput,
  tokenQuestion,
} from '@countersign/review'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { joinTokens } from '../../safe/worth/join-tokens.ts'
import { isMissingPart } from '../../ui/part/missing-part.ts'
import { factsRead } from '../read-facts.ts'
import { awaitRun, runKey } from '../simulation/precedence.ts'
import { remember } from './answer-cache.ts'
import { askPage } from './ask-page.ts'
import type {
  CachedFact,
  JudgedSubject,
  KnownSubject,
  RefetchReasons,
  ReviewedSubject,
  ReviewQuestion,
  ReviewSettings,
} from './calls.ts'
import { readCachedFact } from './read-cached-fact.ts'

const KEEP_PRICES_MS = 60_000

/**
 * Reviews a subject of a list as its page does, and returns its verdict.
 *
 * @throws CountersignError when it cannot be reviewed, or the lists of tokens cannot be asked
 */
export async function judge(question: ReviewQuestion): Promise<JudgedSubject> {
  const { input, refetchReasons } = await complete(question, question, readAll)
  return { summary: summarizeVerdict(await reviewSubject(input)), ...refetchReasons }
}

/**
 * Reviews a subject for its page or before a signature. Its simulation runs before those of lists.
 *
 * @throws CountersignError as `judge`
 */
export async function review(question: ReviewQuestion): Promise<ReviewedSubject> {
  const { input, refetchReasons, facts, read } = await complete(question, question, readBeforeLists)
  return { review: await reviewSubject(input), facts, isOfOneBlock: isOfOneBlock(read), ...refetchReasons }
}

/** Reads the facts of a subject that is reviewed later. The review reads a missing fact again. */
export async function readAhead(question: ReviewQuestion): Promise<void> {
  await readBeforeLists(neededFacts(await nameTokens(question, question.given)), question)
}

type ReadAll = (needed: readonly NeededFact[], settings: ReviewSettings) => Promise<(CachedFact | undefined)[]>

/** A subject with its facts and those of its approved subjects. */
type Complete = {
  input: SubjectInput
  facts: Facts
  /** Facts of the subject itself. */
  read: readonly (CachedFact | undefined)[]
  refetchReasons: RefetchReasons
}

async function complete(
  settings: ReviewSettings,
  { given: known, nested: approved }: KnownSubject,
  readAll: ReadAll,
): Promise<Complete> {
  const given = await nameTokens(settings, known)
  const needed = neededFacts(given)
  const [read, nested] = await Promise.all([
    readAll(needed, settings),
    approved && Promise.all(approved.map((one) => complete(settings, one, readAll))),
  ])
  const facts = factsRead(needed, read, settings.sources)
  const priced = await addPrices(settings, await nameTokens(settings, given, facts), facts)
  const reasons = (nested ?? []).map(({ refetchReasons }) => refetchReasons)
  return {
    input: { ...priced, ...facts, nested: nested?.map(({ input }) => input) } as SubjectInput,
    facts,
    read,
    refetchReasons: {
      isOpen: [...read, ...reasons].some((one) => one?.isOpen),
      isIncomplete: [...read, ...reasons].some((one) => one === undefined || one.isIncomplete),
    },
  }
}

const readAll: ReadAll = (needed, { sources }) =>
  Promise.all(needed.map((fact) => readCachedFact({ needed: fact, sources }).catch(rethrowMissingPart)))

const readBeforeLists: ReadAll = async (needed, settings) => {
  const run = needed.find(({ id }) => id === 'simulation')
  const stopAwaiting = run === undefined ? () => {} : awaitRun(runKey(run.need as SimulationNeed))
  return readAll(needed, settings).finally(stopAwaiting)
}

/** Leaves out a fact that could not be read. Rethrows if code did not load, because a later try may load it. */
function rethrowMissingPart(error: unknown): undefined {
  if (isMissingPart(error)) throw error
}

/** Adds the listed tokens that the review may name. */
async function nameTokens(
  { listRevision }: ReviewSettings,
  given: Given,
  facts: Pick<Facts, 'tokenClaims' | 'simulation'> = {},
): Promise<Given> {
  if (listRevision === null) return given
  const question = tokenQuestion(given, facts)
  if (question.addresses.length + question.names.length === 0) return given
  const listed = await askPage('findTokens', { chainId: given.chainId, listRevision, question })
  return { ...given, tokens: joinTokens([...given.tokens], listed) }
}

/** Adds the prices of swapped assets. They can only add a finding, so the review continues without them. */
async function addPrices({ currency }: ReviewSettings, given: Given, facts: Facts): Promise<Given> {
  const assets = currency === null ? [] : assetsExchanged(given, facts)
  if (currency === null || assets.length === 0) return given
  const question = { chainId: given.chainId, currency, assets }
  const ask = () => askPage('findPrices', question)
  const prices = await remember(`prices ${JSON.stringify(question)}`, ask, () => KEEP_PRICES_MS).catch(() => undefined)
  return prices === undefined ? given : { ...given, prices }
}
