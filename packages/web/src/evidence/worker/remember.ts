type Remembered = { until: number; answer: Promise<unknown> }

const MAX_REMEMBERED = 500

/** Answers that are asked for again and again: by rows of a list, and by the page of one of them. */
const remembered = new Map<string, Remembered>()

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
  const known = remembered.get(key)
  if (known && known.until > performance.now()) return known.answer as Promise<Answer>
  for (const [old, { until }] of remembered) if (until <= performance.now()) remembered.delete(old)
  const answer = read()
  const entry: Remembered = { until: Number.POSITIVE_INFINITY, answer }
  const forget = () => void (remembered.get(key) === entry && remembered.delete(key))
  remembered.delete(key)
  remembered.set(key, entry)
  answer.then((value) => {
    const time = keepMs(value)
    entry.until = performance.now() + time
    if (time <= 0) forget()
  }, forget)
  const [oldest] = remembered.keys()
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return answer
}

/** Forgets every answer, so that each question is asked again. */
export function forgetAll(): void {
  remembered.clear()
}
