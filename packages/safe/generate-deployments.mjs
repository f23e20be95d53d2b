// Writes src/deployments/deployments.data.ts and src/deployments/deployment-chains.data.ts from @safe-global/safe-deployments and
// @safe-global/safe-modules-deployments, and src/deployments/proxy-code.data.ts from the contract packages that the devnet deploys
// (all of them development dependencies).
// Run from anywhere: node packages/safe/generate-deployments.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keccak256 } from 'viem'

const packages = createRequire(import.meta.url)

const KINDS = {
  gnosis_safe: 'singleton',
  gnosis_safe_l2: 'singleton-l2',
  safe: 'singleton',
  safe_l2: 'singleton-l2',
  proxy_factory: 'factory',
  safe_proxy_factory: 'factory',
  default_callback_handler: 'handler',
  compatibility_fallback_handler: 'handler',
  extensible_fallback_handler: 'handler',
  token_callback_handler: 'handler',
  multi_send: 'multi-send',
  multi_send_call_only: 'multi-send-call-only',
  sign_message_lib: 'sign-message-lib',
  safe_migration: 'migration',
  safe_to_l2_migration: 'l2-migration',
  safe_to_l2_setup: 'l2-setup',
  create_call: 'create-call',
  simulate_tx_accessor: 'simulate-tx-accessor',
  'allowance-module': 'module',
  'safe-4337-module': 'module',
  'social-recovery-module': 'module',
  'add-modules-lib': 'module-setup',
  'safe-module-setup': 'module-setup',
  'safe-webauthn-signer-factory': 'passkey-signer-factory',
  'safe-webauthn-shared-signer': 'passkey-shared-signer',
  'daimo-p256-verifier': 'p256-verifier',
}

/** Every release of every contract in the packages: one row for each place it is deployed at, with its chains. */
export function readDeployments() {
  return [...readSafeDeployments(), ...readModuleDeployments()]
}

function* readAssets(packageName) {
  const root = join(dirname(packages.resolve(`${packageName}/package.json`)), 'dist', 'assets')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
  for (const path of files.sort()) {
    const kind = KINDS[path.replace(/^.*[/\\]|\.json$/g, '')]
    if (kind === undefined) throw new Error(`No kind is known for \`${path}\`.`)
    yield { kind, asset: JSON.parse(readFileSync(join(root, path), 'utf8')) }
  }
}

function* readSafeDeployments() {
  for (const { kind, asset } of readAssets('@safe-global/safe-deployments')) {
    for (const [place, { address, codeHash }] of Object.entries(asset.deployments)) {
      const chains = chainsOf(asset, (places) => [places].flat().includes(place))
      yield { name: asset.contractName, version: asset.version, kind, place, address, codeHash, chains }
    }
  }
}

/** That package has no code hashes, and other addresses on a few chains. */
function* readModuleDeployments() {
  for (const { kind, asset } of readAssets('@safe-global/safe-modules-deployments')) {
    for (const address of new Set(Object.values(asset.networkAddresses))) {
      const chains = chainsOf(asset, (named) => named === address)
      yield {
        name: asset.contractName,
        version: asset.version,
        kind,
        place: 'canonical',
        address,
        codeHash: null,
        chains,
      }
    }
  }
}

function chainsOf({ networkAddresses }, isThere) {
  return Object.keys(networkAddresses)
    .filter((chainId) => isThere(networkAddresses[chainId]))
    .map(Number)
    .sort((one, other) => one - other)
}

const PROXY_ARTIFACTS = {
  '1.0.0': 'safe-contracts-1.0.0/build/contracts/Proxy.json',
  // The factory of 1.1.1 made the Safes of 1.2.0 as well.
  '1.1.1': 'safe-contracts-1.1.1/build/contracts/Proxy.json',
  '1.3.0': 'safe-contracts-1.3.0/build/artifacts/contracts/proxies/GnosisSafeProxy.sol/GnosisSafeProxy.json',
  '1.4.1': 'safe-contracts-1.4.1/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json',
  '1.5.0': 'safe-contracts-1.5.0/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json',
}

// The package of 1.0.0 was compiled in another folder than what was deployed: the metadata hash alone differs, which is
// never run. This is the one of the deployed proxies, as block explorers show it (bzzr) and as contracts compare it.
const METADATA_1_0_0 = {
  inPackage: 'b3fbc7c732e0ba4fe8f4e6420895dbae05bfc5c24169a83a550c4886e7cb758c',
  deployed: '1e7d648b83cfac072cbccefc2ffc62a6999d4a050ee87a721942de1da9670db8',
}

/** Lists for each factory the result of `proxyCreationCode()` and the hash of the code that its proxies then have. */
export function readProxies() {
  return Object.entries(PROXY_ARTIFACTS).map(([version, path]) => {
    const { bytecode, deployedBytecode } = JSON.parse(readFileSync(packages.resolve(path), 'utf8'))
    const asDeployed = (code) => code.replace(METADATA_1_0_0.inPackage, METADATA_1_0_0.deployed)
    return { version, creationCode: asDeployed(bytecode), codeHash: keccak256(asDeployed(deployedBytecode)) }
  })
}

function writeProxies(proxies) {
  const lines = proxies.map(
    ({ version, creationCode, codeHash }) =>
      `  '${version}': {\n    codeHash: '${codeHash}',\n    creationCode:\n      '${creationCode}',\n  },`,
  )
  return `// Generated by generate-deployments.mjs from the Safe contract packages (LGPL-3.0). Do not edit.
/** By version of the factory: what its \`proxyCreationCode()\` returns, and the hash of the code of its proxies. */
export const proxies = {
${lines.join('\n')}
} as const
`
}

/** Few lists of chains, because contracts are deployed together. */
export function groupChains(rows) {
  const lists = [...new Set(rows.map(({ chains }) => chains.join(' ')))]
  return { lists, indexOf: ({ chains }) => lists.indexOf(chains.join(' ')) }
}

function writeDeployments(rows) {
  const { indexOf } = groupChains(rows)
  const quote = (value) => (value === null ? 'null' : `'${value}'`)
  const lines = rows.map((row) => {
    const { name, version, kind, place, address, codeHash } = row
    return `  [${[name, version, kind, place, address, codeHash].map(quote).join(', ')}, ${indexOf(row)}],`
  })
  return `// Generated by generate-deployments.mjs from @safe-global/safe-deployments and
// @safe-global/safe-modules-deployments (both MIT). Do not edit.
// Name, version, kind, place, address, hash of the runtime code, and which list of deployment-chains.data.ts.
export const deployments = [
${lines.join('\n')}
] as const
`
}

function writeChains(rows) {
  const lines = groupChains(rows).lists.map((list) => `  '${list}',`)
  return `// Generated by generate-deployments.mjs from @safe-global/safe-deployments and
// @safe-global/safe-modules-deployments (both MIT). Do not edit.
// Ids of the chains where a deployment is listed.
export const deploymentChains: readonly string[] = [
${lines.join('\n')}
]
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = readDeployments()
  writeFileSync(new URL('./src/deployments/deployments.data.ts', import.meta.url), writeDeployments(rows))
  writeFileSync(new URL('./src/deployments/deployment-chains.data.ts', import.meta.url), writeChains(rows))
  writeFileSync(new URL('./src/deployments/proxy-code.data.ts', import.meta.url), writeProxies(readProxies()))
  console.log(`${rows.length} deployments written.`)
}
