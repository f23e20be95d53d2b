import { call, confirmTransaction, listQueue } from '@countersign/contract'
import { newSafeTx } from '@countersign/safe'
import { encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  names,
  type Owner,
  openTransaction,
  propose,
  safePath,
  safeTxHashOf,
  sectionPath,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readChains,
  readTransaction,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let bruno: ScriptOwner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await scene.owner(team.anna.privateKey)
  bruno = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const to = team.stranger.address

/** The links stand below the review: pressed before it is there, they would be moved under the pointer. */
async function pressInstead(name: string): Promise<void> {
  await anna.page.locator('[data-verdict]').first().waitFor()
  await anna.page.getByRole('link', { name }).click()
}

async function signReviewed(): Promise<Hex> {
  const before = anna.page.url()
  await tickAll(anna.page)
  await anna.page.getByRole('button', { name: names.propose, exact: true }).click()
  await anna.page.waitForURL((url) => url.href !== before)
  return safeTxHashOf(anna.page)
}

describe('what else can be done about a proposal', () => {
  let first: Hex

  test('behavior: another is proposed in its place, with the same nonce', async () => {
    first = await propose(anna, safe.safeAddress, { to, amount: '1' })
    await pressInstead('Propose a replacement')
    await anna.page.getByLabel(names.recipient, { exact: true }).fill(to)
    await anna.page.getByLabel(names.amount, { exact: true }).fill('2')
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    const second = await signReviewed()
    expect((await readTransaction(bruno, second)).safeTx).toMatchObject({ nonce: 0n, value: 2n * 10n ** 18n })
    expect(second).not.toBe(first)
  })

  test('behavior: it is proposed once more at the next free nonce, and not at its own', async () => {
    await openTransaction(anna, safe.safeAddress, first)
    await pressInstead('Propose at another nonce')
    await statusText(anna.page, 'If both are executed, everything in it happens twice.').waitFor()
    const nonce = anna.page.getByLabel('Nonce', { exact: true })
    expect(await nonce.inputValue()).toBe('1')
    await nonce.fill('0')
    await anna.page.getByText('It waits at nonce 0 already.').waitFor()
    await nonce.fill('1')
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    const again = await signReviewed()
    const { safeTx } = await readTransaction(bruno, again)
    expect(safeTx).toEqual({ ...(await readTransaction(bruno, first)).safeTx, nonce: 1n })
  })

  test('behavior: it is cancelled by an empty call, which is confirmed and executed; the nonce is used up', async () => {
    await openTransaction(anna, safe.safeAddress, first)
    await pressInstead('Propose a cancellation')
    await anna.page.getByRole('heading', { name: 'Cancel the transaction with nonce 0' }).waitFor()
    const cancellation = await signReviewed()
    const { safeTx } = await readTransaction(bruno, cancellation)
    expect(safeTx).toEqual(newSafeTx({ to: safe.safeAddress, nonce: 0n }))
    await openTransaction(anna, safe.safeAddress, first)
    await statusText(anna.page, 'A cancellation with this nonce is already proposed').waitFor()
    if (!safeTx) throw new Error('its fields are not known')
    await call(bruno.options, confirmTransaction, {
      chainId: scene.chainId,
      safeTxHash: cancellation,
      signature: await signSafeTx(bruno.account, safe, safeTx),
    })
    await openTransaction(anna, safe.safeAddress, cancellation)
    await tickAll(anna.page)
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()
    await openTransaction(anna, safe.safeAddress, first)
    await statusText(anna.page, 'This nonce is already used').waitFor()
    expect(await confirmButton(anna.page).isEnabled()).toBe(false)
  })

  test('behavior: its proposer deletes it, after a second word', async () => {
    const hash = await propose(anna, safe.safeAddress, { to, amount: '3' })
    await anna.page.getByRole('button', { name: 'Delete the proposal' }).click()
    await anna.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await anna.page.waitForURL((url) => url.pathname === sectionPath(scene.chainId, safe.safeAddress, 'queue'))
    await expect(readTransaction(bruno, hash)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
  })

  test('behavior: only its proposer is offered to delete it', async () => {
    const { safeTxHash } = await proposeByScript(bruno, safe, { to, nonce: 1n })
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await anna.page.getByRole('link', { name: 'Propose a cancellation' }).waitFor()
    expect(await anna.page.getByRole('button', { name: 'Delete the proposal' }).count()).toBe(0)
  })
})

describe('a call with raw data', () => {
  test('behavior: reviewed like everything else, proposed as it was pasted', async () => {
    const [chain] = await readChains(scene.product.url)
    const token = chain?.tokens[0]?.address ?? zeroAddress
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 0n] })
    await anna.page.goto(`${anna.url}${safePath(scene.chainId, safe.safeAddress)}/new`)
    await anna.page.getByLabel('Type', { exact: true }).selectOption('call')
    await anna.page.getByLabel('Contract', { exact: true }).fill(token)
    await anna.page.getByLabel('Data', { exact: true }).fill('0x123')
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    await anna.page.getByText('Not valid call data.').waitFor()
    await anna.page.getByLabel('Data', { exact: true }).fill(data)
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    await anna.page.locator('[data-verdict]').waitFor()
    const hash = await signReviewed()
    expect((await readTransaction(bruno, hash)).safeTx).toMatchObject({
      to: token,
      data,
      value: 0n,
      operation: 0,
    })
  })
})

