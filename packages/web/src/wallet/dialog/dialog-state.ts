import { useSyncExternalStore } from 'react'

/** The screens of the wallet dialog. While a wallet is waited for, *connect* shows that instead of its list. */
export type ScreenName = 'connect' | 'get' | 'network' | 'verify' | 'profile'

/** `wanted`: a screen that somebody asked for. Without it the dialog shows what comes next. */
type DialogState = { isOpen: boolean; wanted: ScreenName | null }

let state: DialogState = { isOpen: false, wanted: null }
const listeners = new Set<() => void>()

function set(next: DialogState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Opens the wallet dialog at what comes next: connect, switch the network, verify, or the profile. */
export function openWalletDialog(): void {
  set({ isOpen: true, wanted: null })
}

/** Goes to a screen of the open dialog; without a name back to what comes next. */
export function showScreen(wanted: ScreenName | null = null): void {
  set({ isOpen: true, wanted })
}

export function closeWalletDialog(): void {
  set({ isOpen: false, wanted: null })
}

export function useWalletDialog(): DialogState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => state,
  )
}
