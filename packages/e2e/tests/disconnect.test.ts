import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect, connectionStatus } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialogButton } from '../src/wallets/dialog.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('two tabs', () => {
  test.each([
    ['with storage', ''],
    [
      'without storage',
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })`,
    ],
    ['without channels', `Object.defineProperty(window, 'BroadcastChannel', { value: undefined })`],
  ])('behavior: disconnected in one, disconnected in the other, %s', async (_, blocked) => {
    const anna = await scene.owner(team.anna.privateKey)
    if (blocked) await anna.context.addInitScript({ content: blocked })
    await anna.page.goto(anna.url)
    await connect(anna)
    const page = await anna.context.newPage()
    await page.goto(anna.url)
    const other = { ...anna, page }
    if (blocked.includes('localStorage')) await connect(other)
    await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
    const asked = anna.wallet.requests.length
    await dialogButton(anna.page, 'Disconnect').click()
    await connectionStatus(anna.page, 'disconnected').waitFor({ state: 'attached' })
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
    // The wallet is told once.
    await expect
      .poll(() => anna.wallet.requests.slice(asked).map(({ method }) => method))
      .toEqual(['wallet_revokePermissions'])
    // Connected again in the one, the other stays as it is until its person connects it.
    await connect(anna)
    await connectionStatus(page, 'disconnected').waitFor({ state: 'attached' })
  })
})
