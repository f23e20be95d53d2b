import { createRequire } from 'node:module'
import { fail } from '@countersign/contract'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  parseTransaction,
  size,
  slice,
  zeroHash,
} from 'viem'
import { readCodes, requestNode, type Send, sendAll, waitForReceipts } from './node-client.ts'

// npm packages are found by name, so that it works from the sources and from the bundle alike.
const packages = createRequire(import.meta.url)

export const safeVersions = ['1.3.0', '1.4.1', '1.5.0'] as const
export type SafeVersion = (typeof safeVersions)[number]

/** Deployed on every chain of anvil; Safe 1.3.0 got its canonical addresses from it. */
const arachnidDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
export const singletonFactory: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'

/** Asset of safe-deployments → artifact, under `build/artifacts/contracts` of the npm package. */
type Source = { asset: string; artifact: string; npmName?: string; constructorArgs?: readonly string[] }

const sources: Record<SafeVersion, readonly Source[]> = {
  // SignMessageLib 1.3.0 is left out: the bytecode in the package is not the one that was deployed.
  '1.3.0': [
    { asset: 'gnosis_safe', artifact: 'GnosisSafe.sol/GnosisSafe' },
    { asset: 'gnosis_safe_l2', artifact: 'GnosisSafeL2.sol/GnosisSafeL2' },
    { asset: 'proxy_factory', artifact: 'proxies/GnosisSafeProxyFactory.sol/GnosisSafeProxyFactory' },
    {
      asset: 'compatibility_fallback_handler',
      artifact: 'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
    },
    { asset: 'multi_send', artifact: 'libraries/MultiSend.sol/MultiSend' },
    { asset: 'multi_send_call_only', artifact: 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly' },
    { asset: 'create_call', artifact: 'libraries/CreateCall.sol/CreateCall' },
    { asset: 'simulate_tx_accessor', artifact: 'accessors/SimulateTxAccessor.sol/SimulateTxAccessor' },
  ],
  '1.4.1': [
    ...sourcesSince141(),
    {
      asset: 'safe_migration',
      artifact: 'libraries/SafeMigration.sol/SafeMigration',
      npmName: 'safe-contracts-1.4.1-2',
      constructorArgs: ['safe', 'safe_l2', 'compatibility_fallback_handler'],
    },
    {
      asset: 'safe_to_l2_migration',
      artifact: 'libraries/SafeToL2Migration.sol/SafeToL2Migration',
      npmName: 'safe-contracts-1.4.1-2',
    },
    {
      asset: 'safe_to_l2_setup',
      artifact: 'libraries/SafeToL2Setup.sol/SafeToL2Setup',
      npmName: 'safe-contracts-1.4.1-2',
    },
  ],
  '1.5.0': [
    ...sourcesSince141(),
    {
      asset: 'extensible_fallback_handler',
      artifact: 'handler/ExtensibleFallbackHandler.sol/ExtensibleFallbackHandler',
    },
    { asset: 'token_callback_handler', artifact: 'handler/TokenCallbackHandler.sol/TokenCallbackHandler' },
    { asset: 'safe_to_l2_setup', artifact: 'libraries/SafeToL2Setup.sol/SafeToL2Setup' },
    {
      asset: 'safe_migration',
      artifact: 'libraries/SafeMigration.sol/SafeMigration',
      constructorArgs: ['safe', 'safe_l2', 'compatibility_fallback_handler'],
    },
  ],
}

function sourcesSince141(): readonly Source[] {
  return [
    { asset: 'safe', artifact: 'Safe.sol/Safe' },
    { asset: 'safe_l2', artifact: 'SafeL2.sol/SafeL2' },
    { asset: 'safe_proxy_factory', artifact: 'proxies/SafeProxyFactory.sol/SafeProxyFactory' },
    {
      asset: 'compatibility_fallback_handler',
      artifact: 'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
    },
    { asset: 'multi_send', artifact: 'libraries/MultiSend.sol/MultiSend' },
    { asset: 'multi_send_call_only', artifact: 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly' },
    { asset: 'create_call', artifact: 'libraries/CreateCall.sol/CreateCall' },
    { asset: 'sign_message_lib', artifact: 'libraries/SignMessageLib.sol/SignMessageLib' },
    { asset: 'simulate_tx_accessor', artifact: 'accessors/SimulateTxAccessor.sol/SimulateTxAccessor' },
  ]
}

export type CanonicalContract = {
  version: SafeVersion
  /** As safe-deployments names it, for example `safe_l2`. */
  asset: string
  address: Address
  codeHash: Hex
}

/** Address and code hash that safe-deployments gives for the canonical deployment. */
export function canonicalContract(version: SafeVersion, asset: string): CanonicalContract {
  const { deployments } = packages(`@safe-global/safe-deployments/dist/assets/v${version}/${asset}.json`) as {
    deployments: { canonical: { address: Address; codeHash: Hex } }
  }
  return { version, asset, ...deployments.canonical }
}

/** Every contract that the devnet has at its canonical address. */
export function canonicalContracts(): CanonicalContract[] {
  return safeVersions.flatMap((version) => sources[version].map(({ asset }) => canonicalContract(version, asset)))
}

/**
 * Puts the singleton factory and the canonical Safe contracts on the chain where they are missing, then compares the
 * code hash of each, read from the chain, with safe-deployments.
 *
 * @returns whether something was missing.
 * @throws CountersignError `INTERNAL` naming the first contract whose code is not the official one.
 */
export async function deployCanonicalContracts(rpcUrl: string, chainId: number, sender: Address): Promise<boolean> {
  const contracts = canonicalContracts()
  const addresses = contracts.map(({ address }) => address)
  const before = await readCodes(rpcUrl, [singletonFactory, ...addresses])
  const missing = new Set(contracts.filter((_, index) => before[index + 1] === '0x').map(({ address }) => address))

  if (before[0] === '0x') await deploySingletonFactory(rpcUrl, chainId)
  if (missing.size > 0) {
    const sends = safeVersions.flatMap((version) =>
      sources[version]
        .filter(({ asset }) => missing.has(canonicalContract(version, asset).address))
        .map((source) => creation(version, source)),
    )
    await sendAll(rpcUrl, sender, sends)
  }

  const after = missing.size > 0 ? await readCodes(rpcUrl, addresses) : before.slice(1)
  contracts.forEach(({ version, asset, address, codeHash }, index) => {
    const found = keccak256(after[index] ?? '0x')
    if (found !== codeHash)
      throw fail('INTERNAL', { reason: 'devnet-code', version, asset, address, codeHash: found, official: codeHash })
  })
  return missing.size > 0
}

async function deploySingletonFactory(rpcUrl: string, chainId: number): Promise<void> {
  // Presigned for 31337, the default chain id of every local node.
  const presigned = packages('@safe-global/safe-singleton-factory/artifacts/31337/deployment.json') as {
    signerAddress: Address
    transaction: Hex
    address: Address
  }
  if (chainId === 31337) {
    await requestNode(rpcUrl, 'anvil_setBalance', presigned.signerAddress, '0xde0b6b3a7640000')
    await waitForReceipts(rpcUrl, [(await requestNode(rpcUrl, 'eth_sendRawTransaction', presigned.transaction)) as Hex])
    return
  }
  // The presigned transaction is not valid under another chain id, so the same code is put there directly.
  const { data } = parseTransaction(presigned.transaction)
  const INIT_CODE_BYTES = 14
  await requestNode(rpcUrl, 'anvil_setCode', presigned.address, slice(data ?? '0x', INIT_CODE_BYTES))
}

function creation(version: SafeVersion, { asset, artifact, npmName, constructorArgs = [] }: Source): Send {
  const { bytecode } = packages(
    `${npmName ?? `safe-contracts-${version}`}/build/artifacts/contracts/${artifact}.json`,
  ) as { bytecode: Hex }
  const args = encodeAbiParameters(
    constructorArgs.map(() => ({ type: 'address' })),
    constructorArgs.map((name) => canonicalContract(version, name).address),
  )
  const initCode = concatHex([bytecode, args])
  const factory = version === '1.3.0' ? arachnidDeployer : singletonFactory
  const { address } = canonicalContract(version, asset)
  const reached = getContractAddress({ opcode: 'CREATE2', from: factory, salt: zeroHash, bytecode: initCode })
  if (reached.toLowerCase() !== address.toLowerCase())
    throw fail('INTERNAL', { reason: 'devnet-address', asset, version, reached, address })
  return create2Send(factory, initCode)
}

/** Creation by a CREATE2 factory that takes salt and init code, salt 0. */
export function create2Send(factory: Address, initCode: Hex): Send {
  // 200 gas a byte of code, 16 for its calldata, and room for the constructor.
  return { to: factory, data: concatHex([zeroHash, initCode]), gas: 400_000n + 230n * BigInt(size(initCode)) }
}
