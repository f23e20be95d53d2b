import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmButton,
  names,
  safePath,
  safeTxHashOf,
  sendProposal,
  signIn,
  statusText,
  tickAll,
  transactionPath,
} from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { team } from '../src/team.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Runs in the page before its first script: every way to keep something, or to hear of other tabs, is refused. */
const refuseAll = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })
  for (const name of ['request', 'query'])
    LockManager.prototype[name] = () => Promise.reject(new DOMException('blocked', 'SecurityError'))
  window.BroadcastChannel = class { constructor() { throw new DOMException('blocked', 'SecurityError') } }
`

describe('a browser that refuses to keep anything', () => {
  test('behavior: from signing in to a confirmation, and the news of it', async () => {
    const safe = await scene.newSafe()
    const [anna, bruno] = [await scene.owner(team.anna.privateKey), await scene.owner(team.bruno.privateKey)]
    for (const { context } of [anna, bruno]) await context.addInitScript({ content: refuseAll })
    await signIn(anna, `${safePath(safe.chainId, safe.safeAddress)}/new`)
    await anna.page.getByLabel(names.recipient, { exact: true }).fill(team.stranger.address)
    await anna.page.getByLabel(names.amount, { exact: true }).fill('0.5')
    await sendProposal(anna)
    const safeTxHash = await safeTxHashOf(anna.page)
    await statusText(anna.page, '1 of 2').waitFor()
    await signIn(bruno, transactionPath(safe.chainId, safe.safeAddress, safeTxHash))
    await tickAll(bruno.page)
    await confirmButton(bruno.page).click()
    // On both screens: the news needs neither locks nor channels.
    for (const { page } of [bruno, anna]) await statusText(page, '2 of 2').waitFor()
    expect(anna.watch.troubles).toEqual([])
  })
})
