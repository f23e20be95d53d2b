export { NetworkScreen } from './network-screen.tsx'
export { ProfileScreen } from './profile-screen.tsx'
export { VerifyScreen } from './verify-screen.tsx'
