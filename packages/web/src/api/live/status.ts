import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

export type LiveStatus = 'live' | 'connecting' | 'offline'

let streamStatus: LiveStatus = 'connecting'
const listeners = new Set<() => void>()

export function setStreamStatus(status: LiveStatus): void {
  if (status === streamStatus) return
  // Its server is there, whatever the device says of its network.
  if (status === 'live') onlineManager.setOnline(true)
  streamStatus = status
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const stop = onlineManager.subscribe(listener)
  return () => {
    listeners.delete(listener)
    stop()
  }
}

/** Whether changes by others arrive by themselves right now. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => (onlineManager.isOnline() ? streamStatus : 'offline'))
}

/** Reads the state of this browser profile's stream, also without a network. */
export function readStreamStatus(): LiveStatus {
  return streamStatus
}
