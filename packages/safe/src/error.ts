/**
 * The one error of the project. Its identity is its code, which survives the wire; the class does not. Throw it through
 * {@link fail}, which writes the sentence.
 */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** One of the codes in `docs/errors.md`. */
  readonly code: string
  /** The values at fault, by name; `reason` where a code has several sentences. */
  readonly data: Record<string, unknown>

  constructor(code: string, message: string, options: { data?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data ?? {}
  }

  /** Copies the error and adds values to its data. */
  with(data: Record<string, unknown>): CountersignError {
    return new CountersignError(this.code, this.message, { data: { ...this.data, ...data }, cause: this.cause })
  }
}

/** One sentence, its values as `{name}`; or one for each `reason`. */
export type Sentences = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** Values that a sentence may name. A list is joined by commas. */
export type SentenceValue = string | number | bigint | readonly string[]

type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
type Values<Sentence extends string> = Record<Names<Sentence>, SentenceValue>

/** The data that the sentences of a code need. */
export type SentenceData<Sentence> = Sentence extends string
  ? Values<Sentence>
  : { [Reason in keyof Sentence]: { reason: Reason } & Values<Sentence[Reason] & string> }[keyof Sentence]

/** The data of an error: what its sentence needs, and whatever a program may want to know besides. */
export type ErrorArguments<Sentence> =
  Record<never, never> extends SentenceData<Sentence>
    ? [data?: Record<string, unknown>, cause?: unknown]
    : [data: SentenceData<Sentence> & Record<string, unknown>, cause?: unknown]

/**
 * A sentence with its values filled in. A value cannot end the backticks it stands in; a name without a value stays.
 *
 * @example
 * fillSentence('There is no Safe at `{address}`.', { address })
 */
export function fillSentence(sentence: string, data: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    return value === undefined ? whole : String(Array.isArray(value) ? value.join(', ') : value).replaceAll('`', "'")
  })
}

/**
 * The sentence of a code, filled from its data; null when there is none.
 *
 * @example
 * const detail = sentenceOf(coreSentences, error.code, error.data)
 */
export function sentenceOf(sentences: Sentences, code: string, data: Readonly<Record<string, unknown>>): string | null {
  const found = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  const reason = String(data.reason)
  const sentence = typeof found === 'object' ? (Object.hasOwn(found, reason) ? found[reason] : undefined) : found
  return sentence === undefined ? null : fillSentence(sentence, data)
}

/**
 * Makes the function that makes errors of these codes. In `data`, a bigint becomes a decimal string, as on the wire.
 *
 * @example
 * const fail = failWith({ NOT_A_SAFE: 'There is no Safe at `{address}`.' })
 * throw fail('NOT_A_SAFE', { address })
 */
export function failWith<Table extends Sentences>(sentences: Table) {
  return <Code extends keyof Table & string>(
    code: Code,
    ...[data = {}, cause]: ErrorArguments<Table[Code]>
  ): CountersignError => {
    const written = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    )
    return new CountersignError(code, sentenceOf(sentences, code, written) ?? code, { data: written, cause })
  }
}
