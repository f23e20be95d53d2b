import type { UnfinishedReason } from '@countersign/review'

/** Ends a run that can say nothing of what it was asked. */
export class Unfinished extends Error {
  readonly reason: UnfinishedReason

  constructor(reason: UnfinishedReason) {
    super(reason.kind)
    this.reason = reason
  }
}

/** Ends one round early: enough is missing to be asked at once. */
export class EnoughMissing extends Error {}
