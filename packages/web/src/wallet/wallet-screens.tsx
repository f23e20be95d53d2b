import { ConnectScreen } from './connect-screen.tsx'
import type { ScreenName } from './dialog-state.ts'
import { GetScreen } from './get-screen.tsx'
import { NetworkScreen } from './network-screen.tsx'
import { ProfileScreen } from './profile-screen.tsx'
import { VerifyScreen } from './verify-screen.tsx'

const screens = {
  connect: ConnectScreen,
  get: GetScreen,
  network: NetworkScreen,
  verify: VerifyScreen,
  profile: ProfileScreen,
}

export function WalletScreen({ screen }: { screen: ScreenName }) {
  const Screen = screens[screen]
  return <Screen />
}
