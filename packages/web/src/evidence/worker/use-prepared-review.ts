import type { Subject } from '@countersign/review'
import { useEffect } from 'react'
import { askWorker } from './ask-worker.ts'

/** Has the Worker load the code of a review while the user still fills in the form. */
export function usePreparedReview(kind: Subject['kind']): void {
  useEffect(() => {
    askWorker('prepareReview', kind).catch(() => {})
  }, [kind])
}
