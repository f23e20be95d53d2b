import { requestNode, testContracts } from '@countersign/devnet'
import type { Page } from 'playwright-core'
import { type Hex, padHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmButton, demand, executeButton, type Owner, openTransaction } from '../src/people/owner.ts'
import { mint, payStranger, startReview, token } from '../src/people/reviewer.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import type { Scene } from '../src/product/scene.ts'

let scene: Scene
let bruno: Owner
let byScript: ScriptOwner
beforeAll(async () => {
  ;({ scene, bruno, byScript } = await startReview({}))
})
afterAll(() => scene?.close())

const runBlock = (page: Page) => page.locator('[data-run-grade]').first().getAttribute('data-run-block')

async function proposePayment(): Promise<{ safe: SafeAt; safeTxHash: Hex }> {
  const safe = await scene.newSafe()
  await addSafeByScript(byScript, safe.safeAddress)
  const payment = { to: token, data: payStranger(5_000_000n), nonce: 0n }
  const { safeTxHash } = await proposeByScript(byScript, safe, payment)
  return { safe, safeTxHash }
}

describe('a review that is open', () => {
  test('behavior: an account that the run used, other than the Safe, starts a new run', async () => {
    const { safe, safeTxHash } = await proposePayment()
    await mint(scene, safe.safeAddress, 9_000_000n)
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    const before = await runBlock(page)
    await requestNode(scene.rpcUrl, 'anvil_mine', '0x2')
    await mint(scene, team.stranger.address, 1n)
    await expect.poll(() => runBlock(page), { timeout: 90_000 }).not.toBe(before)
    await page.locator('[data-verdict="matches"]').waitFor()
    // A chain that goes on while everything is read again: all of it is still of one block.
    const mining = new AbortController()
    const mined = (async () => {
      while (!mining.signal.aborted) await requestNode(scene.rpcUrl, 'anvil_mine', '0x1')
    })()
    await confirmButton(page).click()
    await page.locator('[data-confirm="done"]').waitFor()
    mining.abort()
    await mined
  })

  test('behavior: a block that is replaced between review and signature takes the signature along', async () => {
    const { safe, safeTxHash } = await proposePayment()
    const { page } = bruno
    const snapshot = await requestNode(scene.rpcUrl, 'evm_snapshot')
    await mint(scene, safe.safeAddress, 9_000_000n)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    // The chain goes on without the payment that the Safe would have passed on.
    await requestNode(scene.rpcUrl, 'evm_revert', snapshot)
    await requestNode(scene.rpcUrl, 'anvil_mine', '0x3')
    // A page that has seen it by itself offers no button any more, and waiting for one would be in vain.
    await confirmButton(page).dispatchEvent('click')
    await demand(page, 'BALANCE-EXCEEDED').waitFor()
    const { confirmations } = await readTransaction(byScript, safeTxHash)
    expect(confirmations.map(({ owner }) => owner)).not.toContain(team.bruno.address)
  })

  test.each([
    [
      'a block that is replaced',
      async ({ snapshot }: { snapshot: unknown; safe: SafeAt }) => {
        await requestNode(scene.rpcUrl, 'evm_revert', snapshot)
      },
    ],
    [
      'a Safe whose code is another',
      async ({ safe }: { snapshot: unknown; safe: SafeAt }) => {
        const { address } = testContracts.slotZeroOverwrite
        await requestNode(scene.rpcUrl, 'anvil_setStorageAt', safe.safeAddress, padHex('0x0'), padHex(address))
      },
    ],
  ])('behavior: %s between review and execution: it is reviewed again, and nothing is sent', async (_, change) => {
    const { safe, safeTxHash } = await proposePayment()
    const byBruno = await signInByScript(scene.product.url, team.bruno.privateKey, bruno.chainId)
    await confirmByScript(byBruno, safe, safeTxHash)
    const { page, wallet } = bruno
    const snapshot = await requestNode(scene.rpcUrl, 'evm_snapshot')
    await mint(scene, safe.safeAddress, 9_000_000n)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await expect.poll(() => executeButton(page).isEnabled()).toBe(true)
    const sent = () => wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length
    const before = sent()
    await change({ snapshot, safe })
    await requestNode(scene.rpcUrl, 'anvil_mine', '0x3')
    // A page that has seen it by itself offers no button any more.
    await executeButton(page).evaluateAll((buttons: HTMLElement[]) => {
      for (const button of buttons) button.click()
    })
    await page.locator('[data-verdict]:not([data-verdict="matches"])').first().waitFor()
    await expect.poll(() => page.locator('[data-execution="checking"]').count()).toBe(0)
    expect(sent()).toBe(before)
    expect((await readTransaction(byScript, safeTxHash)).pendingExecution).toBeNull()
  })
})
