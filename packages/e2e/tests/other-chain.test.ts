import { createServer, type Server } from 'node:http'
import { requestNode, startDevnet } from '@countersign/devnet'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import { decodeMultiSend } from '@countersign/safe/calls'
import {
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  names,
  openConnectDialog,
  openTransaction,
  propose,
  safePath,
  safeTxHashOf,
  sectionPath,
  statusText,
  tickAll,
  walletEntry,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readChains,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

/** Gnosis Chain's, so that descriptors of the release bind contracts here. */
const chainId = 100
let scene: Scene
let node: Awaited<ReturnType<typeof startDevnet>>
/** The Transaction Service that the team comes from, and what it answers. */
let service: Server
let answer = '<html>'
/** Answers in the place of that one, by where a page begins. */
let answerAt: ((offset: number) => string) | null = null

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  const servicePort = await freePort()
  // Slow enough that a review is asked for before it has answered which nonces are taken there.
  service = createServer((request, response) => {
    const offset = Number(new URL(request.url ?? '', 'http://service').searchParams.get('offset'))
    if (answerAt) response.end(answerAt(offset))
    else setTimeout(() => response.end(answer), 3_000)
  })
  service.listen(servicePort, '127.0.0.1')
  scene = await startScene({
    configuration: {
      chains: [
        {
          chainId,
          name: 'Another chain',
          rpcUrls: [node.rpcUrl],
          bringFrom: { url: `http://127.0.0.1:${servicePort}/api` },
        },
      ],
    },
    rpcUrl: node.rpcUrl,
    chainId,
    version: '1.3.0',
  })
})
afterAll(async () => {
  await scene?.close()
  await node?.close()
  service?.close()
})
afterEach(() => scene?.closeOwners())

describe('a chain from the configuration', () => {
  test('behavior: no devnet and no Demo wallet', async () => {
    expect(await readChains(scene.product.url)).toMatchObject([{ chainId, isDevnet: false, status: 'ok' }])
    expect(scene.product.output()).not.toContain('31337')
    const anna = await scene.owner(team.anna.privateKey)
    await anna.page.goto(anna.url)
    await openConnectDialog(anna.page)
    await walletEntry(anna.page, anna.wallet.name).waitFor()
    expect(await anna.page.getByText(names.demoWallet).count()).toBe(0)
  })

  test('behavior: a Safe 1.3.0 is added by address, its transaction proposed, confirmed and executed', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    const safeTxHash = await propose(anna, safe.safeAddress, { to: team.stranger.address, amount: '2' })
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await confirmButton(bruno.page).click()
    await executeButton(anna.page).click()
    for (const owner of [anna, bruno]) await statusText(owner.page, names.executed).waitFor()
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    expect(await chain.getBalance({ address: safe.safeAddress })).toBe(parseEther('3'))
  })
})

describe('functions that the release has a descriptor of', () => {
  /** The market of a lender there, by the ERC-7730 registry. */
  const market = getAddress('0xb50201558b00496a145fe76f7424749556e326d8')
  const abi = parseAbi([
    'function repayWithATokens(address asset, uint256 amount, uint256 interestRateMode)',
    'function approvePositionManager(address positionManager, bool approve)',
  ])

  test('behavior: are filled in by their fields, names for numbers, encoded as typed, and read by the review', async () => {
    await requestNode(scene.rpcUrl, 'anvil_setCode', market, '0x0000')
    await requestNode(scene.rpcUrl, 'evm_mine')
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    await page.goto(`${anna.url}${safePath(chainId, safe.safeAddress)}/new`)
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
    const choose = (label: string, value: string) => page.getByLabel(label, { exact: true }).selectOption(value)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await choose('Type', 'function')
    for (const [index, { name, inputs }] of abi.entries()) {
      if (index > 0) await press('Add a call')
      await fill('Contract', market)
      await choose('Functions from', 'registry')
      await choose('Function', `${name}(${inputs.map(({ type }) => type).join()})`)
      await fill(`${inputs[0].name} (address)`, team.stranger.address)
      if (index > 0) await choose('approve (bool)', 'true')
      else {
        await fill('amount (uint256)', '1.5e6')
        expect(await page.getByLabel('interestRateMode (uint256)').locator('option').allTextContents()).toContain(
          '2 · variable',
        )
        await choose('interestRateMode (uint256)', '2')
      }
    }
    await press(names.review)
    await page.getByText('Approve Manager (PoolInstance,').first().waitFor()
    await page.getByText('All calls, one by one').click()
    // The first is read by the release's own list, too, and the registry names its number.
    const read = page.locator('[data-call-described]')
    await read.waitFor()
    expect(await read.textContent()).toMatch(/ERC-7730 registry of this release .*described by Aave DAO/)
    await page.getByText('interestRateMode: 2 is “variable”, by the ERC-7730 registry').waitFor()
    await tickAll(page)
    await press(names.propose)
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const { safeTx } = await readTransaction(script, await safeTxHashOf(page))
    const calls = decodeMultiSend(safeTx?.data ?? '0x').map(({ to, data }) => {
      const { functionName, args } = decodeFunctionData({ abi, data })
      return { to, functionName, args }
    })
    expect(calls).toEqual([
      { to: market, functionName: 'repayWithATokens', args: [team.stranger.address, 1_500_000n, 2n] },
      { to: market, functionName: 'approvePositionManager', args: [team.stranger.address, true] },
    ])
  })
})

