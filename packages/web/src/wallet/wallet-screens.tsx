import { ConnectScreen } from './connect-screen.tsx'
import { NetworkScreen } from './network-screen.tsx'
import { ProfileScreen } from './profile-screen.tsx'
import { VerifyScreen } from './verify-screen.tsx'

const screens = {
  connect: ConnectScreen,
  network: NetworkScreen,
  verify: VerifyScreen,
  profile: ProfileScreen,
}

export type ScreenName = keyof typeof screens

export function WalletScreen({ screen }: { screen: ScreenName }) {
  const Screen = screens[screen]
  return <Screen />
}
