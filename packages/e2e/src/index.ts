export { startBrowser } from './browser.ts'
export { newOwner, type Owner, safePath, signIn, transactionPath } from './owner.ts'
export { freePort, makeDataPath, type Product, type ProductOptions, startProduct } from './product.ts'
export { startRelay } from './relay.ts'
export { type Scene, startScene } from './scene.ts'
export {
  addSafeByScript,
  confirmByScript,
  giveAbiByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  type ScriptOwner,
  scriptClient,
  signInByScript,
  signSafeTx,
} from './script-owner.ts'
export { demoOwners, fundTokens, newSafe, rpcUrlOf, team } from './team.ts'
