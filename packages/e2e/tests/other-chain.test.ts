import { requestNode, startDevnet } from '@countersign/devnet'
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
  statusText,
  tickAll,
  walletEntry,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readChains,
  readTransaction,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

/** Gnosis Chain's, so that descriptors of the release bind contracts here. */
const chainId = 100
let scene: Scene
let node: Awaited<ReturnType<typeof startDevnet>>

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  scene = await startScene({
    configuration: {
      chains: [
        {
          chainId,
          name: 'Another chain',
          rpcUrls: [node.rpcUrl],
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
