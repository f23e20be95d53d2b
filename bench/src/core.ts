import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { ReviewInput, SafeTx } from '@countersign/safe-core'
import { calculateSafeTransactionHash } from '@safe-global/protocol-kit'
import { recoverAddress as ethersRecover, TypedDataEncoder } from 'ethers'
import { build } from 'rolldown'
import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Entry, type Measurement, median } from './entry.ts'

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const token: Address = '0x4444444444444444444444444444444444444444'
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const chainId = 1
const version = '1.4.1'

/** What a browser computes for a review, without network and without the product around it. */
export const core: Entry = {
  name: 'core',
  about:
    'processor time of hash, signature recovery and full static review, beside ethers and protocol-kit for what they do too',
  async run() {
    const reviews: Measurement[] = []
    const ours = await loadBundled()
    for (const calls of [1, 10, 100, 500]) reviews.push(await measureReview(ours, calls))
    return [...(await measureHash(ours)), ...(await measureRecovery(ours)), ...reviews, ...(await measureSize())]
  },
}

type Core = typeof import('@countersign/safe-core')

/** The code as a page gets it: bundled and minified. */
async function loadBundled(): Promise<Core> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const file = join(folder, 'core.mjs')
  writeFileSync(file, await bundle("export * from '@countersign/safe-core'"))
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function transferOf({ erc20Abi }: Core, index: number): Hex {
  const to = getAddress(`0x${keccak256(toHex(index)).slice(26)}`)
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, BigInt(index + 1)] })
}

async function measureHash(core: Core): Promise<Measurement[]> {
  const safeTx = core.newSafeTx({ to: token, data: transferOf(core, 0), nonce: 5n })
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

/** A batch of token transfers to as many recipients, with two signatures, and everything known that a page reads. */
async function measureReview(core: Core, calls: number): Promise<Measurement> {
  const library = released(core, 'multi-send-call-only')
  const entries = Array.from({ length: calls }, (_, index) => ({ to: token, value: 0n, data: transferOf(core, index) }))
  const safeTx = core.newSafeTx({ to: library.address, data: core.encodeMultiSend(entries), operation: 1, nonce: 5n })
  const input = await inputOf(core, safeTx, library)
  const { findings, verdict } = await core.reviewSafeTx(input)
  if (verdict !== 'matches') throw new Error(`the batch of ${calls} ends as ${verdict}: ${findings[0]?.id}`)
  const [own = 0] = await timeEach([() => core.reviewSafeTx(input)], Math.max(4, Math.round(100 / calls)))
  const measurement = { what: `full static review, batch of ${calls}`, value: own, unit: 'ms' }
  return calls === 500 ? { ...measurement, goal: { value: 50, isAtMost: true } } : measurement
}

function released(core: Core, kind: 'singleton' | 'multi-send-call-only') {
  const found = core.officialDeployment(kind, version)
  if (found?.codeHash == null) throw new Error(`there is no ${kind} ${version}`)
  return { address: found.address, codeHash: found.codeHash }
}

async function inputOf(core: Core, safeTx: SafeTx, library: { address: Address; codeHash: Hex }): Promise<ReviewInput> {
  const other = privateKeyToAccount(`0x${'02'.repeat(32)}`)
  const singleton = released(core, 'singleton')
  const { safeTxHash } = core.hashSafeTx({ chainId, safeAddress, version, safeTx })
  const sign = async (owner: typeof account) => ({
    owner: owner.address,
    signature: await owner.sign({ hash: safeTxHash }),
  })
  return {
    kind: 'transaction',
    chainId,
    safeAddress,
    safeTx,
    claimedHash: safeTxHash,
    state: {
      chainId,
      address: safeAddress,
      blockNumber: 1n,
      owners: [account.address, other.address],
      threshold: 2,
      nonce: 5n,
      proxyCodeHash: keccak256('0x'),
      isOfficialProxy: true,
      singleton: singleton.address,
      singletonCodeHash: singleton.codeHash,
      version,
      reportedVersion: version,
      modules: [],
      guard: null,
      moduleGuard: null,
      fallbackHandler: null,
      balance: 0n,
    },
    codes: {
      [library.address.toLowerCase()]: { codeHash: library.codeHash, size: 1 },
      [token]: { codeHash: keccak256('0x01'), size: 1 },
    },
    confirmations: [await sign(account), await sign(other)],
    others: [],
    account: account.address,
    origin: null,
    tokens: [{ address: token, symbol: 'TUSD', decimals: 6 }],
    balances: { [token]: 10n ** 12n },
    nodeChainId: chainId,
    sources: 'server-only',
  }
}

const blocks = 9

/**
 * Milliseconds of processor time for each, once: what else the machine does does not count, as it does by the clock.
 * The median of several blocks of runs, taken in turns.
 */
async function timeEach(what: readonly (() => unknown)[], runs: number): Promise<number[]> {
  const times: number[][] = what.map(() => [])
  for (let block = -1; block < blocks; block++) {
    for (const [index, one] of what.entries()) {
      const before = process.cpuUsage()
      for (let run = 0; run < runs; run++) await one()
      const { user, system } = process.cpuUsage(before)
      // The first block warms up.
      if (block >= 0) times[index]?.push((user + system) / 1000 / runs)
    }
  }
  return times.map(median)
}

/** What a page loads for the review, with everything that it needs; beside it, what the peer needs for the hash alone. */
async function measureSize(): Promise<Measurement[]> {
  const own = await bundledSize("export { reviewSafeTx } from '@countersign/safe-core'")
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

async function bundle(source: string): Promise<string> {
  const { output } = await build({
    input: 'entry',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === 'entry' ? `${import.meta.dirname}/entry-of-bundle.js` : null),
        load: (id: string) => (id.endsWith('/entry-of-bundle.js') ? source : null),
      },
    ],
    output: { minify: true, codeSplitting: false },
  })
  return output.map((one) => (one.type === 'chunk' ? one.code : '')).join('')
}
