import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { faultsOf } from '../src/browser/faults.ts'
import { leftoverEnglish } from '../src/pages/leftover-english.ts'
import { comeBack, names, type Owner, transactionPath } from '../src/people/owner.ts'
import { readDemoQueue, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

/** Read in each run; all of them in a soak. */
const languages = isSoak ? (['de', 'es', 'fr', 'zh'] as const) : (['de'] as const)

let scene: Scene
let owner: Owner
let demo: Awaited<ReturnType<typeof readDemoQueue>>
beforeAll(async () => {
  scene = await startScene()
  demo = await readDemoQueue(await signInByScript(scene.product.url, demoOwners[0].privateKey, scene.chainId))
  owner = await scene.owner(demoOwners[0].privateKey)
  await comeBack(owner)
})
afterAll(() => scene?.close())

test('default: chosen in the settings, for every page and after a reload', async () => {
  const { page, url, chainId } = owner
  await page.goto(`${url}/account`)
  await page.getByLabel('Language', { exact: true }).selectOption('de')
  await page.locator('html[lang="de"]').waitFor({ state: 'attached' })
  await page.getByRole('combobox', { name: 'Sprache', exact: true }).waitFor()
  await page.goto(`${url}${transactionPath(chainId, demo.safeAddress, demo.malicious)}`)
  await page.getByText('Nicht signieren', { exact: true }).first().waitFor()
})

/** Pages are read in all languages in `every-page.test.ts`; this one is there after a step. */
test.each(languages)('behavior: the review of a new Safe has nothing left in English, in %s', async (language) => {
  const { page, url } = owner
  await page.goto(`${url}/account`)
  await page.evaluate((chosen) => localStorage.setItem('countersign.locale', chosen), language)
  await page.goto(`${url}/create`)
  await page.locator('[data-owner="2"] input').first().fill(demoOwners[1].address)
  await page.locator('main form button[type="submit"]').first().click()
  await page.locator('[data-cost]').waitFor()
  expect(await leftoverEnglish(page, language)).toEqual([])
  expect(await faultsOf(page)).toEqual([])
})

test('behavior: English stands in for a language that does not load', async () => {
  const visitor = await scene.visitor()
  visitor.watch.expect(/net::ERR_FAILED/)
  await visitor.context.addInitScript(() => localStorage.setItem('countersign.locale', 'de'))
  await visitor.context.route('**/assets/de-*', (route) => route.abort())
  await visitor.page.goto(visitor.url)
  await visitor.page.getByRole('banner').getByRole('button', { name: names.connect }).waitFor()
})

test('behavior: a page that does not load says so in the language of its reader', async () => {
  const visitor = await scene.visitor()
  visitor.watch.expect(/net::ERR_FAILED/)
  await visitor.context.addInitScript(() => localStorage.setItem('countersign.locale', 'de'))
  await visitor.context.route('**/assets/first-*', (route) => route.abort())
  await visitor.page.goto(visitor.url)
  await visitor.page.getByText('Countersign konnte nicht geladen werden. Laden Sie die Seite neu.').waitFor()
})
