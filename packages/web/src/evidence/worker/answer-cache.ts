type CachedAnswer = { until: number; answer: Promise<unknown> }

const MAX_ANSWERS = 500

/** Answers that are asked for again and again: by rows of a list, and by the page of one of them. */
const cached = new Map<string, CachedAnswer>()

/**
 * Returns the kept or pending answer for a key, or reads it.
 *
 * @param keepMs returns for how many milliseconds to keep an answer; a failure is never kept
 */
export function remember<Answer>(
  key: string,
  read: () => Promise<Answer>,
  keepMs: (answer: Answer) => number,
): Promise<Answer> {
  const known = cached.get(key)
  if (known && known.until > performance.now()) return known.answer as Promise<Answer>
  for (const [old, { until }] of cached) if (until <= performance.now()) cached.delete(old)
  const answer = read()
  const entry: CachedAnswer = { until: Number.POSITIVE_INFINITY, answer }
  const forget = () => void (cached.get(key) === entry && cached.delete(key))
  cached.delete(key)
  cached.set(key, entry)
  answer.then((value) => {
    const time = keepMs(value)
    entry.until = performance.now() + time
    if (time <= 0) forget()
  }, forget)
  const [oldest] = cached.keys()
  if (cached.size > MAX_ANSWERS && oldest !== undefined) cached.delete(oldest)
  return answer
}

/** Forgets every answer, so that each question is asked again. */
export function forgetAnswers(): void {
  cached.clear()
}