describe('a signature for another transaction', () => {
  test('behavior: refused, and an alarm for the owners until one says that they spoke about it', async () => {
    // Another one at every try: an alarm is raised once for a signature.
    const value = BigInt(Date.now())
    const shown = await proposeByScript(bruno, safe, { to, value, nonce: 7n })
    const hidden = await proposeByScript(bruno, safe, { to, value, nonce: 8n })
    if (!hidden.safeTx) throw new Error('its fields are not known')
    const signature = await signSafeTx(bruno.account, safe, { ...hidden.safeTx })
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, safe.safeAddress, 'queue')}`)
    await statusText(anna.page, 'Queue').waitFor()
    const refused = call(bruno.options, confirmTransaction, {
      chainId: scene.chainId,
      safeTxHash: shown.safeTxHash,
      signature,
    })
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^SIGNATURE_/) })
    const itsHash = anna.page.locator(`[data-hash="${hidden.safeTxHash}"]`)
    const alarm = anna.page.locator('[data-alarm]').filter({ has: itsHash })
    await alarm.waitFor()
    expect(await alarm.textContent()).toContain('A signature was made for another transaction')
    await alarm.getByRole('button', { name: 'Mark as discussed' }).click()
    await alarm.waitFor({ state: 'detached' })
  })
})

describe('another order of the queue', () => {
  test('behavior: two change places, each by a new proposal at the nonce of the other', async () => {
    const other = await scene.newSafe()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(script, other.safeAddress)
    const [before, behind] = await Promise.all(
      [1n, 2n].map((value) => proposeByScript(script, other, { to, value, nonce: value - 1n })),
    )
    if (!before || !behind) throw new Error('nothing was proposed')
    await openTransaction(anna, other.safeAddress, before.safeTxHash)
    await pressInstead('Propose at another nonce')
    await anna.page.getByLabel('Change places with', { exact: true }).selectOption(behind.safeTxHash)
    expect(await anna.page.getByLabel('Nonce', { exact: true }).inputValue()).toBe('1')
    const press = (name: string) => anna.page.getByRole('button', { name, exact: true }).click()
    await press(names.review)
    await tickAll(anna.page)
    await press(names.propose)
    await anna.page.getByText('This is the second half').waitFor()
    expect(await anna.page.getByLabel('Nonce', { exact: true }).inputValue()).toBe('0')
    await press(names.review)
    await tickAll(anna.page)
    await press(names.propose)
    const last = await safeTxHashOf(anna.page)
    expect((await readTransaction(script, last)).safeTx).toMatchObject({ nonce: 0n, value: 2n })
    const { transactions } = await call(script.options, listQueue, {
      chainId: scene.chainId,
      safeAddress: other.safeAddress,
    })
    const places = transactions.map(({ safeTx }) => `${safeTx?.value} at ${safeTx?.nonce}`)
    expect(places.toSorted()).toEqual(['1 at 0', '1 at 1', '2 at 0', '2 at 1'])
  })
})
