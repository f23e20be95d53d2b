import type { PolicyVersion } from '@countersign/contract'
import type { ServedPolicy } from '@countersign/review'

/** A version with the signatures on it that this browser has verified. */
export type VerifiedVersion = ServedPolicy & { version: PolicyVersion }
