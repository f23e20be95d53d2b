import { useSyncExternalStore } from 'react'
import { guardedStorage } from '../../device/guarded-storage.ts'
import type { SigningDevice } from './signing-device.ts'
import { signingDevices } from './signing-devices.data.ts'

const KEY = 'countersign.signing-device'
const listeners = new Set<() => void>()

/** The device that this browser's owner said to sign with, in every tab; null until it is chosen. */
export function useChosenDevice(): [SigningDevice | null, (id: string | null) => void] {
  const id = useSyncExternalStore(subscribe, read)
  return [signingDevices.find((device) => device.id === id) ?? null, choose]
}

function read(): string | null {
  return guardedStorage.getItem(KEY)
}

function choose(id: string | null): void {
  if (id === null) guardedStorage.removeItem(KEY)
  else guardedStorage.setItem(KEY, id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
