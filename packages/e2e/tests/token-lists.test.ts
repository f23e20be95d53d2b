import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deployHostileToken, requestNode, testContractAbi, testContracts } from '@countersign/devnet'
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, type Owner, safePath, sectionPath, signIn, transactionPath } from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let host: Server
let old: Address
let odd: Address
let imitation: Address

/** Content that the host of the list gives: the addresses are known once the chain runs. */
let list = ''
let prices = ''

beforeAll(async () => {
  host = createServer(({ url }, response) => {
    const content = url === '/prices.json' ? prices : list
    response.writeHead(content === '' ? 503 : 200).end(content)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as AddressInfo
  const tokenLists = [{ url: `http://127.0.0.1:${port}/tokens.json` }]
  const sources = [{ url: `http://127.0.0.1:${port}/prices.json` }]
  scene = await startScene({
    configuration: {
      chains: [],
      tokenLists,
      access: { admins: [team.anna.address] },
      prices: { currency: 'USD', sources },
    },
  })
  safe = await scene.newSafe()
  old = await sendHostile('has its texts in one word')
  odd = await sendHostile('has 255 decimals')
  imitation = await sendHostile('imitates the test token, with a name that reorders')
  const entry = { chainId: scene.chainId, name: 'Token of the list', decimals: 6 }
  list = JSON.stringify({
    name: 'Our list',
    timestamp: '2026-11-01T00:00:00Z',
    version: { major: 1, minor: 2, patch: 3 },
    tokens: [
      { ...entry, address: old, symbol: 'OLDT' },
      { ...entry, address: odd, symbol: 'ODDT' },
      { ...entry, address: imitation, symbol: 'TUSD' },
    ],
  })
  const priced = { chainId: scene.chainId, at: new Date(Date.now() - 3_600_000).toISOString() }
  prices = JSON.stringify({
    currency: 'USD',
    prices: [
      { ...priced, token: 'native', price: '2000' },
      { ...priced, token: old, price: '1.5' },
      { ...priced, token: testContracts.erc20.address, price: '1' },
      // Nobody lists it under its name: a source alone makes it worth nothing.
      { ...priced, token: imitation, price: '1000000' },
    ],
  })
  // The host had nothing to give at the start; a new one asks at once.
  process.kill(scene.product.pid, 'SIGHUP')
  await vi.waitUntil(() => scene.product.output().includes('The server runs again'), { timeout: 60_000 })
  anna = await scene.owner(team.anna.privateKey)
  await signIn(anna)
  await addSafe(anna, safe.safeAddress)
})
afterAll(async () => {
  await scene?.close()
  host?.closeAllConnections()
  await new Promise((resolve) => host?.close(resolve))
})
afterEach(() => anna?.watch.assertNone())

async function sendHostile(manner: Parameters<typeof deployHostileToken>[2]): Promise<Address> {
  const token = await deployHostileToken(scene.rpcUrl, team.relayer.address, manner)
  const data = encodeFunctionData({
    abi: testContractAbi('HostileToken'),
    functionName: 'pretend',
    args: [safe.safeAddress, 1n],
  })
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: token, data })
  return token
}

test('default: assets are named by the list, which is named itself; what it says otherwise than the contract is no amount', async () => {
  const { page, url } = anna
  await page.goto(`${url}${sectionPath(safe.chainId, safe.safeAddress, 'assets')}`)
  const listed = page.getByRole('list', { name: 'Native coin and listed tokens' })
  const row = listed.getByRole('listitem').filter({ hasText: 'OLDT' })
  await row.getByText('Listed by Our list').waitFor()
  expect(await row.textContent()).toMatch(/^5\s*OLDT/)
  // No token has 255 decimals: the word of the list alone makes no amount.
  await listed
    .locator('[data-decimals="none"]')
    .getByText(/^5,000,000\s*ODDT, base units$/)
    .waitFor()
  // It wears the symbol of a token that the configuration names.
  const fake = page.locator(`[data-token="${imitation}"]`)
  await fake.getByText('Not the real TUSD').waitFor()
  expect(await listed.getByText('OLDT').count()).toBe(1)
})

test('behavior: the chains page tells what is used of the list, what is not, and why; and which host is asked', async () => {
  const { page, url } = anna
  await page.goto(`${url}/chains`)
  const list = page.locator('[data-token-list="url"]')
  await list.getByText('Our list').waitFor()
  expect(await list.textContent()).toMatch(/1\.2\.3.*tokens\.json.*2 tokens of Devnet/)
  await list.getByText('1 entry is not used').click()
  await list.locator('[data-refused="imitates"]').getByText(imitation).waitFor()
  await page
    .locator('[data-outbound="token-list"]')
    .getByText(/^127\.0\.0\.1:/)
    .waitFor()
})

