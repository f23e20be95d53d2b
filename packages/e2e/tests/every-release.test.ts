import { deployOldSafe, deploySafe, testContracts } from '@countersign/devnet'
import { officialDeployment, readSafeState } from '@countersign/safe'
import type { Page } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  http,
  parseEther,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { widthsInTurn } from '../src/browser/widths.ts'
import {
  addSafe,
  comeBack,
  executeButton,
  names,
  safePath,
  safeTxHashOf,
  statusText,
  tickAll,
  typeChange,
} from '../src/people/owner.ts'
import { addSafeByScript, confirmByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { fundCopies, fundItems, fundTokens, newSafe, sendAs, team, tokenBalance } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// Everything that most teams do, in one transaction of a Safe, and other code in the next: what the form said is what the
// chain has then. A soak does it for each release.

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const releases = ['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const

async function safeOf(version: (typeof releases)[number]): Promise<SafeAt> {
  const { rpcUrl, chainId } = scene
  if (version !== '1.1.1') return newSafe({ rpcUrl, chainId, version })
  const owners = [team.anna.address, team.bruno.address]
  // A Safe without a handler takes no items of ERC-1155.
  const fallbackHandler = officialDeployment('handler', '1.3.0')?.address ?? zeroAddress
  const old = { rpcUrl, chainId, version, owners, threshold: 2, saltNonce: BigInt(Date.now()), fallbackHandler }
  const safeAddress = await deployOldSafe(old)
  await sendAs(team.relayer.privateKey, rpcUrl, { to: safeAddress, value: parseEther('5') })
  return { chainId, version, safeAddress }
}

const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const choose = (page: Page, label: string, value: string | { label: string }) =>
  page.getByLabel(label, { exact: true }).selectOption(value)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A payment, a token, an item, several of another item, a function, data, one more owner, one more confirmation; each as a person writes it. */
async function compose(page: Page, tokenId: bigint, turn: () => Promise<void>): Promise<void> {
  await turn()
  await fill(page, names.recipient, team.stranger.address)
  await fill(page, names.amount, '0.5')
  await turn()
  await press(page, 'Add a payment')
  await choose(page, names.asset, { label: 'Test Dollar (TUSD)' })
  await fill(page, names.recipient, team.stranger.address)
  await fill(page, names.amount, '12.5')
  await turn()
  await press(page, 'Add a payment')
  await choose(page, 'Type', 'item')
  await fill(page, 'Collection', testContracts.erc721.address)
  await fill(page, 'Number of the item (token ID)', `${tokenId}`)
  await fill(page, names.recipient, team.stranger.address)
  await page.getByText('The Safe holds 1 of it.').waitFor()
  await turn()
  await press(page, 'Add a payment')
  await choose(page, 'Type', 'item')
  await choose(page, 'Kind of collection', 'erc1155')
  await fill(page, 'Collection', testContracts.erc1155.address)
  await fill(page, 'Number of the item (token ID)', `${tokenId}`)
  await fill(page, names.amount, '3')
  await fill(page, names.recipient, team.stranger.address)
  await page.getByText('The Safe holds 7 of it.').waitFor()
  await turn()
  await press(page, 'Add a call')
  await fill(page, 'Contract', testContracts.erc20.address)
  await fill(page, 'ABI', 'transfer(address to, uint256 amount)')
  await choose(page, 'Function', 'transfer(address,uint256)')
  await fill(page, 'to (address)', team.stranger.address)
  await fill(page, 'amount (uint256)', '2000000')
  await turn()
  await press(page, 'Add a call')
  await choose(page, 'Type', 'call')
  await fill(page, 'Contract', testContracts.erc20.address)
  const sent = [team.stranger.address, 3_000_000n] as const
  await fill(page, 'Data', encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: sent }))
  await turn()
  await press(page, 'Add a change of the Safe')
  await fill(page, 'Owner who joins', team.relayer.address)
  await turn()
  await press(page, 'Add a change of the Safe')
  await choose(page, 'Type', 'change-threshold')
  await choose(page, 'Confirmations needed', '3')
}

