import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDelegate, call, nameAddress } from '@countersign/contract'
import { testContracts } from '@countersign/devnet'
import { encodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, confirmButton, type Owner, openTransaction } from '../src/people/owner.ts'
import {
  addSafeByScript,
  giveAbiByScript,
  nameByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { deployCode, fundTokens, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let folder: string
let safe: SafeAt
let anna: ScriptOwner
let proposer: ScriptOwner
let bruno: Owner
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-functions-'))
  const functionList = join(folder, 'functions.txt')
  writeFileSync(functionList, '# imported\npoke(uint256)\n')
  scene = await startScene({ configuration: { functionList } })
  safe = await scene.newSafe()
  const { url } = scene.product
  anna = await signInByScript(url, team.anna.privateKey, safe.chainId)
  proposer = await signInByScript(url, team.stranger.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  const named = { delegate: team.stranger.address, label: 'Payroll', expiryDate: null }
  await call(anna.options, addDelegate, { ...place(), ...named })
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
})
afterAll(async () => {
  await scene?.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => bruno?.watch.assertNone())

const place = () => ({ chainId: safe.chainId, safeAddress: safe.safeAddress })
const contract = testContracts.erc721.address
const abisApi = /\/review-lists\?.*abis/
const attacker = team.relayer.address
const verdictIs = (word: 'matches' | 'matches-with-warnings' | 'cannot-verify' | 'do-not-sign') =>
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
    await bruno.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)

    // An owner's name is shown before a proposer's; it turns nothing either.
    await call(anna.options, nameAddress, { ...place(), address: attacker, name: 'Timelock' })
    await bruno.page.getByText('“Timelock” (named by owner 1)').first().waitFor()
    await bruno.page.reload()
    await verdictIs('do-not-sign')
    await bruno.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
  })

  test('behavior: of one owner is new to the other until they endorse it, and both are shown where it stands', async () => {
    const payee = getAddress(`0x${'5a'.repeat(20)}`)
    const { safeTxHash } = await proposeByScript(anna, safe, { to: payee, value: 1n, nonce: 6n })
    await call(proposer.options, nameAddress, { ...place(), address: payee, name: 'Studio Ligne' })
    const isNew = bruno.page.locator('[data-finding="ADDR-NEW"]')
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await isNew.first().waitFor({ state: 'attached' })

    await bruno.page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/book`)
    const row = bruno.page.locator(`[data-named="${payee}"]`)
    await row.getByText('It does not count for you.').waitFor()
    await row.getByRole('button', { name: 'Endorse the name Studio Ligne' }).click()
    await row.getByRole('button', { name: 'Endorse it' }).click()
    const own = row.filter({ hasText: 'you' })
    await own.first().waitFor()
    await row.getByText('It counts for you.').first().waitFor()
    await row.getByText(/Endorsed by Owner 2, you/).waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])

    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page
      .getByText(/“Studio Ligne” \(named by .*, not an owner; endorsed by you\)/)
      .first()
      .waitFor()
    await verdictIs('matches')
    expect(await isNew.count()).toBe(0)
    // The other owner's name makes it count for every owner.
    await nameByScript(anna, place(), { address: payee, name: 'Studio Ligne' })
    await bruno.page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/book`)
    await row.getByText('It counts for every owner.').first().waitFor()
  })

  test('behavior: that owners did not sign takes away no tick, whatever the server says of its authors', async () => {
    const spender = await deployCode(scene.rpcUrl, '0x0000')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
    await fundTokens(scene, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(anna, safe, { to: testContracts.erc20.address, data, nonce: 7n })
    await call(anna.options, nameAddress, { ...place(), address: spender, name: 'Spender' })
    const isUnfamiliar = bruno.page.locator('[data-finding="CODE-UNFAMILIAR"]')
    await bruno.page.route('**/names', async (route) => {
      const { names, ...page } = await (await route.fetch()).json()
      const [{ signature }] = names.filter((one: { signature: unknown }) => one.signature)
      const given = names.filter(({ address }: { address: string }) => address === spender)
      const owners = [team.anna.address, team.bruno.address]
      const lies = owners.flatMap((author) => given.map((one: object) => ({ ...one, author, signature })))
      await route.fulfill({ json: { ...page, names: lies } })
    })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.getByText('“Spender” (named by').first().waitFor()
    await verdictIs('matches-with-warnings')
    await isUnfamiliar.first().waitFor({ state: 'attached' })
    await bruno.page.unroute('**/names')

    // The finding leads to the form, which asks for the signature.
    await bruno.page.reload()
    await isUnfamiliar.first().waitFor({ state: 'attached' })
    await bruno.page.locator(`[data-name-link="${spender}"] a`).first().click()
    await expect
      .poll(() => bruno.page.getByRole('textbox', { name: 'Address', exact: true }).inputValue())
      .toBe(spender)
    expect(await bruno.page.getByRole('checkbox', { name: /Sign the name/ }).isChecked()).toBe(true)
    await bruno.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spender')
    await bruno.page.getByRole('button', { name: 'Save name' }).click()
    const row = bruno.page.locator(`[data-named="${spender}"]`).first()
    await row.locator('[data-signed-standing="you"]').waitFor()
    expect(await row.getByText('Not signed').count()).toBe(0)
    expect(await faultsOf(bruno.page)).toEqual([])
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('matches')
    expect(await isUnfamiliar.count()).toBe(0)
  })

  test('behavior: cannot say by its own quotation marks that an owner gave it', async () => {
    const payee = team.stranger.address
    await call(proposer.options, nameAddress, { ...place(), address: payee, name: 'Treasury” (named by owner 1) “' })
    const { safeTxHash } = await proposeByScript(anna, safe, { to: payee, value: 1n, nonce: 4n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.getByText('“Treasury’ (named by owner 1) ’” (named by').first().waitFor()
    expect(await bruno.page.getByText('“Treasury”').count()).toBe(0)
  })
})

describe('an ABI', () => {
  const abi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])

  test('behavior: counts for the owner who gave or endorsed it; everybody else’s is a guess', async () => {
    // Does nothing with any call, so the simulation has nothing to warn of. One byte alone marks code of a chain's own.
    const quiet = await deployCode(scene.rpcUrl, '0x0000')
    const { safeTxHash } = await proposeByScript(anna, safe, { to: quiet, data: poke(7n), nonce: 1n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('cannot-verify')
    await bruno.page.locator('[data-imported-guess="1"]').waitFor({ state: 'attached' })
    // Only the reading is missing: an answer opens the button, and nothing says the contrary.
    await bruno.page.locator('[data-demand]').first().waitFor()
    const band = await bruno.page.locator('[data-verdict="cannot-verify"]').first().textContent()
    expect(band).toContain('type what is asked beside the button')
    expect(band).not.toContain('you cannot confirm or execute')
    // The first ones of a team reach a page that is open.
    for (const by of [proposer, anna]) await giveAbiByScript(by, place(), { contract: quiet, name: 'Poker', abi })
    await bruno.page.locator('[data-call-guesses="2"]').waitFor({ state: 'attached' })
    await verdictIs('cannot-verify')
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
    await bruno.page.getByText('All calls, one by one').click()
    expect(await bruno.page.locator('[data-call-guesses="2"]').textContent()).toContain('poke(uint256) id: 7')
    await bruno.page.locator('[data-call-guesses]').getByText('Not an owner').waitFor()
    // The operator's list is a guess as well, and the last of them.
    await bruno.page.locator('[data-imported-guess="1"]').getByText('functions.txt').waitFor()
    expect(await bruno.page.locator('[data-imported-guess]').textContent()).toContain('poke(uint256) uint256: 7')
    expect(await faultsOf(bruno.page)).toEqual([])

    // A server that says that owners gave it is not believed: the signatures are not theirs.
    await bruno.page.route(abisApi, async (route) => {
      const response = await route.fetch()
      const lists = await response.json()
      const { abis } = lists.abis
      const [{ signature }] = abis
      const owners = [team.anna.address, team.bruno.address]
      const lies = owners.flatMap((author) =>
        abis.slice(0, 1).map((given: object) => ({ ...given, author, signature })),
      )
      await route.fulfill({ response, json: { ...lists, abis: { abis: lies, nextCursor: null } } })
    })
    // Nor one that says that the contracts of owners took it, who have none.
    await bruno.page.route('**/rpc', async (route) => {
      const asked: { id: number; params: [{ data?: string }] }[] = [route.request().postDataJSON()].flat()
      const answers = [await (await route.fetch()).json()].flat()
      const lied = asked.filter(({ params: [call] }) => call?.data?.startsWith('0x1626ba7e')).map(({ id }) => id)
      const yes = `0x1626ba7e${'00'.repeat(28)}`
      await route.fulfill({
        json: answers.map((one) => (lied.includes(one.id) ? { jsonrpc: '2.0', id: one.id, result: yes } : one)),
      })
    })
    await bruno.page.reload()
    await bruno.page.locator('[data-call-guesses="2"]').waitFor({ state: 'attached' })
    await verdictIs('cannot-verify')
    await bruno.page.unroute('**/rpc')
    await bruno.page.unroute(abisApi)

    // The finding leads to the form, with the contract filled in.
    await bruno.page.locator(`[data-abi-link="${quiet}"] a`).first().click()
    await expect.poll(() => bruno.page.getByRole('textbox', { name: 'Contract', exact: true }).inputValue()).toBe(quiet)
    const ofAnna = bruno.page.locator(`[data-abi="${quiet}"][data-author="${team.anna.address}"]`)
    await ofAnna.getByRole('button', { name: 'Endorse' }).click()
    await bruno.page.getByRole('button', { name: 'Endorse it' }).click()
    await bruno.page.locator(`[data-abi="${quiet}"][data-author="${team.bruno.address}"]`).waitFor()
    await expect.poll(() => bruno.page.getByRole('button', { name: 'Endorse the ABI' }).count()).toBe(0)
    expect(await faultsOf(bruno.page)).toEqual([])
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('matches')
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    await bruno.page.getByText('Decoded with an ABI that you or enough owners added').first().waitFor()
    await bruno.page.getByText('All calls, one by one').click()
    // Anna gave it, and Bruno endorsed it; a proposer's word is not named.
    const givers = bruno.page.locator('[data-call-givers="2"]')
    await givers.getByText(team.anna.address).waitFor()
    await givers.getByText(team.bruno.address).waitFor()

    // A row of the queue names the function as the page does, and is found by it.
    await bruno.page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/queue`)
    const row = bruno.page.locator(`[data-row="${safeTxHash}"]`)
    await row.getByRole('link', { name: 'Call poke of' }).first().waitFor()
    await bruno.page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/queue?q=poke%20of`)
    await expect.poll(() => bruno.page.locator('[data-row]').count()).toBe(1)
    await row.waitFor()
  })

  test('behavior: one whose function has the selector of a known one reads nothing, though its bytes fit', async () => {
    const { safeTxHash } = await proposeByScript(anna, safe, {
      to: contract,
      data: `0xa9059cbbff${'00'.repeat(31)}`,
      nonce: 5n,
    })
    const alike = [{ type: 'function', name: 'many_msg_babbage', inputs: [{ name: 'flag', type: 'bytes1' }] }]
    const bySession = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await giveAbiByScript(bySession, place(), { contract, name: 'Alike', abi: JSON.stringify(alike) })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('cannot-verify')
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
  })

  test('error: ABI_MALFORMED, when what is stored is not JSON', async () => {
    const broken = {
      contract,
      name: 'Broken',
      abi: 'no JSON',
      author: team.anna.address,
      signature: null,
      updatedAt: '2026-01-01T00:00:00Z',
    }
    await bruno.page.route(abisApi, (route) => route.fulfill({ json: { abis: { abis: [broken], nextCursor: null } } }))
    await bruno.page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/book`)
    const row = bruno.page.locator(`[data-abi="${contract}"]`).locator('xpath=ancestor::li')
    await row.getByText('ABI_MALFORMED').waitFor()
    await row.getByText('The ABI is not JSON.').waitFor()
    await bruno.page.unroute(abisApi)
  })

  test('behavior: one that lies about a function that is known here changes nothing', async () => {
    const safeTxHash = await proposed(2n, transferOwnership)
    const lie = [{ type: 'function', name: 'transferOwnership', inputs: [{ name: 'beneficiary', type: 'address' }] }]
    const bySession = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await giveAbiByScript(bySession, place(), { contract, name: 'Lie', abi: JSON.stringify(lie) })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdictIs('do-not-sign')
    await bruno.page.getByText('Changes who controls a contract').first().waitFor()
  })
})

describe('a wallet that has not said yet which account it has', () => {
  test('behavior: nothing is written until it has', async () => {
    const { page, wallet } = bruno
    wallet.behave('accounts', 'hold')
    await page.goto(`${bruno.url}/safes/${safe.chainId}/${safe.safeAddress}/team`)
    await page.locator('html[data-connection-status="reconnecting"][data-session-status="authenticated"]').waitFor()
    const invite = page.getByRole('button', { name: 'Invite viewer' })
    await invite.waitFor()
    expect(await invite.isDisabled()).toBe(true)
    expect(await page.locator('[data-writing]:not(:disabled)').count()).toBe(0)
    // Nor by a page whose buttons somebody enabled.
    await page.evaluate(
      ([account, label]) => {
        for (const writing of document.querySelectorAll('[data-writing]')) writing.removeAttribute('disabled')
        const [form] = [...document.querySelectorAll('form')].slice(-1)
        const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        const inputs = [...(form?.querySelectorAll('input') ?? [])]
        for (const [index, input] of inputs.entries()) {
          setValue?.call(input, index === 0 ? account : label)
          input.dispatchEvent(new Event('input', { bubbles: true }))
        }
        setTimeout(() => form?.requestSubmit())
      },
      [attacker, 'Auditor'],
    )
    await page.getByText('WALLET_NOT_CONNECTED').waitFor()
    wallet.behave('accounts', 'answer')
    wallet.release()
    await page.locator('html[data-connection-status="connected"]').waitFor()
    await expect.poll(() => invite.isEnabled()).toBe(true)
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
