export { ConnectScreen } from './connect-screen.tsx'
export { GetScreen } from './get-screen.tsx'
