import { CountersignError, encodeSignatures, newSafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { createPublicClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafeInPage,
  confirmButton,
  executeButton,
  names,
  type Owner,
  openTransaction,
  propose,
  safePath,
  shownHash,
  signIn,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import {
  proposeByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { fundTokens, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

async function annaAndBruno(safe: SafeAt): Promise<{ anna: Owner; bruno: Owner }> {
  const anna = await scene.owner(team.anna.privateKey)
  const bruno = await scene.owner(team.bruno.privateKey)
  await signIn(anna)
  await addSafeInPage(anna, safe.safeAddress)
  await signIn(bruno)
  return { anna, bruno }
}

/** Marks the page, so that a reload would be seen. */
async function withoutReload(owner: Owner): Promise<() => Promise<void>> {
  await owner.page.evaluate(() => Reflect.set(window, 'notReloaded', true))
  return async () => expect(await owner.page.evaluate(() => Reflect.get(window, 'notReloaded'))).toBe(true)
}

async function fromProposalToExecution(transfer: { asset?: string; amount: string }): Promise<SafeAt> {
  const safe = await scene.newSafe()
  if (transfer.asset) await fundTokens(scene, safe.safeAddress)
  const { anna, bruno } = await annaAndBruno(safe)
  await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}`)
  const brunoStayed = await withoutReload(bruno)

  const safeTxHash = await propose(anna, safe.safeAddress, { ...transfer, to: team.stranger.address })
  const annaStayed = await withoutReload(anna)
  await statusText(anna.page, '1 of 2').waitFor()

  // Bruno's page was open before: the proposal comes to him.
  await bruno.page.locator(`a[href*="${safeTxHash}"]`).first().click()
  await tickAll(bruno.page)
  await confirmButton(bruno.page).click()
  await statusText(bruno.page, '2 of 2').waitFor()
  await statusText(anna.page, '2 of 2').waitFor()

  await executeButton(bruno.page).click()
  for (const owner of [bruno, anna]) await statusText(owner.page, names.executed).waitFor()
  // The receipt, read by the page itself, says what a run on the block before shows.
  await bruno.page.locator('[data-executed-run="same"]').waitFor()
  const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await expect.poll(() => readTransaction(script, safeTxHash)).toMatchObject({ isExecuted: true, isSuccessful: true })
  const transaction = await readTransaction(script, safeTxHash)
  for (const owner of [bruno, anna]) await shownHash(owner.page, transaction.transactionHash ?? '0x').waitFor()
  await annaStayed()
  await brunoStayed()
  return safe
}

describe('from proposal to execution', () => {
  test('behavior: a native transfer, live on both screens', async () => {
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const before = await chain.getBalance({ address: team.stranger.address })
    const safe = await fromProposalToExecution({ amount: '1.25' })
    expect(await chain.getBalance({ address: team.stranger.address })).toBe(before + parseEther('1.25'))
    expect(await chain.getBalance({ address: safe.safeAddress })).toBe(parseEther('3.75'))
  })

  test('behavior: executed outside the product, it is seen as executed', async () => {
    const safe = await scene.newSafe()
    const { anna } = await annaAndBruno(safe)
    const safeTxHash = await propose(anna, safe.safeAddress, { to: team.stranger.address, amount: '0.5' })
    const safeTx = newSafeTx({ to: team.stranger.address, value: parseEther('0.5'), nonce: 0n })
    const signatures = await Promise.all(
      [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
        owner: address,
        signature: await signSafeTx(privateKeyToAccount(privateKey), safe, safeTx),
      })),
    )
    const transactionHash = await sendAs(team.relayer.privateKey, scene.rpcUrl, {
      to: safe.safeAddress,
      data: encodeExecTransaction(safeTx, encodeSignatures(signatures)),
    })
    await statusText(anna.page, names.executed).waitFor()
    await shownHash(anna.page, transactionHash).waitFor()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    expect(await readTransaction(script, safeTxHash)).toMatchObject({ isExecuted: true, transactionHash })
  })
})

describe('a stranger', () => {
  test('behavior: sees the Safe, nothing that is off the chain, and cannot confirm', async () => {
    const safe = await scene.newSafe()
    const { anna } = await annaAndBruno(safe)
    const safeTxHash = await propose(anna, safe.safeAddress, { to: team.stranger.address, amount: '1' })

    const stranger = await scene.owner(team.stranger.privateKey)
    stranger.watch.expect(/response: 40[34]/)
    await signIn(stranger)
    await addSafeInPage(stranger, safe.safeAddress)
    await stranger.page.goto(`${stranger.url}${safePath(safe.chainId, safe.safeAddress)}`)
    await stranger.page.locator(`[data-address="${team.anna.address}"]`).first().waitFor()
    await stranger.page.waitForLoadState('networkidle').catch(() => undefined)
    expect(await stranger.page.locator(`a[href*="${safeTxHash}"]`).count()).toBe(0)

    await openTransaction(stranger, safe.safeAddress, safeTxHash)
    await stranger.page.getByText('Not visible to this account').first().waitFor()
    expect(await confirmButton(stranger.page).count()).toBe(0)

    const script = await signInByScript(scene.product.url, team.stranger.privateKey, safe.chainId)
    await expect(readTransaction(script, safeTxHash)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
    await expect(proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })).rejects.toThrow(
      CountersignError,
    )
  })
})
