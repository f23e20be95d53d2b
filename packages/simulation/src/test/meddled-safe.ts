import { type Devnet, demoAccounts, deployMeddler, deploySafe, startDevnet } from '@countersign/devnet'
import type { SafeTxRun } from '@countersign/review'
import { newSafeTx, type SafeTx } from '@countersign/safe'
import { type Address, numberToHex } from 'viem'
import { type TestNode, testNode } from './chain.ts'

export const chainId = 31337
export const [first, second, stranger] = demoAccounts
export const owners: readonly Address[] = [first.address, second.address]

/** A chain of its own with a Safe that two of two owners hold, one ether in it, and a contract that does as it is told. */
export type MeddledSafe = {
  devnet: Devnet
  node: TestNode
  safeAddress: Address
  meddler: Address
}

export async function startMeddledSafe(version: '1.3.0' | '1.4.1'): Promise<MeddledSafe> {
  const devnet = await startDevnet({ port: 0 })
  const { rpcUrl } = devnet
  const node = testNode(rpcUrl)
  const safeAddress = await deploySafe({ rpcUrl, chainId, version, owners, threshold: 2, saltNonce: 77n })
  const meddler = await deployMeddler(rpcUrl, stranger.address)
  await node.request({ method: 'anvil_setBalance', params: [safeAddress, numberToHex(10n ** 18n)] })
  await node.request({ method: 'evm_mine' })
  return { devnet, node, safeAddress, meddler }
}

/** The run of a transaction of that Safe, by a stranger, as if both owners had confirmed it. */
export function runOfSafe(
  safeAddress: Address,
  version: SafeTxRun['version'],
  fields: Partial<SafeTx> & Pick<SafeTx, 'to'>,
  more: Partial<SafeTxRun> = {},
): SafeTxRun {
  return {
    kind: 'safe-transaction',
    safeAddress,
    version,
    owners,
    threshold: 2,
    safeTx: newSafeTx({ nonce: 0n, ...fields }),
    confirmations: [],
    executor: stranger.address,
    ...more,
  }
}
