type CachedAnswer = { until: number; answer: Promise<unknown> }

const MAX_ANSWERS = 500

/** Answers that several rows of a list and the page of one of them share. */
const cached = new Map<string, CachedAnswer>()

/**
 * Returns the cached or pending answer for a key. Otherwise calls `read`.
 *
 * @param keepMs returns the milliseconds to keep an answer. A failure is never kept
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
