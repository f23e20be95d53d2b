/**
 * The one error of the project. Its identity is its code, which survives the wire; the class does not.
 *
 * @example
 * throw new CountersignError('SIGNATURE_MALFORMED', 'The signature `0x12` has 1 byte, not 65.', { data: { bytes: 1 } })
 */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** One of the codes in `docs/errors.md`. */
  readonly code: string
  /** The values at fault, by name. */
  readonly data: Record<string, unknown>

  constructor(code: string, message: string, options: { data?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data ?? {}
  }
}
