import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Opens the wallet dialog at what comes next: connect, switch the network, verify, or the profile. */
export function openWalletDialog(): void {
  set(true)
}

export function closeWalletDialog(): void {
  set(false)
}

export function useIsWalletDialogOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => isOpen,
  )
}