describe('a descriptor that somebody attested', () => {
  test('behavior: names who did, whose signature the page has verified', async () => {
    const depository = getAddress('0xE226E4825CB215aBaFAd98fdd400583eAb6a594f')
    await requestNode(scene.rpcUrl, 'anvil_setCode', depository, '0x00')
    await requestNode(scene.rpcUrl, 'evm_mine')
    const safe = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    await addSafeByScript(script, safe.safeAddress)
    const abi = parseAbi(['function depositNative(bytes32 id, address receiver)'])
    const data = encodeFunctionData({ abi, args: [`0x${'12'.repeat(32)}`, safe.safeAddress] })
    const { safeTxHash } = await proposeByScript(script, safe, { to: depository, value: 1n, data, nonce: 0n })
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    const attested = anna.page.locator('[data-attested-by="0x3846c3A30E62075Fa916216b35EF04B8F53931f6"]')
    await attested.first().waitFor({ state: 'attached' })
    expect(await attested.first().textContent()).toMatch(/Attested on .* by Patrick Collins, Cyfrin, as the registry/)
  })
})

describe('another Transaction Service', () => {
  /** A page of it, with a payment that Bruno has signed. */
  async function pageWith(safe: SafeAt, nonce: bigint): Promise<string> {
    const safeTx = newSafeTx({ to: team.stranger.address, value: 1n, nonce })
    const bruno = privateKeyToAccount(team.bruno.privateKey)
    const served = {
      ...safeTx,
      safe: safe.safeAddress,
      safeTxHash: hashSafeTx({ ...safe, safeTx }).safeTxHash,
      proposer: bruno.address,
      confirmations: [{ owner: bruno.address, signature: await signSafeTx(bruno, safe, safeTx) }],
    }
    return JSON.stringify({ next: 'https://elsewhere.example/', results: [served] }, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  }

  test('behavior: what waits only there is told, counted, and brought by a button', async () => {
    const safe = await scene.newSafe()
    const { host } = new URL(`http://127.0.0.1:${(service.address() as { port: number }).port}`)
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    const queue = `${anna.url}${sectionPath(chainId, safe.safeAddress, 'queue')}`
    await page.goto(queue)
    await page.getByText(`${host} did not answer: what waits only there is not known.`).waitFor()
    await page.goto(`${anna.url}${safePath(chainId, safe.safeAddress)}/new`)
    await page.getByText(`${host} did not answer: what waits there is not counted.`).waitFor()

    answer = await pageWith(safe, 0n)
    await page.goto(`${anna.url}${safePath(chainId, safe.safeAddress)}/new`)
    await page.getByText(`What waits at ${host} is counted, too.`).waitFor()
    expect(await page.getByLabel('Nonce', { exact: true }).inputValue()).toBe('1')
    await page.goto(queue)
    await page.getByText(`1 proposal waits at ${host} and not here.`).waitFor()
    await page.getByRole('link', { name: 'Import what is there' }).click()
    await page.getByText('From a Safe Transaction Service', { exact: true }).click()
    await page.getByRole('button', { name: `Fetch from ${host}` }).click()
    await page.getByText('1 proposal found.').waitFor()
    await page.getByRole('button', { name: 'Import proposals' }).click()
    await page.getByText('New proposals: 1. New confirmations: 1.').waitFor()
    const askedAgain = page.waitForResponse(/other-service/)
    await page.goto(queue)
    await page.locator('main a[href*="/transactions/0x"]').first().waitFor()
    await askedAgain
    expect(await page.locator('[data-only-there]').count()).toBe(0)
  })

  test('behavior: more than 500 that wait there: what is not read is told, and read on', async () => {
    const safe = await scene.newSafe()
    const { host } = new URL(`http://127.0.0.1:${(service.address() as { port: number }).port}`)
    const signed = (JSON.parse(await pageWith(safe, 600n)) as { results: object[] }).results
    const unsigned = Array.from({ length: 700 }, (_, nonce) => {
      const safeTx = newSafeTx({ to: team.stranger.address, nonce: BigInt(nonce) })
      const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
      const fields = Object.entries(safeTx).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? String(value) : value,
      ])
      return { ...Object.fromEntries(fields), safe: safe.safeAddress, safeTxHash, confirmations: [] }
    })
    const waiting = [...unsigned, ...signed]
    answerAt = (offset) => JSON.stringify({ count: 701, results: waiting.slice(offset, offset + 100) })
    try {
      const anna = await scene.owner(team.anna.privateKey)
      const { page } = anna
      await comeBack(anna)
      await addSafe(anna, safe.safeAddress)
      await page.goto(`${anna.url}${safePath(chainId, safe.safeAddress)}/new`)
      await page.getByText(`201 more wait at ${host} behind the 500 that are read, and are not counted.`).waitFor()
      await page.goto(`${anna.url}${sectionPath(chainId, safe.safeAddress, 'queue')}`)
      await page.getByText(`201 more transactions wait at ${host} behind the 500 that are read`).waitFor()
      await page.goto(`${anna.url}${sectionPath(chainId, safe.safeAddress, 'settings')}`)
      await page.getByText('From a Safe Transaction Service', { exact: true }).click()
      await page.getByRole('button', { name: `Fetch from ${host}` }).click()
      await page.getByText('500 at most are read at a time, here from number 1 on. Left: 201.').waitFor()
      await page.getByRole('button', { name: 'Read the next 500' }).click()
      await page.getByText('201 proposals found.').waitFor()
      await page.getByText('500 at most are read at a time, here from number 501 on. Left: 0.').waitFor()
      await page.getByRole('button', { name: 'Import proposals' }).click()
      await page.getByText('New proposals: 1. New confirmations: 1.').waitFor()
    } finally {
      answerAt = null
    }
  })
})
