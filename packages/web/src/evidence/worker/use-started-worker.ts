import { useEffect } from 'react'
import { startWorker } from './ask-worker.ts'

/** Starts the Worker while somebody still writes what it will review. */
export function useStartedWorker(): void {
  useEffect(startWorker, [])
}
