export { startBrowser } from './browser/browser.ts'
export { countFetched, type Fetched, sizeOf } from './browser/fetched.ts'
export { byteBudgets, measurePageBytes } from './pages/page-bytes.ts'
export { newOwner, type Owner, safePath, signIn, transactionPath } from './people/owner.ts'
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
} from './people/script-owner.ts'
export { demoOwners, fundTokens, newSafe, rpcUrlOf, team } from './people/team.ts'
export { freePort, makeDataPath, type Product, type ProductOptions, startProduct } from './product/product.ts'
export { type Scene, startScene } from './product/scene.ts'
export { startRelay } from './wallets/relay.ts'
