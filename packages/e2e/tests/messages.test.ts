import { encodeContractQuestion, encodeMessageContent, parseMessageContent } from '@countersign/safe'
import type { Page } from 'playwright-core'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  addSafe,
  comeBack,
  confirmButton,
  names,
  type Owner,
  safePath,
  shownHash,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

async function annaAndBruno(): Promise<{ safe: SafeAt; anna: Owner; bruno: Owner }> {
  const safe = await scene.newSafe()
  const anna = await scene.owner(team.anna.privateKey)
  const bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  await comeBack(bruno)
  return { safe, anna, bruno }
}

async function proposeMessage(owner: Owner, safe: SafeAt, words: string): Promise<Hex> {
  const { page } = owner
  await page.goto(`${owner.url}${safePath(safe.chainId, safe.safeAddress)}/messages/new`)
  await page.getByLabel('Text', { exact: true }).fill(words)
  await page.getByRole('button', { name: names.review, exact: true }).click()
  await tickAll(page)
  await page.getByRole('button', { name: names.propose, exact: true }).click()
  await page.waitForURL(/\/messages\/0x[0-9a-f]{64}$/)
  return `0x${page.url().slice(-64)}`
}

/** Uses the signature as an application does. */
async function isValidOnChain(safe: SafeAt, json: string, signature: string): Promise<boolean> {
  const chain = createPublicClient({ transport: http(scene.rpcUrl) })
  const data = encodeContractQuestion({
    owner: safe.safeAddress,
    asks: 'bytes32',
    data: encodeMessageContent(parseMessageContent(json)),
    signature: signature as Hex,
  })
  const answer = await chain.call({ to: safe.safeAddress, data })
  return answer.data?.startsWith('0x1626ba7e') ?? false
}

async function signatureOfSafe(page: Page): Promise<string> {
  await page.locator('[data-collected="accepted"]').waitFor()
  return (await page.locator('[data-signature-of-safe]').textContent()) ?? ''
}

describe('a message of two owners', () => {
  test('default: a text, from writing to a signature that the chain accepts, live on both screens', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}`)
    await bruno.page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click()
    await bruno.page.getByText('No messages yet').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])

    const words = 'We agree to the terms\nof 2026.'
    const safeMessageHash = await proposeMessage(anna, safe, words)
    await shownHash(anna.page, safeMessageHash).waitFor({ state: 'attached' })
    await statusText(anna.page, '1 of 2').waitFor()
    expect(await anna.page.locator('[data-message-text]').textContent()).toContain('of 2026.')

    // Bruno's list was open before: the message comes to him.
    const row = bruno.page.locator(`[data-message="${safeMessageHash}"]`)
    // The line of the section counts what waits for him, until he has signed.
    const inNavigation = bruno.page.getByRole('navigation').getByRole('link', { name: /^Messages/ })
    const waiting = inNavigation.getByRole('img', { name: '1 message to review' })
    await waiting.waitFor()
    await row.getByText(names.waitsForYou).waitFor()
    await row.getByRole('link').click()
    await bruno.page.locator('[data-verdict="matches"]').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])
    await confirmButton(bruno.page).click()
    for (const { page } of [bruno, anna]) {
      const signature = await signatureOfSafe(page)
      expect(await isValidOnChain(safe, JSON.stringify(words), signature)).toBe(true)
      expect(await isValidOnChain(safe, '"other"', signature).catch(() => false)).toBe(false)
    }
    await waiting.waitFor({ state: 'detached' })
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.getByRole('link', { name: 'All messages' }).click()
    await anna.page.locator(`[data-message="${safeMessageHash}"][data-standing="complete"]`).waitFor()
  })
})
