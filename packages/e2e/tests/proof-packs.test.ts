import { readFile } from 'node:fs/promises'
import { attachPack, call, getPack, listPacks } from '@countersign/contract'
import { requestNode } from '@countersign/devnet'
import { keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { confirmButton, type Owner, openEvidence, openTransaction, safePath, statusText } from '../src/people/owner.ts'
import { mint, payStranger, startReview, token } from '../src/people/reviewer.ts'
import { addSafeByScript, proposeByScript, type ScriptOwner } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import type { Scene } from '../src/product/scene.ts'

let scene: Scene
let bruno: Owner
let byScript: ScriptOwner
beforeAll(async () => {
  ;({ scene, bruno, byScript } = await startReview({}))
})
afterAll(() => scene?.close())
afterEach(() => bruno?.watch.assertNone())

const THRESHOLD_SLOT = `0x${'4'.padStart(64, '0')}`

describe('a proof pack', () => {
  test('is saved, run again without a network, and shows what is different now', async () => {
    const safe = await scene.newSafe()
    await addSafeByScript(byScript, safe.safeAddress)
    await mint(scene, safe.safeAddress, 9_000_000n)
    const payment = { to: token, data: payStranger(5_000_000n), nonce: 0n }
    const { safeTxHash } = await proposeByScript(byScript, safe, payment)
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await openEvidence(page, 'Proof pack')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save a proof pack' }).click(),
    ])
    const path = await download.path()
    const text = await readFile(path, 'utf8')
    const { review, ...file } = JSON.parse(text)
    expect(file).toMatchObject({ format: 'countersign-proof-pack', version: 2 })
    await page.locator('[data-pack="made"]').waitFor()
    const choose = (content: string) =>
      page
        .locator('[data-pack] input[type="file"]')
        .setInputFiles({ name: 'pack.json', mimeType: 'application/json', buffer: Buffer.from(content) })

    bruno.watch.expect(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await choose(text)
    await page.locator('[data-pack-vouching="unasked"] [data-pack-differences="unknown"]').waitFor()
    await page.locator('[data-pack] [data-delta="-5000000"]').waitFor()
    await page.locator(`[data-pack-verdict="${review.verdict}"]`).waitFor()
    expect(await page.locator('[data-pack-claimed]').count()).toBe(0)
    const other = review.verdict === 'do-not-sign' ? 'matches' : 'do-not-sign'
    await choose(JSON.stringify({ ...file, review: { ...review, verdict: other } }))
    await page.locator('[data-pack-claimed="verdict"]').waitFor()
    await page.context().setOffline(false)

    await choose(text)
    await page.locator('[data-pack-vouching="enough"] [data-pack-differences="none"]').waitFor()
    expect(await faultsOf(page)).toEqual([])

    await requestNode(
      scene.rpcUrl,
      'anvil_setStorageAt',
      safe.safeAddress,
      THRESHOLD_SLOT,
      `0x${'1'.padStart(64, '0')}`,
    )
    await requestNode(scene.rpcUrl, 'evm_mine')
    await choose(text)
    await page.locator('[data-pack-differences="threshold"]').waitFor()

    const code = JSON.parse(text)
    code.codes[0] = `${code.codes[0]}00`
    await choose(JSON.stringify(code))
    await page.locator('[data-pack="failed"]').getByText('The node gave a wrong proof').waitFor()
    await choose('x'.repeat(8_000_001))
    await page.locator('[data-pack="failed"]').getByText('The proof pack cannot be used').waitFor()
  })

  test('behavior: one that a member attached is run by the page of the next, which refuses what is made up', async () => {
    const safe = await scene.newSafe()
    await addSafeByScript(byScript, safe.safeAddress)
    const payment = { to: team.stranger.address, value: 3n, nonce: 0n }
    const { safeTxHash } = await proposeByScript(byScript, safe, payment)
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await openEvidence(page, 'Proof pack')
    await page.locator('[data-attached-packs="0"]').waitFor()
    await page.getByRole('button', { name: 'Save a proof pack' }).click()
    await page.getByRole('button', { name: 'Attach the saved pack' }).click()
    await page.locator('[data-attached-packs="1"]').waitFor()
    const place = { chainId: byScript.chainId, safeAddress: safe.safeAddress, safeTxHash }
    const { packs } = await call(byScript.options, listPacks, place)
    expect(packs.map(({ author }) => author)).toEqual([team.bruno.address])
    const { text } = await call(byScript.options, getPack, { ...place, id: packs[0]?.id ?? '' })
    await page.getByRole('button', { name: 'Run this pack' }).click()
    await page.locator('[data-pack-vouching="enough"] [data-pack-differences="none"]').waitFor()

    const file = JSON.parse(text)
    file.codes[0] = `${file.codes[0]}00`
    const { packHash } = await call(byScript.options, attachPack, { ...place, text: JSON.stringify(file) })
    const other = page.locator(`[data-attached-pack="${packHash}"]`)
    await other.getByRole('button', { name: 'Run this pack' }).click()
    await page.locator('[data-pack="failed"]').getByText('The node gave a wrong proof').waitFor()
    await other.getByRole('button', { name: 'Remove this pack' }).click()
    await page.locator('[data-attached-packs="1"]').waitFor()
    expect(await other.count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
  })

  test('behavior: what an owner signs after saving it reports its hash, for the others and in the log', async () => {
    const safe = await scene.newSafe()
    await addSafeByScript(byScript, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await openEvidence(page, 'Proof pack')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save a proof pack' }).click(),
    ])
    const hash = keccak256(await readFile(await download.path()))
    await page.locator('[data-pack="made"]').getByText(hash).waitFor()
    await confirmButton(page).click()
    await statusText(page, '2 of 2 confirmations').waitFor()
    await openEvidence(page, 'What each owner saw')
    await page.locator(`[data-reports="${team.bruno.address}"] [data-reported-pack="${hash}"]`).waitFor()
    expect(await page.locator('[data-reported-pack]').count()).toBe(1)
    await page.goto(`${bruno.url}${safePath(bruno.chainId, safe.safeAddress)}/activity`)
    await page.locator(`[data-verb="confirmed"] [data-reported-pack="${hash}"]`).waitFor()
    await page.getByText(/entries on this page match their hashes/).waitFor()
  })
})
