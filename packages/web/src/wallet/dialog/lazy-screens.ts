import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import type { ScreenName } from './dialog-state.ts'

/** Loaders of the dialog's screens. The wallet list loads separately, because most people see it first. */
const load = {
  connect: async () => (await first()).ConnectScreen,
  get: async () => (await first()).GetScreen,
  network: async () => (await next()).NetworkScreen,
  verify: async () => (await next()).VerifyScreen,
  profile: async () => (await next()).ProfileScreen,
}

const first = () => withTexts(() => import('./wallet-screens.ts'), 'wallet-dialog')
const next = () => withTexts(() => import('./connected-screens.ts'), 'wallet-dialog', 'errors')

export const walletScreens = {
  connect: lazyPart(load.connect),
  get: lazyPart(load.get),
  network: lazyPart(load.network),
  verify: lazyPart(load.verify),
  profile: lazyPart(load.profile),
} satisfies Record<ScreenName, unknown>
