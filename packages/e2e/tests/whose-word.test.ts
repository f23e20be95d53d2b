import { testContracts } from '@countersign/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, type Owner, openTransaction } from '../src/people/owner.ts'
import {
  addSafeByScript,
  giveAbiByScript,
  nameByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: ScriptOwner
let bruno: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
})
afterAll(() => scene?.close())
afterEach(() => bruno?.watch.assertNone())

const contract = testContracts.erc721.address
const attacker = team.relayer.address

describe('another account in the wallet than in the session', () => {
  test('behavior: names, ABIs and notes are not written, what was typed stays, and reading goes on', async () => {
    const data = encodeFunctionData({ abi: parseAbi(['function poke(uint256 id)']), args: [8n] })
    const { safeTxHash } = await proposeByScript(anna, safe, { to: contract, data, nonce: 0n })
    const abi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])
    await giveAbiByScript(anna, safe, { contract, name: 'Poker', abi })
    await nameByScript(anna, safe, { address: attacker, name: 'Known' })
    const { page, wallet } = bruno
    const written: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && !/^\/api\/(session|chains\/\d+\/rpc)/.test(pathname)) written.push(pathname)
    })
    const banner = page
      .getByRole('main')
      .locator('[data-tone="warning"]', { hasText: 'Your wallet is on a different account' })
    const book = `${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/book`

    await page.goto(book)
    await page.getByLabel('Address', { exact: true }).fill(attacker)
    await page.getByLabel('Name', { exact: true }).fill('Typed before')
    await page.getByLabel('Contract', { exact: true }).fill(contract)
    const [saveName, saveAbi] = ['Save name', 'Save ABI'].map((name) => page.getByRole('button', { name }))
    expect(await saveName?.isEnabled()).toBe(true)
    await wallet.switchAccount(team.relayer.privateKey)
    await banner.waitFor()
    expect(await saveName?.isDisabled()).toBe(true)
    expect(await saveAbi?.isDisabled()).toBe(true)
    for (const button of await page.getByRole('button', { name: /^Remove / }).all())
      expect(await button.isDisabled()).toBe(true)
    // Not by the keyboard either, nor by a form that a script sends.
    await page.getByLabel('Name', { exact: true }).evaluate((input) => input.closest('form')?.requestSubmit())
    await page.getByText('ACCOUNT_MISMATCH').first().waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before')
    await page.locator(`[data-abi="${contract}"]`).first().waitFor()

    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await banner.waitFor()
    await page.getByRole('button', { name: 'Add note' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add note' }).isDisabled()).toBe(true)
    expect(written).toEqual([])

    await wallet.switchAccount(team.bruno.privateKey)
    await banner.waitFor({ state: 'detached' })
    await page.getByLabel('Note for the team').fill('Back again')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('list', { name: 'Notes' }).getByText('Back again', { exact: true }).waitFor()
    expect(written).toHaveLength(1)
  })
})