/** Answers each point of the review: ticks, and types what changes. */
async function answer(page: Page, address: Address): Promise<void> {
  await tickAll(page)
  for (const finding of await page.locator('[data-way="typed"]').all()) {
    const id = (await finding.getAttribute('data-demand')) ?? ''
    const isThreshold = id.includes('THRESHOLD')
    await typeChange(page, id, isThreshold ? '3' : address.slice(-6))
  }
}

/** The code that a Safe of a release gets, with the handler of that release or its own. */
const upgrades = {
  '1.1.1': { to: '1.5.0', code: 'l2', handler: '' },
  '1.3.0': { to: '1.4.1', code: 'l2', handler: '' },
  '1.4.1': { to: '1.5.0', code: 'plain', handler: 'keep' },
  '1.5.0': { to: '1.5.0', code: 'plain', handler: '' },
} as const

describe('a batch of payments and settings, and other code', () => {
  test.each(isSoak ? releases : (['1.3.0'] as const))(
    'behavior: of a Safe %s, as the form said it',
    async (version) => {
      const safe = await safeOf(version)
      const { chainId, safeAddress } = safe
      const tokenId = BigInt(Date.now())
      await fundTokens(scene, safeAddress)
      await fundItems(scene, safeAddress, [tokenId])
      await fundCopies(scene, safeAddress, { id: tokenId, count: 7n })
      const anna = await scene.owner(team.anna.privateKey)
      const { page } = anna
      await comeBack(anna)
      // A phone and a desk by turns: of each two releases one does on a phone what the other does on a desk.
      const turn = widthsInTurn(page, ['1.1.1', '1.4.1'].includes(version))
      await addSafe(anna, safeAddress)
      await page.goto(`${anna.url}${safePath(chainId, safeAddress)}/new`)
      await compose(page, tokenId, turn)
      await page.locator('[data-settings="now"]').getByText('Now · 2 of 2').waitFor()
      await page.locator('[data-settings="afterwards"]').getByText('Afterwards · 3 of 3').waitFor()
      await turn()
      await press(page, names.review)
      await answer(page, team.relayer.address)
      // Each item is said once to move, whatever its collection counts besides.
      const itemsOf = (collection: string) =>
        page
          .locator(`[data-moves-of="${safeAddress}"] [data-move="${collection}"]`)
          .evaluateAll((rows) => rows.map((row) => row.dataset.delta))
      expect(await itemsOf(testContracts.erc721.address)).toEqual(['-1'])
      expect(await itemsOf(testContracts.erc1155.address)).toEqual(['-3'])
      await press(page, names.propose)
      const chain = createPublicClient({ transport: http(scene.rpcUrl) })
      const { stranger } = team
      const [coins, tokens] = await Promise.all([chain.getBalance(stranger), tokenBalance(scene, stranger.address)])
      const safeTxHash = await safeTxHashOf(page)
      // The other owner signs by a script: what a second browser shows and signs is tested elsewhere, and this is run for each release.
      await confirmByScript(await signInByScript(scene.product.url, team.bruno.privateKey, chainId), safe, safeTxHash)
      // Before 1.3.0 a transaction that gets too little gas uses up its nonce and does nothing: the page gives enough.
      await turn()
      await answer(page, team.relayer.address)
      await executeButton(page).click()
      await statusText(page, names.executed).waitFor()
      expect((await chain.getBalance(stranger)) - coins).toBe(parseEther('0.5'))
      expect((await tokenBalance(scene, stranger.address)) - tokens).toBe(17_500_000n)
      const items = { address: testContracts.erc721.address, abi: erc721Abi }
      expect(await chain.readContract({ ...items, functionName: 'ownerOf', args: [tokenId] })).toBe(stranger.address)
      const copies = { address: testContracts.erc1155.address, abi: erc1155Abi, functionName: 'balanceOf' } as const
      expect(await chain.readContract({ ...copies, args: [stranger.address, tokenId] })).toBe(3n)
      expect(await chain.readContract({ ...copies, args: [safeAddress, tokenId] })).toBe(4n)
      const read = () => readSafeState((call) => chain.request(call as never), safeAddress, chainId)
      const { owners, threshold, nonce, fallbackHandler } = await read()
      expect(owners.toSorted()).toEqual([team.anna, team.bruno, team.relayer].map(({ address }) => address).toSorted())
      expect({ threshold, nonce }).toEqual({ threshold: 3, nonce: 1n })

      const { to, code, handler } = upgrades[version]
      await turn()
      await page.goto(`${anna.url}${safePath(chainId, safeAddress)}/new`)
      await choose(page, 'Type', 'upgrade')
      await choose(page, 'Release', to)
      await choose(page, 'Code', code)
      await choose(page, 'Fallback handler', handler)
      await page.getByText('Carried out by the migration contract of the Safe project').waitFor()
      await press(page, names.review)
      const singleton = officialDeployment(code === 'l2' ? 'singleton-l2' : 'singleton', to)?.address ?? zeroAddress
      await answer(page, singleton)
      await press(page, names.propose)
      const upgradeHash = await safeTxHashOf(page)
      for (const { privateKey } of [team.bruno, team.relayer])
        await confirmByScript(await signInByScript(scene.product.url, privateKey, chainId), safe, upgradeHash)
      await turn()
      await answer(page, singleton)
      await executeButton(page).click()
      await statusText(page, names.executed).waitFor()
      expect(await read()).toMatchObject({
        version: code === 'l2' ? `${to}+L2` : to,
        singleton,
        threshold: 3,
        nonce: 2n,
        fallbackHandler: handler === 'keep' ? fallbackHandler : officialDeployment('handler', to)?.address,
      })
    },
  )
})

