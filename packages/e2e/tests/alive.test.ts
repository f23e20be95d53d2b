import { call, deleteTransaction } from '@countersign/contract'
import { deploySafe } from '@countersign/devnet'
import { encodeSignatures, newSafeTx, safeAbi } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, openTransaction, sectionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let anna: Owner
// Another Safe at each try.
let saltNonce = 4_747n
beforeAll(async () => {
  scene = await startScene()
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
})
afterAll(() => scene?.close())

/** A Safe of two of three that holds coin, and two of its owners, signed in. */
async function twoOfThree(saltNonce: bigint): Promise<{ safe: SafeAt; ofAnna: ScriptOwner; ofBruno: ScriptOwner }> {
  const { rpcUrl, chainId, product } = scene
  const owners = [team.anna.address, team.bruno.address, team.relayer.address]
  const safeAddress = await deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce })
  await sendAs(team.stranger.privateKey, rpcUrl, { to: safeAddress, value: 10n ** 18n })
  const ofAnna = await signInByScript(product.url, team.anna.privateKey, chainId)
  const ofBruno = await signInByScript(product.url, team.bruno.privateKey, chainId)
  await addSafeByScript(ofAnna, safeAddress)
  return { safe: { chainId, safeAddress, version: '1.4.1' }, ofAnna, ofBruno }
}

/** Two owners have signed one transaction, which its proposer then deleted; one of them has signed another one. */
async function deletedAndProposed(): Promise<{ safe: SafeAt; deleted: Hex; proposed: Hex }> {
  const { safe, ofAnna, ofBruno } = await twoOfThree(4_747n)
  const { chainId } = safe
  const first = await proposeByScript(ofAnna, safe, { to: team.stranger.address, value: 7n, nonce: 0n })
  await confirmByScript(ofBruno, safe, first.safeTxHash)
  await call(ofAnna.options, deleteTransaction, { chainId, safeTxHash: first.safeTxHash })
  const second = await proposeByScript(ofBruno, safe, { to: team.stranger.address, value: 8n, nonce: 0n })
  return { safe, deleted: first.safeTxHash, proposed: second.safeTxHash }
}

describe('what can still be executed', () => {
  test('a deleted transaction that two owners have signed is shown, with the way to end it', async () => {
    const { page, url } = anna
    const { safe, deleted, proposed } = await deletedAndProposed()
    const { chainId, safeAddress } = safe
    // News of a transaction may reach the page after its deletion.
    anna.watch.expect(/^response: 404 \S+( TRANSACTION_NOT_FOUND)?$/)
    await addSafe(anna, safeAddress)

    await openTransaction(anna, safeAddress, proposed)
    await page.locator('[data-alive-here="1"]').click()
    const row = page.locator(`[data-alive="${deleted}"]`)
    await row.getByText('Anyone can execute this now.').waitFor()
    await row.getByText('Deleted here', { exact: true }).waitFor()
    await row.locator('[data-verdict="matches-with-warnings"]').waitFor()

    // An approval that the server keeps to itself, and one of a hash that nobody knows.
    const approve = (hash: Hex) =>
      sendAs(team.relayer.privateKey, scene.rpcUrl, {
        to: safeAddress,
        data: encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [hash] }),
      })
    await approve(proposed)
    await approve(keccak256(toHex('nobody knows')))
    await page.route('**/signatures?*', async (route) => {
      const response = await route.fetch()
      const { signed, ...rest } = await response.json()
      const listed = signed.map((entry: { hash: Hex; signatures: { owner: string }[] }) => ({
        ...entry,
        signatures: entry.signatures.filter(({ owner }) => entry.hash !== proposed || owner !== team.relayer.address),
      }))
      await route.fulfill({ response, json: { ...rest, signed: listed } })
    })
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'queue')}`)
    await page.getByRole('link', { name: 'What can still be executed' }).click()
    await page.locator(`[data-alive="${proposed}"] [data-missing="0"]`).waitFor()
    await page.getByText('2 transactions at this nonce have signatures.').waitFor()
    await page.getByRole('heading', { name: 'Hashes nobody here knows' }).waitFor()
    await page.locator(`[data-alive-account="${team.relayer.address}"]`).getByText('1 unknown hash').waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}-${width}.png`, fullPage: true })
    }

    // Another transaction under the hash that was signed.
    await page.unroute('**/signatures?*')
    await page.route('**/signatures?*', async (route) => {
      const response = await route.fetch()
      const { signed, ...rest } = await response.json()
      const listed = signed.map((entry: { hash: Hex; safeTx: object }) =>
        entry.hash === deleted ? { ...entry, safeTx: { ...entry.safeTx, value: '0' } } : entry,
      )
      await route.fulfill({ response, json: { ...rest, signed: listed } })
    })
    await page.reload()
    await page.getByText('1 entry does not have the hash that the server lists it under.').waitFor()
    expect(await page.locator(`[data-alive="${deleted}"]`).count()).toBe(0)
    await page.unroute('**/signatures?*')

    await page.getByRole('link', { name: 'Cancel at this nonce' }).click()
    await page.waitForURL(/\/new\?.*nonce=.*0.*cancel=true/)
    await page.getByRole('heading', { name: 'Cancel the transaction with nonce 0' }).waitFor()
  })

  test('a lower threshold that two have signed completes another transaction; cancelling at its nonce ends that one', async () => {
    const { page, url } = anna
    saltNonce += 1n
    const { safe, ofAnna, ofBruno } = await twoOfThree(saltNonce)
    const { chainId, safeAddress } = safe
    const { rpcUrl } = scene
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })
    const lower = await proposeByScript(ofAnna, safe, { to: safeAddress, data, nonce: 0n })
    await confirmByScript(ofBruno, safe, lower.safeTxHash)
    const payment = await proposeByScript(ofBruno, safe, { to: team.stranger.address, value: 7n, nonce: 1n })

    await addSafe(anna, safeAddress)
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'signatures')}`)
    const row = page.locator(`[data-alive="${payment.safeTxHash}"]`)
    const together = row.locator('[data-together="anyone"]')
    await together.getByText('once this transaction is executed, which anyone can do').waitFor()
    await together.getByRole('link', { name: 'Nonce 0: Change the threshold to 1' }).waitFor()
    expect(await row.locator('[data-missing="1"]').count()).toBe(1)
    expect(await faultsOf(page)).toEqual([])

    const { confirmations } = await readTransaction(ofAnna, lower.safeTxHash)
    await sendAs(team.stranger.privateKey, rpcUrl, {
      to: safeAddress,
      data: encodeExecTransaction(newSafeTx({ to: safeAddress, data, nonce: 0n }), encodeSignatures(confirmations)),
    })
    await row.getByText('Anyone can execute this now.').waitFor()
    await together.waitFor({ state: 'detached' })
    await page.locator(`[data-alive="${lower.safeTxHash}"]`).waitFor({ state: 'detached' })

    // One owner is enough now. Anna cancels at the nonce of the other one, whose signature is then worth nothing.
    const cancel = { to: safeAddress, nonce: 1n }
    await proposeByScript(ofAnna, safe, cancel)
    await page.reload()
    await page.getByText('A cancellation is proposed at this nonce.').waitFor()
    const signature = await signSafeTx(ofAnna.account, safe, newSafeTx(cancel))
    await sendAs(team.stranger.privateKey, rpcUrl, {
      to: safeAddress,
      data: encodeExecTransaction(newSafeTx(cancel), encodeSignatures([{ owner: team.anna.address, signature }])),
    })
    await page.getByText('No signature is waiting').waitFor()
    expect(await row.count()).toBe(0)
  })
})