test('behavior: a review calls the token as the list does, on the page and in the queue', async () => {
  const { page, url } = anna
  const byScript = await signInByScript(url, team.anna.privateKey, scene.chainId)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [team.bruno.address, 2_000_000n] })
  const { safeTxHash } = await proposeByScript(byScript, safe, { to: old, data, nonce: 0n })
  await page.goto(`${url}${transactionPath(safe.chainId, safe.safeAddress, safeTxHash)}`)
  await page.getByRole('heading', { name: /Send 2 OLDT to/ }).waitFor()
  await page.locator('[data-verdict]').first().waitFor()
  expect(await page.locator('[data-finding="TOKEN-UNLISTED"]').count()).toBe(0)
  // A list that names other decimals than the contract would have an owner sign for another amount.
  const shifted = await proposeByScript(byScript, safe, { to: odd, data, nonce: 0n })
  await page.goto(`${url}${transactionPath(safe.chainId, safe.safeAddress, shifted.safeTxHash)}`)
  await page.locator('[data-verdict="do-not-sign"]').first().waitFor()
  expect(await page.locator('[data-finding="TOKEN-DECIMALS"]').first().textContent()).toMatch(/ODDT.*6.*255/s)
  await page.goto(`${url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
  await page
    .getByText(/Send 2 OLDT to/)
    .first()
    .waitFor()
})

test('default: values of a source beside assets, in My Safes, in a form and in the history, with who says so', async () => {
  const { page, url } = anna
  const place = [safe.chainId, safe.safeAddress] as const
  await page.goto(`${url}${sectionPath(...place, 'assets')}`)
  // 5 ETH and 5 OLDT: what has no price, and what only imitates, is not counted.
  const total = page.locator('[data-total="1000750"]')
  await total.getByText(/^≈ (US)?\$10,007\.50$/).waitFor()
  await total.getByText('Who says so, and when').click()
  await total.getByText(/^price by 127\.0\.0\.1:\d+\/prices\.json, 1 hr\.? ago$/).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'OLDT' })
    .getByText(/^≈ (US)?\$7\.50$/)
    .waitFor()
  expect(await page.locator(`[data-token="${imitation}"] [data-value]`).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.goto(url)
  await page.locator('[data-total="1000750"]').getByText('Value of 1 Safe: what has a price here.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${url}${safePath(...place)}/new`)
  await page.getByLabel('Amount', { exact: true }).fill('0.25')
  await page
    .locator('[data-value="50000"]')
    .getByText(/≈ (US)?\$500\.00/)
    .waitFor()
  await page.goto(`${url}${sectionPath(...place, 'history')}`)
  const row = page.locator('[data-history-row]').filter({ hasText: 'Received 5 ETH' })
  await row.locator('summary').click()
  await row
    .locator('[data-value-then="1000000"]')
    .getByText(/≈ (US)?\$10,000\.00 when it happened/)
    .waitFor()
  await page.goto(`${url}/chains`)
  await page.locator('[data-price-source="url"]').getByText('4 prices').waitFor()
  await page
    .locator('[data-outbound="prices"]')
    .getByText(/^127\.0\.0\.1:/)
    .waitFor()
})

/** Code that gives whoever calls it the test token: 1,000 for anything. */
function exchangeCode(amount: bigint): Hex {
  const mint = concat(['0x63', '0x40c10f19', '0x60e01b600052'])
  const words = concat(['0x33600452', '0x7f', toHex(amount, { size: 32 }), '0x602452'])
  return concat([mint, words, '0x6000600060446000600073', testContracts.erc20.address, '0x5af100'])
}

test('behavior: a swap that the run confirms at half its worth is answered with both amounts and values', async () => {
  const { page, url } = anna
  const exchange: Address = '0x00000000000000000000000000000000000e8c4a'
  await requestNode(scene.rpcUrl, 'anvil_setCode', exchange, exchangeCode(1_000_000_000n))
  await requestNode(scene.rpcUrl, 'evm_mine')
  const byScript = await signInByScript(url, team.anna.privateKey, scene.chainId)
  const abi = parseAbi(['function swapExactETHForTokens(uint256,address[],address,uint256)'])
  const path = [exchange, testContracts.erc20.address]
  const data = encodeFunctionData({ abi, args: [990_000_000n, path, safe.safeAddress, 2_000_000_000n] })
  const fields = { to: exchange, value: parseEther('1'), data, nonce: 0n }
  const { safeTxHash } = await proposeByScript(byScript, safe, fields)
  await page.goto(`${url}${transactionPath(safe.chainId, safe.safeAddress, safeTxHash)}`)
  const found = page.locator('[data-finding="SWAP-WORTH-LESS"]').first()
  await found.waitFor()
  expect(await found.textContent()).toMatch(/1 ETH.*1,000 TUSD/s)
  await page.getByText(/costs about 1 ETH \(2000\.00 USD\) and returns about 1,000 TUSD \(1000\.00 USD\)/).waitFor()
  await page.goto(`${url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
  await page.locator('[data-listed-verdict="matches-with-warnings"]').first().waitFor()
})
