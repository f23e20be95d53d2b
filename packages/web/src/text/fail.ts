import type { fail as failInEnglish } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'

/** An error of the page. Its sentence comes from the catalogue when it is shown, so English sentences are not in the page. */
export const fail: typeof failInEnglish = (code, ...[data, cause]) =>
  new CountersignError(code, code, { data: data ?? {}, cause })
