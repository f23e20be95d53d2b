import type { Subject } from '@countersign/review'
import { useEffect } from 'react'
import { askWorker } from './ask-worker.ts'

/** Has the Worker load the code of a review while somebody still writes what is to be reviewed. */
export function usePreparedReview(kind: Subject['kind']): void {
  useEffect(() => {
    askWorker('prepareReview', kind).catch(() => {})
  }, [kind])
}
