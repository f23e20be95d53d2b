import { newSafeTx } from '@countersign/safe'
import type { Page } from 'playwright-core'
import { zeroAddress } from 'viem'
import { hashTypedData } from 'viem/utils'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from '../src/browser/faults.ts'
import { comeBack, openTransaction } from '../src/people/owner.ts'
import { proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const device = (page: Page) => page.locator('[data-device]')
const listed = (page: Page, display: string) => page.locator(`[data-display="${display}"] dd`).textContent()
const shownHash = async (page: Page, part: string) =>
  (await page.locator(`[data-on-device="${part}"] dd`).textContent())?.trim()

/** Digits of the typed data that Safe 1.4.1 signs, by viem alone. */
function digestOf(chainId: number, safe: `0x${string}`, value: bigint) {
  const { to, ...fields } = newSafeTx({ to: team.stranger.address, value, nonce: 0n })
  const types = {
    SafeTx: [
      ...[
        ['to', 'address'],
        ['value', 'uint256'],
        ['data', 'bytes'],
        ['operation', 'uint8'],
        ['safeTxGas', 'uint256'],
        ['baseGas', 'uint256'],
        ['gasPrice', 'uint256'],
        ['gasToken', 'address'],
        ['refundReceiver', 'address'],
        ['nonce', 'uint256'],
      ].map(([name = '', type = '']) => ({ name, type })),
    ],
  }
  return hashTypedData({
    domain: { chainId, verifyingContract: safe },
    types,
    primaryType: 'SafeTx',
    message: { to, ...fields, gasToken: zeroAddress, refundReceiver: zeroAddress },
  })
}

describe('what a device will show', () => {
  test('default: chosen once, remembered; hashes in its letters, and what it hides said by name', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = bruno
    await comeBack(bruno)
    const { safeTxHash } = await proposeByScript(anna, safe, { to: team.stranger.address, value: 7n, nonce: 0n })
    expect(safeTxHash).toBe(digestOf(scene.chainId, safe.safeAddress, 7n))
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await device(page).waitFor()
    expect(await device(page).getAttribute('data-device')).toBe('none')

    await page.getByLabel('You sign with').selectOption({ label: 'Keystone 3' })
    expect(await shownHash(page, 'eip712Digest')).toBe(safeTxHash)
    expect(await listed(page, 'shown')).toContain('nonce')

    await page.getByLabel('You sign with').selectOption({ label: 'Ledger' })
    expect(await shownHash(page, 'domainHash')).toMatch(/^0x[0-9A-F]{64}$/)
    expect(await page.locator('[data-on-device="eip712Digest"]').count()).toBe(0)
    expect(await listed(page, 'not-shown')).toMatch(/safeTxHash.*to, value.*nonce/)
    // A payment has no calls inside, so nothing is said of them.
    expect(await listed(page, 'not-shown')).not.toContain('the calls inside')
    expect(await violationsOf(page, '[data-device]')).toEqual([])

    await page.reload()
    await page.locator('[data-device="ledger"]').waitFor()
  })
})
