export { type DemoAccount, demoAccounts } from './accounts.ts'
export {
  type CanonicalContract,
  canonicalContract,
  canonicalContracts,
  type SafeVersion,
} from './canonical-contracts.ts'
export { type DemoProposal, demoExecution, demoQueue, demoScenario, signDemoTx } from './demo.ts'
export { type DeploySafeOptions, deploySafe } from './deploy-safe.ts'
export { requestNode } from './node-client.ts'
export {
  deployOldSafe,
  type OldContract,
  type OldSafeVersion,
  oldContract,
  oldSafeVersions,
} from './old-safes.ts'
export { type SeedQueueOptions, seedQueue, signInAs } from './seed-queue.ts'
export { type Devnet, type DevnetOptions, startDevnet } from './start.ts'
export {
  deployContractAccount,
  deployFeeToken,
  deployHostileAccount,
  deployHostileToken,
  deployLimitModule,
  deployMeddler,
  deployPriceFeed,
  deployPricePool,
  deployTestArt,
  deployToken,
  hostileManners,
  hostileTokenManners,
  testContractAbi,
  testContracts,
} from './test-contracts.ts'
export { type AnyVersion, deployAnySafe } from './test-safes.ts'
