import { testContracts } from '@countersign/devnet'
import {
  addSafeByScript,
  newOwner,
  newSafe,
  type Owner,
  proposeByScript,
  rpcUrlOf,
  signIn,
  signInByScript,
  startBrowser,
  startProduct,
  team,
  transactionPath,
} from '@countersign/e2e'
import type { ReviewInput } from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Entry, type Measurement, median } from '../entry.ts'
import { type Core, loadBundled, timeEach } from '../page/bundled-core.ts'

const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const token: Address = '0x4444444444444444444444444444444444444444'
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const chainId = 1
const version = '1.4.1'
const sizes = [1, 50, 500] as const
const OPENINGS = 5
const MAX_RECOVERIES = 25

/** Measures a review: its computation alone, and from opening a page until its verdict stands. */
export const review: Entry = {
  name: 'review',
  about: 'processor time of the static review of batches, and from opening the page to its complete verdict',
  async run() {
    const core = await loadBundled()
    const recovery = await measureRecovery(core)
    const ofShapes: Measurement[] = []
    for (const shape of ['payments', 'mixed'] as const) {
      for (const calls of sizes) ofShapes.push(await measureStatic(core, shape, calls, recovery))
    }
    const line = { what: 'signature recovery, processor time', value: recovery, unit: 'ms' }
    return [line, ...ofShapes, ...(await measurePages(core, recovery))]
  },
}

async function measureRecovery(core: Core): Promise<number> {
  const hash = keccak256('0x01')
  const signature = await account.sign({ hash })
  const [took = 0] = await timeEach([() => core.recoverConfirmation(hash, signature)], 20)
  return took
}

type Shape = 'payments' | 'mixed'

/** The full review of a batch with two signatures and everything that a page reads, each time as if it were new. */
async function measureStatic(core: Core, shape: Shape, calls: number, recovery: number): Promise<Measurement> {
  const library = released(core, 'multi-send-call-only')
  const entries = Array.from({ length: calls }, (_, index) => ({ value: 0n, ...callOf(core, shape, index) }))
  const safeTx = core.newSafeTx({ to: library.address, data: core.encodeMultiSend(entries), operation: 1, nonce: 5n })
  const input = await inputOf(core, safeTx, library)
  const reviewed = await core.reviewSafeTx(input)
  // Nothing is run here: that is measured by itself.
  const closed = core.demandsOf(reviewed).find(({ way, finding: { id, evidence } }) => {
    const isRun = id === 'INPUT-MISSING' && evidence.check === 'simulation'
    return way === 'never' && !isRun
  })
  if (closed) throw new Error(`the batch of ${calls} ends as ${reviewed.verdict}: ${closed.finding.id}`)
  // A review keeps what it read of a transaction by its object: a copy is read anew.
  const once = () => core.reviewSafeTx({ ...input, safeTx: { ...safeTx } })
  const [value = 0] = await timeEach([once], Math.max(4, Math.round(100 / calls)))
  const peer = { what: 'one recovery', value: recovery }
  const measurement = { what: `static review, ${shape}, ${calls}`, value, unit: 'ms', peer }
  return calls === 500 ? { ...measurement, goal: { value: MAX_RECOVERIES * recovery, isAtMost: true } } : measurement
}

function callOf({ erc20Abi }: Core, shape: Shape, index: number): { to: Address; data: Hex } {
  const other = getAddress(`0x${keccak256(toHex(index)).slice(26)}`)
  const args = [other, BigInt(index + 1)] as const
  // Each second call of a mixed batch lets another contract take tokens.
  const functionName = shape === 'mixed' && index % 2 === 1 ? 'approve' : 'transfer'
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName, args }) }
}

function released(core: Core, kind: 'singleton' | 'multi-send-call-only') {
  const found = core.officialDeployment(kind, version)
  if (found?.codeHash == null) throw new Error(`there is no ${kind} ${version}`)
  return { address: found.address, codeHash: found.codeHash }
}

const code = { codeHash: keccak256('0x01'), size: 1 }

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
      ...Object.fromEntries(core.codeTargets({ safeAddress, safeTx }).map((target) => [target.toLowerCase(), code])),
      [library.address.toLowerCase()]: { codeHash: library.codeHash, size: 1 },
    },
    confirmations: [await sign(account), await sign(other)],
    others: [],
    account: account.address,
    origin: null,
    tokens: [{ address: token, symbol: 'TUSD', decimals: 6 }],
    balances: { [token]: 10n ** 12n },
    nodeChainId: chainId,
  }
}

/** From opening the page of a transaction until its verdict stands, in a browser that has its code already. */
async function measurePages(core: Core, recovery: number): Promise<Measurement[]> {
  await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
  const browser = await startBrowser()
  try {
    const rpcUrl = rpcUrlOf(product)
    const safe = await newSafe({ rpcUrl, chainId: 31337, version })
    const script = await signInByScript(product.url, team.anna.privateKey, safe.chainId)
    await addSafeByScript(script, safe.safeAddress)
    await using bruno = await newOwner(browser, {
      privateKey: team.bruno.privateKey,
      rpcUrl,
      chainId: safe.chainId,
      url: product.url,
    })
    await signIn(bruno)
    const measured: Measurement[] = []
    for (const [nonce, calls] of sizes.entries()) {
      const { safeTxHash } = await proposeByScript(script, safe, { ...paymentsOf(core, calls), nonce: BigInt(nonce) })
      const path = transactionPath(safe.chainId, safe.safeAddress, safeTxHash)
      const opened: Opening[] = []
      for (let count = 0; count <= OPENINGS; count++) opened.push(await open(bruno, `${product.url}${path}`))
      measured.push(...linesOf(calls, opened.slice(1), recovery))
    }
    return measured
  } finally {
    await browser.close()
  }
}

function paymentsOf(core: Core, calls: number): Pick<SafeTx, 'to' | 'data' | 'operation'> {
  const transfer = (index: number) => ({
    value: 0n,
    ...callOf(core, 'payments', index),
    to: testContracts.erc20.address,
  })
  if (calls === 1) return { ...transfer(0), operation: 0 }
  const entries = Array.from({ length: calls }, (_, index) => transfer(index))
  return { to: released(core, 'multi-send-call-only').address, data: core.encodeMultiSend(entries), operation: 1 }
}

type Opening = { milliseconds: number; roundTrips: number; questions: number }

/** One opening. A round trip is one request to the node through the server; it carries many questions. */
async function open({ page }: Owner, url: string): Promise<Opening> {
  let [roundTrips, questions] = [0, 0]
  const count = (request: { url(): string; postData(): string | null }) => {
    if (!/\/api\/chains\/\d+\/rpc$/.test(request.url())) return
    const asked: unknown = JSON.parse(request.postData() ?? '[]')
    roundTrips++
    questions += Array.isArray(asked) ? asked.length : 1
  }
  page.on('request', count)
  const started = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('[data-verdict]').first().waitFor()
  const milliseconds = performance.now() - started
  page.off('request', count)
  return { milliseconds, roundTrips, questions }
}

function linesOf(calls: number, opened: readonly Opening[], recovery: number): Measurement[] {
  const middle = (name: keyof Opening) => median(opened.map((opening) => opening[name]))
  const peer = { what: 'one recovery', value: recovery }
  return [
    { what: `opening to verdict, ${calls}`, value: middle('milliseconds'), unit: 'ms', peer },
    { what: `round trips to the node, ${calls}`, value: middle('roundTrips'), unit: '' },
    { what: `questions in them, ${calls}`, value: middle('questions'), unit: '' },
  ]
}