/** Ways to another release that the journeys above do not go: each by itself, of a Safe with one owner. */
const otherUpgrades = [
  ['1.1.1', '1.4.1', 'l2'],
  ['1.1.1', '1.4.1', 'plain'],
  ['1.3.0', '1.5.0', 'l2'],
  ['1.3.0', '1.5.0', 'plain'],
] as const

describe('other code for a Safe', () => {
  test('behavior: of releases further apart, with either code', async () => {
    const { rpcUrl, chainId } = scene
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const chain = createPublicClient({ transport: http(rpcUrl) })
    for (const [from, to, code] of isSoak ? otherUpgrades : otherUpgrades.slice(0, 1)) {
      const plan = { rpcUrl, chainId, owners: [team.anna.address], threshold: 1, saltNonce: BigInt(Date.now()) }
      const safeAddress = await (from === '1.1.1'
        ? deployOldSafe({ ...plan, version: from })
        : deploySafe({ ...plan, version: from }))
      await addSafeByScript(script, safeAddress)
      await page.goto(`${anna.url}${safePath(chainId, safeAddress)}/new`)
      await choose(page, 'Type', 'upgrade')
      await choose(page, 'Release', to)
      await choose(page, 'Code', code)
      await page.getByText('Carried out by the migration contract of the Safe project').waitFor()
      await press(page, names.review)
      const singleton = officialDeployment(code === 'l2' ? 'singleton-l2' : 'singleton', to)?.address ?? zeroAddress
      await answer(page, singleton)
      await press(page, names.propose)
      await safeTxHashOf(page)
      await answer(page, singleton)
      await executeButton(page).click()
      await statusText(page, names.executed).waitFor()
      const state = await readSafeState((call) => chain.request(call as never), safeAddress, chainId)
      expect(state).toMatchObject({ version: code === 'l2' ? `${to}+L2` : to, singleton, nonce: 1n })
    }
  })
})
