import { createRequire } from 'node:module'
import { fail } from '@countersign/contract'
import { decodeSafeEvent, encodeProxyCreation, encodeSetup } from '@countersign/safe'
import { type Address, getContractAddress, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { demoAccounts } from './accounts.ts'
import { create2Send, singletonFactory } from './canonical-contracts.ts'
import { readCodes, requestNode, sendAll } from './node-client.ts'

const packages = createRequire(import.meta.url)

/** Releases before 1.3.0. They are put on the chain only when they are asked for. */
export const oldSafeVersions = ['0.1.0', '1.0.0', '1.1.1', '1.2.0'] as const
export type OldSafeVersion = (typeof oldSafeVersions)[number]

/** Asset as safe-deployments names it, artifact under `build/contracts` of the npm package. */
const sources: Record<OldSafeVersion, readonly { asset: string; artifact: string }[]> = {
  '0.1.0': [
    { asset: 'gnosis_safe', artifact: 'GnosisSafe' },
    { asset: 'proxy_factory', artifact: 'ProxyFactory' },
    { asset: 'multi_send', artifact: 'MultiSend' },
  ],
  '1.0.0': [
    { asset: 'gnosis_safe', artifact: 'GnosisSafe' },
    { asset: 'proxy_factory', artifact: 'ProxyFactory' },
    { asset: 'multi_send', artifact: 'MultiSend' },
  ],
  '1.1.1': [
    { asset: 'gnosis_safe', artifact: 'GnosisSafe' },
    { asset: 'proxy_factory', artifact: 'ProxyFactory' },
    { asset: 'multi_send', artifact: 'MultiSend' },
    { asset: 'default_callback_handler', artifact: 'DefaultCallbackHandler' },
  ],
  '1.2.0': [
    { asset: 'gnosis_safe', artifact: 'GnosisSafe' },
    { asset: 'proxy_factory', artifact: 'GnosisSafeProxyFactory' },
    { asset: 'multi_send', artifact: 'MultiSend' },
    { asset: 'default_callback_handler', artifact: 'DefaultCallbackHandler' },
  ],
}

export type OldContract = {
  version: OldSafeVersion
  /** As safe-deployments names it, for example `gnosis_safe`. */
  asset: string
  address: Address
  initCode: Hex
  codeHash: Hex
  runtimeCode: Hex
  /** Whether the npm artifact is what was deployed on the public chains, byte for byte. */
  isOfficial: boolean
}

/**
 * A contract of an old release, built from its npm package. Where that is the official code it stands at the official
 * address; else at one that follows from the code.
 */
export function oldContract(version: OldSafeVersion, asset: string): OldContract {
  const source = sources[version].find((source) => source.asset === asset)
  if (!source) throw fail('INTERNAL', { reason: 'devnet-asset', asset, version })
  const { bytecode, deployedBytecode } = packages(
    `safe-contracts-${version}/build/contracts/${source.artifact}.json`,
  ) as { bytecode: Hex; deployedBytecode: Hex }
  const codeHash = keccak256(deployedBytecode)
  const official = officialRelease(version, asset)
  const isOfficial = official?.codeHash === codeHash
  const address = isOfficial
    ? official.address
    : getContractAddress({ opcode: 'CREATE2', from: singletonFactory, salt: zeroHash, bytecode })
  return { version, asset, address, initCode: bytecode, codeHash, runtimeCode: deployedBytecode, isOfficial }
}

/** Finds the contract in safe-deployments; null when they do not know it. They do not know 0.1.0 at all. */
function officialRelease(version: OldSafeVersion, asset: string): { address: Address; codeHash: Hex } | null {
  try {
    const { deployments } = packages(`@safe-global/safe-deployments/dist/assets/v${version}/${asset}.json`) as {
      deployments: { canonical: { address: Address; codeHash: Hex } }
    }
    return deployments.canonical
  } catch {
    return null
  }
}

/** Every contract of the old releases. */
export function oldContracts(version: OldSafeVersion): OldContract[] {
  return sources[version].map(({ asset }) => oldContract(version, asset))
}

/** Puts the contracts of an old release on the chain where they are missing. */
export async function deployOldContracts(rpcUrl: string, version: OldSafeVersion, sender: Address): Promise<void> {
  const contracts = oldContracts(version)
  const codes = await readCodes(
    rpcUrl,
    contracts.map(({ address }) => address),
  )
  const missing = contracts.filter((_, index) => codes[index] === '0x')
  await sendAll(
    rpcUrl,
    sender,
    missing.filter(({ isOfficial }) => !isOfficial).map(({ initCode }) => create2Send(singletonFactory, initCode)),
  )
  for (const { address, runtimeCode, asset } of missing.filter(({ isOfficial }) => isOfficial)) {
    await requestNode(rpcUrl, 'anvil_setCode', address, runtimeCode)
    // The constructor of the singleton sets the threshold, so that nobody can set up the singleton itself.
    if (asset === 'gnosis_safe') {
      await requestNode(rpcUrl, 'anvil_setStorageAt', address, THRESHOLD_SLOT, `0x${'1'.padStart(64, '0')}`)
    }
  }
}

const THRESHOLD_SLOT = `0x${'4'.padStart(64, '0')}`

type OldSafe = { owners: readonly Address[]; threshold: number; fallbackHandler?: Address }

/**
 * Creates a Safe of an old release through the proxy factory of that release, a new one at every call with another
 * `saltNonce`. Fallback handlers exist from 1.1.0 on.
 */
export async function deployOldSafe({
  rpcUrl,
  version,
  saltNonce,
  sender = demoAccounts[9].address,
  fallbackHandler = zeroAddress,
  ...safe
}: OldSafe & { rpcUrl: string; version: OldSafeVersion; saltNonce: bigint; sender?: Address }): Promise<Address> {
  await deployOldContracts(rpcUrl, version, sender)
  const singleton = oldContract(version, 'gnosis_safe').address
  const hasHandler = version === '1.1.1' || version === '1.2.0'
  const data = encodeProxyCreation({
    method: version === '0.1.0' ? 'createProxy' : 'createProxyWithNonce',
    singleton,
    initializer: encodeSetup(hasHandler ? { ...safe, fallbackHandler } : safe, version),
    saltNonce,
    callback: null,
  })
  const to = oldContract(version, 'proxy_factory').address
  const [receipt] = await sendAll(rpcUrl, sender, [{ to, data, gas: 1_500_000n }])
  const created = receipt?.logs.map(decodeSafeEvent).find((event) => event?.name === 'ProxyCreation')
  if (created?.name !== 'ProxyCreation') throw fail('INTERNAL', { reason: 'devnet-safe', version, address: 'unknown' })
  return created.proxy
}
