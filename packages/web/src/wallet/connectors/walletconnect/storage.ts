import type { SignClient } from '@walletconnect/sign-client'
import { guardedStorage } from '../../../device/guarded-storage.ts'

type Storage = NonNullable<NonNullable<Parameters<typeof SignClient.init>[0]>['storage']>

const PREFIX = 'countersign.walletconnect.'

/** Where WalletConnect keeps its keys and connections: the page's own storage, or memory where there is none. */
export const walletConnectStorage: Storage = {
  getItem: async (key) => {
    const stored = guardedStorage.getItem(PREFIX + key)
    return stored === null ? undefined : JSON.parse(stored)
  },
  setItem: async (key, value) => guardedStorage.setItem(PREFIX + key, JSON.stringify(value)),
  removeItem: async (key) => guardedStorage.removeItem(PREFIX + key),
  // Nothing asks for these: the client knows its keys.
  getKeys: async () => [],
  getEntries: async () => [],
}
