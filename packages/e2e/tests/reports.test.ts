import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  comeBack,
  confirmButton,
  fillProposal,
  names,
  openEvidence,
  openTransaction,
  safePath,
  statusText,
} from '../src/people/owner.ts'
import { proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const payment = { to: team.stranger.address, value: 1n, nonce: 0n }

describe('what each owner saw', () => {
  test('default: the page of an owner reports it, and the others read it as that owner’s claim', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const { safeTxHash } = await proposeByScript(anna, safe, payment)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = bruno
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict]').waitFor()
    await openEvidence(page, 'What each owner saw')
    const ofAnna = page.locator(`[data-reports="${team.anna.address}"]`)
    await ofAnna.getByText('No report', { exact: true }).waitFor()
    await confirmButton(page).click()
    await statusText(page, '2 of 2 confirmations').waitFor()
    const ofBruno = page.locator(`[data-reports="${team.bruno.address}"] [data-reported="matches"]`)
    expect(await ofBruno.textContent()).toMatch(/Saw “Matches”\s*at block \d+\s*facts proved/)
    await ofAnna.getByText('No report', { exact: true }).waitFor()

    await page.goto(`${bruno.url}${safePath(bruno.chainId, safe.safeAddress)}/activity`)
    await page.locator('[data-verb="confirmed"] [data-reported="matches"]').waitFor()
    await page.getByText(/entries on this page match their hashes/).waitFor()
    // A report that the server makes up is not what the hash covers.
    await page.route(/\/activity\?/, async (route) => {
      const served = await (await route.fetch()).text()
      await route.fulfill({ body: served.replace('"verdict":"matches"', '"verdict":"do-not-sign"') })
    })
    await page.reload()
    await page.getByText('This log was altered').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })
})

describe('declared effects', () => {
  test('behavior: both files that are downloaded can be declared again, of this transaction alone', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    const { page } = anna
    const { safeTxHash } = await proposeByScript(
      await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId),
      safe,
      { ...payment, value: 1_000_000_000_000n },
    )
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await openEvidence(page, 'Expected changes')
    await page.getByText(`${safe.safeAddress}: −0.000001 ETH`).waitFor()
    const files: { name: string; mimeType: string; buffer: Buffer }[] = []
    for (const label of ['Download JSON', 'Download Markdown']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: label, exact: true }).click(),
      ])
      const buffer = await readFile(await download.path())
      files.push({ name: download.suggestedFilename(), mimeType: 'text/plain', buffer })
    }
    const attached = (state: 'on' | 'off') => page.locator(`[data-attach-effects="${state}"]`)
    for (const [file, amount] of files.flatMap((path) => [[path, '0.000001'] as const, [path, '0.000002'] as const])) {
      await fillProposal(anna, safe.safeAddress, { to: team.stranger.address, amount })
      await page.getByLabel('Nonce', { exact: true }).fill('0')
      await page.getByRole('button', { name: names.review, exact: true }).click()
      await attached('off').locator('input[type="file"]').setInputFiles(file)
      // Markdown holds slots alone.
      if (amount === '0.000001')
        await attached('on')
          .getByText(/ 0x0{63}5: /)
          .waitFor()
      else await attached('off').getByRole('alert').waitFor()
    }
    expect(files.map(({ name }) => name.split('.').at(-1))).toEqual(['json', 'md'])
  })
})
