import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { comeBack, openTransaction, statusText, transactionPath } from '../src/people/owner.ts'
import { addSafeByScript, confirmByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Half of them are at the first transaction, the others at the second. */
const COUNT = isSoak ? 10 : 4

describe(`${COUNT} tabs of one browser`, () => {
  test('behavior: all stay live, also after the first is closed', async () => {
    const safe = await scene.newSafe()
    const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await addSafeByScript(bruno, safe.safeAddress)
    const proposed = []
    for (const nonce of [0n, 1n])
      proposed.push(await proposeByScript(bruno, safe, { to: team.stranger.address, value: parseEther('0.1'), nonce }))
    const [first, second] = proposed.map(({ safeTxHash }) => safeTxHash)
    if (!first || !second) throw new Error('two proposals were sent')

    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await openTransaction(anna, safe.safeAddress, first)
    const pages = [anna.page]
    for (let tab = 1; tab < COUNT; tab++) {
      const page = await anna.context.newPage()
      await page.goto(`${anna.url}${transactionPath(safe.chainId, safe.safeAddress, tab < COUNT / 2 ? first : second)}`)
      pages.push(page)
    }
    for (const page of pages) await statusText(page, '1 of 2').waitFor()

    const annaScript = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    await confirmByScript(annaScript, safe, first)
    for (const page of pages.slice(0, COUNT / 2)) await statusText(page, '2 of 2').waitFor()

    // The first tab held the stream: another has to take over.
    await pages[0]?.close()
    await confirmByScript(annaScript, safe, second)
    for (const page of pages.slice(COUNT / 2)) await statusText(page, '2 of 2').waitFor()
    expect(anna.context.pages()).toHaveLength(COUNT - 1)
  })
})
