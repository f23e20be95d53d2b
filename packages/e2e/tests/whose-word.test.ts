import { addDelegate, call, giveAbi, nameAddress } from '@countersign/contract'
import { testContracts } from '@countersign/devnet'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/faults.ts'
import { confirmButton, type Owner, openTransaction, signIn } from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { addSafeByScript, proposeByScript, type SafeAt, type ScriptOwner, signInByScript } from '../src/script-owner.ts'
import { team } from '../src/team.ts'

let scene: Scene
let safe: SafeAt
let anna: ScriptOwner
let proposer: ScriptOwner
let bruno: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  const { url } = scene.product
  anna = await signInByScript(url, team.anna.privateKey, safe.chainId)
  proposer = await signInByScript(url, team.stranger.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  const named = { delegate: team.stranger.address, label: 'Payroll', expiryDate: null }
  await call(anna.options, addDelegate, { ...place(), ...named })
  bruno = await scene.owner(team.bruno.privateKey)
  await signIn(bruno)
})
afterAll(async () => {
  await scene?.closeOwners()
  await scene?.close()
})
afterEach(() => bruno?.watch.assertNone())

const place = () => ({ chainId: safe.chainId, safeAddress: safe.safeAddress })
const contract = testContracts.erc721.address
const attacker = team.relayer.address
const verdictIs = (word: 'matches' | 'cannot-verify' | 'do-not-sign') =>
  bruno.page.locator(`[data-verdict="${word}"]`).first().waitFor()

const transferOwnership = encodeFunctionData({
  abi: parseAbi(['function transferOwnership(address newOwner)']),
  args: [attacker],
})
const poke = (id: bigint) => encodeFunctionData({ abi: parseAbi(['function poke(uint256 id)']), args: [id] })

async function proposed(nonce: bigint, data: Hex): Promise<Hex> {
  return (await proposeByScript(anna, safe, { to: contract, data, nonce })).safeTxHash
}

describe('a name', () => {
  test('behavior: of a proposer or of an owner, makes no ownership transfer match, and says whose it is', async () => {
    const safeTxHash = await proposed(0n, transferOwnership)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('do-not-sign')
    await call(proposer.options, nameAddress, { ...place(), address: attacker, name: 'DAO Timelock' })
    await bruno.page.getByText('“DAO Timelock” (named by').first().waitFor()
    expect(await bruno.page.getByText(/not an owner\)/).count()).toBeGreaterThan(0)
    await bruno.page.reload()
    await verdictIs('do-not-sign')
    expect(await confirmButton(bruno.page).count()).toBe(0)

    // An owner's name is shown before a proposer's; it turns nothing either.
    await call(anna.options, nameAddress, { ...place(), address: attacker, name: 'Timelock' })
    await bruno.page.getByText('“Timelock” (named by owner 1)').first().waitFor()
    await bruno.page.reload()
    await verdictIs('do-not-sign')
    expect(await confirmButton(bruno.page).count()).toBe(0)
  })
})

describe('an ABI', () => {
  const abi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])

  test('behavior: counts for the owner who gave or endorsed it; everybody else’s is a guess', async () => {
    const safeTxHash = await proposed(1n, poke(7n))
    for (const by of [proposer, anna]) await call(by.options, giveAbi, { ...place(), contract, name: 'Poker', abi })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('cannot-verify')
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
    await bruno.page.getByText('All calls, one by one').click()
    expect(await bruno.page.locator('[data-call-guesses="2"]').textContent()).toContain('poke(uint256) id: 7')
    await bruno.page.locator('[data-call-guesses]').getByText('Not an owner').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])

    await bruno.page.locator('[data-call-guesses]').getByRole('link', { name: 'Address book' }).click()
    const ofAnna = bruno.page.locator(`[data-abi="${contract}"][data-author="${team.anna.address}"]`)
    await ofAnna.getByRole('button', { name: 'Endorse' }).click()
    await bruno.page.getByRole('button', { name: 'Endorse it' }).click()
    await bruno.page.locator(`[data-abi="${contract}"][data-author="${team.bruno.address}"]`).waitFor()
    expect(await bruno.page.getByRole('button', { name: 'Endorse' }).count()).toBe(0)
    expect(await faultsOf(bruno.page)).toEqual([])
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('matches')
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    await bruno.page.getByText('An ABI that you gave reads this call').first().waitFor()
  })

  test('behavior: one that lies about a function that is known here changes nothing', async () => {
    const safeTxHash = await proposed(2n, transferOwnership)
    const lie = [{ type: 'function', name: 'transferOwnership', inputs: [{ name: 'beneficiary', type: 'address' }] }]
    const bySession = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await call(bySession.options, giveAbi, { ...place(), contract, name: 'Lie', abi: JSON.stringify(lie) })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('do-not-sign')
    await bruno.page.getByText('Gives control of a contract to somebody else').first().waitFor()
  })
})

describe('another account in the wallet than in the session', () => {
  test('behavior: names, ABIs and notes are not written, what was typed stays, and reading goes on', async () => {
    const safeTxHash = await proposed(3n, poke(8n))
    const { page, wallet } = bruno
    const written: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && !/^\/api\/(session|chains\/\d+\/rpc)/.test(pathname)) written.push(pathname)
    })
    const banner = page
      .getByRole('main')
      .locator('[data-tone="warning"]', { hasText: 'another account than the session' })
    const book = `${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/book`

    await page.goto(book)
    await page.getByLabel('Address', { exact: true }).fill(attacker)
    await page.getByLabel('Name', { exact: true }).fill('Typed before')
    await page.getByLabel('Contract', { exact: true }).fill(contract)
    const [saveName, saveAbi] = ['Save the name', 'Save the ABI'].map((name) => page.getByRole('button', { name }))
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
    await page.getByRole('button', { name: 'Add the note' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add the note' }).isDisabled()).toBe(true)
    expect(written).toEqual([])

    await wallet.switchAccount(team.bruno.privateKey)
    await banner.waitFor({ state: 'detached' })
    await page.getByLabel('Write a note for the team').fill('Back again')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByText('Back again', { exact: true }).waitFor()
    expect(written).toHaveLength(1)
  })
})
