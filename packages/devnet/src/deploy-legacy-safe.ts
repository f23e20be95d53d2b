import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { demoAccounts } from './accounts.ts'
import { create2Send, singletonFactory } from './canonical-contracts.ts'
import { readCodes, sendAll } from './node-client.ts'

const packages = createRequire(import.meta.url)

/** Released before Safes were created by the canonical factory of the devnet; not at their canonical addresses here. */
export type LegacySafeVersion = '1.0.0' | '1.1.1' | '1.2.0'

/** Creates a Safe of an early release from the code in its npm package. Each call makes another one. */
export async function deployLegacySafe({
  rpcUrl,
  version,
  owners,
  threshold,
  sender = demoAccounts[9].address,
}: {
  rpcUrl: string
  version: LegacySafeVersion
  owners: readonly Address[]
  threshold: number
  sender?: Address
}): Promise<Address> {
  const singleton = readArtifact(version, 'GnosisSafe')
  const singletonAddress = create2Address(zeroHash, singleton.bytecode)
  const [code] = await readCodes(rpcUrl, [singletonAddress])
  if (code === '0x') await sendAll(rpcUrl, sender, [create2Send(singletonFactory, singleton.bytecode)])

  const proxy = concatHex([
    readArtifact(version, version === '1.2.0' ? 'GnosisSafeProxy' : 'Proxy').bytecode,
    encodeAbiParameters([{ type: 'address' }], [singletonAddress]),
  ])
  const salt = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const address = create2Address(salt, proxy)
  // 1.0.0 has no fallback handler yet.
  const handler = version === '1.0.0' ? [] : [zeroAddress]
  const setup = encodeFunctionData({
    abi: singleton.abi,
    functionName: 'setup',
    args: [owners, BigInt(threshold), zeroAddress, '0x', ...handler, zeroAddress, 0n, zeroAddress],
  })
  await sendAll(rpcUrl, sender, [
    { to: singletonFactory, data: concatHex([salt, proxy]), gas: 1_000_000n },
    { to: address, data: setup, gas: 1_000_000n },
  ])
  return address
}

function readArtifact(version: LegacySafeVersion, name: string): { abi: Abi; bytecode: Hex } {
  return packages(`safe-contracts-${version}/build/contracts/${name}.json`)
}

function create2Address(salt: Hex, bytecode: Hex): Address {
  return getContractAddress({ opcode: 'CREATE2', from: singletonFactory, salt, bytecode })
}
