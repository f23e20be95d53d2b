import { openTabChannel } from '../../device/tab-channel.ts'
import { CONNECTED_WALLET } from './last-wallet.ts'

const CHANNEL = 'countersign-wallet'

/** Tells this browser's other tabs that the person has disconnected the wallet. */
export function announceDisconnected(walletId: string): void {
  const channel = openTabChannel(CHANNEL)
  channel?.postMessage({ disconnected: walletId })
  channel?.close()
}

/** Hears it from other tabs: by a channel, which works without storage too, or else by what is stored. */
export function followDisconnected(onDisconnected: (walletId: string) => void): () => void {
  const channel = openTabChannel(CHANNEL)
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<{ disconnected?: unknown } | null>) => {
      if (typeof data?.disconnected === 'string') onDisconnected(data.disconnected)
    }
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key === CONNECTED_WALLET && oldValue !== null && newValue === null) onDisconnected(oldValue)
  }
  window.addEventListener('storage', onStorage)
  return () => {
    channel?.close()
    window.removeEventListener('storage', onStorage)
  }
}
