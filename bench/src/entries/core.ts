import { gzipSync } from 'node:zlib'
import { calculateSafeTransactionHash } from '@safe-global/protocol-kit'
import { recoverAddress as ethersRecover, TypedDataEncoder } from 'ethers'
import { type Address, encodeFunctionData, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Entry, Measurement } from '../entry.ts'
import { bundle, type Core, loadBundled, timeEach } from '../page/bundled-core.ts'

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const token: Address = '0x4444444444444444444444444444444444444444'
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const chainId = 1
const version = '1.4.1'

/** Measures the computation of a hash and of a signature in a browser, without network and without the product around it. */
export const core: Entry = {
  name: 'core',
  about: 'processor time of hash and signature recovery, beside ethers and protocol-kit; size of the review',
  async run() {
    const ours = await loadBundled()
    return [...(await measureHash(ours)), ...(await measureRecovery(ours)), ...(await measureSize())]
  },
}

async function measureHash(core: Core): Promise<Measurement[]> {
  const safeTx = core.newSafeTx({
    to: token,
    data: encodeFunctionData({ abi: core.erc20Abi, functionName: 'transfer', args: [account.address, 1n] }),
    nonce: 5n,
  })
  const types = {
    SafeTx: ['to address', 'value uint256', 'data bytes', 'operation uint8', 'safeTxGas uint256', 'baseGas uint256']
      .concat('gasPrice uint256', 'gasToken address', 'refundReceiver address', 'nonce uint256')
      .map((field) => ({ name: field.split(' ')[0] ?? '', type: field.split(' ')[1] ?? '' })),
  }
  const plain = { ...safeTx, value: '0', safeTxGas: '0', baseGas: '0', gasPrice: '0', nonce: 5 }
  const ours = () => core.hashSafeTx({ chainId, safeAddress, version, safeTx }).safeTxHash
  const ethers = () => TypedDataEncoder.hash({ chainId, verifyingContract: safeAddress }, types, safeTx)
  const kit = () => calculateSafeTransactionHash(safeAddress, plain, version, BigInt(chainId))
  if (ours() !== ethers() || ours() !== kit()) throw new Error('the three hashes differ')
  const took = await timeEach([ours, ethers, kit], 100)
  const [own = 0, byEthers = 0, byKit = 0] = took
  return [
    { what: 'safeTxHash', value: own, unit: 'ms', peer: { what: 'ethers 6', value: byEthers } },
    { what: 'safeTxHash', value: own, unit: 'ms', peer: { what: 'protocol-kit 8', value: byKit } },
  ]
}

async function measureRecovery(core: Core): Promise<Measurement[]> {
  const hash = keccak256('0x01')
  const signature = await account.sign({ hash })
  const [own = 0, byEthers = 0] = await timeEach(
    [() => core.recoverConfirmation(hash, signature), () => ethersRecover(hash, signature)],
    20,
  )
  return [{ what: 'signature recovery', value: own, unit: 'ms', peer: { what: 'ethers 6', value: byEthers } }]
}

/** Measures the code that a page loads for the review, with all that it needs; beside it, the peer's for the hash alone. */
async function measureSize(): Promise<Measurement[]> {
  const own = await bundledSize("export { reviewSafeTx } from '@countersign/review'")
  const kit = await bundledSize("export { calculateSafeTransactionHash } from '@safe-global/protocol-kit'")
  return [
    {
      what: 'JavaScript of the review, minified, gzip',
      value: own,
      unit: 'B',
      peer: { what: 'protocol-kit 8, for the hash alone', value: kit },
    },
  ]
}

async function bundledSize(source: string): Promise<number> {
  return gzipSync(await bundle(source), { level: 9 }).length
}
