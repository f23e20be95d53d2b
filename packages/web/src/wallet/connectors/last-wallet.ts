import { guardedStorage } from '../../device/guarded-storage.ts'

const RECENT = 'countersign.last-wallet'
export const CONNECTED_WALLET = 'countersign.connected-wallet'

/** Which wallet this browser used last, by its id, and whether it is to be connected again at the next visit. */
export const lastWallet = {
  readRecent: () => guardedStorage.getItem(RECENT),
  readConnected: () => guardedStorage.getItem(CONNECTED_WALLET),
  keep: (id: string) => {
    guardedStorage.setItem(RECENT, id)
    guardedStorage.setItem(CONNECTED_WALLET, id)
  },
  /** Another tab may have connected another wallet meanwhile: that one stays. */
  disconnect: (id: string) => {
    if (guardedStorage.getItem(CONNECTED_WALLET) === id) guardedStorage.removeItem(CONNECTED_WALLET)
  },
}
