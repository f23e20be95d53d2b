import { deploySafe } from '@countersign/devnet'
import { encodeSignatures, newSafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  type Owner,
  openTransaction,
  statusText,
  tick,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let anna: Owner
beforeAll(async () => {
  scene = await startScene()
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const settings = parseAbi(['function removeOwner(address prevOwner, address owner, uint256 threshold)'])
const leaver = team.relayer
let salt = BigInt(Date.now())

/** Somebody who has signed, and is removed as an owner afterwards, past the product. */
async function proposedByLeaver(): Promise<{ safe: SafeAt; safeTxHash: Hex }> {
  const { rpcUrl, chainId, product } = scene
  const owners = [leaver.address, team.anna.address, team.bruno.address]
  salt += 1n
  const safeAddress = await deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce: salt })
  await sendAs(team.stranger.privateKey, rpcUrl, { to: safeAddress, value: parseEther('1') })
  const safe = { chainId, safeAddress, version: '1.4.1' }
  const script = await signInByScript(product.url, leaver.privateKey, chainId)
  await addSafeByScript(script, safeAddress)
  const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, value: 1n, nonce: 1n })
  const args = ['0x0000000000000000000000000000000000000001', leaver.address, 2n] as const
  const data = encodeFunctionData({ abi: settings, functionName: 'removeOwner', args })
  const removal = newSafeTx({ to: safeAddress, data, nonce: 0n })
  const signed = await Promise.all(
    [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
      owner: address,
      signature: await signSafeTx(privateKeyToAccount(privateKey), safe, removal),
    })),
  )
  const execution = encodeExecTransaction(removal, encodeSignatures(signed))
  await sendAs(team.stranger.privateKey, rpcUrl, { to: safeAddress, data: execution })
  return { safe, safeTxHash }
}

const finding = (id: string) => anna.page.locator(`[data-finding="${id}"]`)

describe('the signature of somebody who is no owner any more', () => {
  test('SIG-STALE-OWNER: the chain says so; it counts for nothing, and the others confirm and execute', async () => {
    const { safe, safeTxHash } = await proposedByLeaver()
    await addSafe(anna, safe.safeAddress)
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await finding('SIG-STALE-OWNER').waitFor()
    await anna.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    expect(await finding('SIG-MISMATCH').count()).toBe(0)
    await anna.page.locator(`[data-signature="not-owner"][data-owner="${leaver.address}"]`).waitFor()
    await tick(anna.page, 'SIG-STALE-OWNER')
    await confirmButton(anna.page).click()
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await tick(bruno.page, 'SIG-STALE-OWNER')
    await confirmButton(bruno.page).click()
    await tick(anna.page, 'SIG-STALE-OWNER')
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()
  })

  test('behavior: the word of the server alone excuses nobody', async () => {
    const { safe, safeTxHash } = await proposedByLeaver()
    await addSafe(anna, safe.safeAddress)
    let told = 0
    // It names a transaction in which nobody was removed.
    await anna.page.route(`**/api/chains/*/transactions/${safeTxHash}`, async (route) => {
      const response = await route.fetch()
      const { formerConfirmations, ...rest } = await response.json()
      told += formerConfirmations.length
      const lied = formerConfirmations.map((confirmation: object) => ({
        ...confirmation,
        removedIn: `0x${'12'.repeat(32)}`,
      }))
      await route.fulfill({ response, json: { ...rest, formerConfirmations: lied } })
    })
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await finding('SIG-MISMATCH').waitFor()
    await anna.page.locator('[data-verdict="do-not-sign"]').waitFor()
    await expect.poll(() => told).toBeGreaterThan(0)
    expect(await confirmButton(anna.page).count()).toBe(0)
  })
})
