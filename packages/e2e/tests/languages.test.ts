import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, names, type Owner, sectionPath, transactionPath } from '../src/people/owner.ts'
import { readDemoQueue, signInByScript } from '../src/people/script-owner.ts'
import { demoOwners } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const folder = fileURLToPath(new URL('../../web/src/text/', import.meta.url))
const languages = ['de', 'es', 'fr', 'zh'] as const
/** The verdicts of the demo's transactions. */
const words = {
  de: [
    ['malicious', 'Nicht signieren'],
    ['harmless', 'Stimmt überein'],
  ],
  es: [
    ['malicious', 'No firmes'],
    ['harmless', 'Coincide'],
  ],
  fr: [
    ['malicious', 'Ne signez pas'],
    ['harmless', 'Concordance'],
  ],
  zh: [
    ['malicious', '切勿签名'],
    ['harmless', '一致'],
  ],
} as const

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

/** English sentences without values that a language says in other words. */
function sentences(language: string): string[] {
  const files = readdirSync(`${folder}en`).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => {
    const read = (of: string) => JSON.parse(readFileSync(`${folder}${of}/${file}`, 'utf8')) as Record<string, string>
    const translated = read(language)
    return Object.entries(read('en'))
      .filter(([key, english]) => translated[key] !== english && /^[^{]*\w+ \w+ \w+[^{]*$/.test(english))
      .map(([, english]) => english)
  })
}

/** Looks for English on a page in another language, and for a page that is wider than its window. */
async function look(page: Page, path: string, language: (typeof languages)[number]) {
  await page.goto(`${owner.url}${path}`)
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
  await page.locator('main h1').first().waitFor()
  const [, word] = words[language].find(([hash]) => path.endsWith(demo[hash])) ?? []
  if (word) await page.getByRole('main').getByText(word, { exact: true }).first().waitFor()
  await findEnglish(page, path, language)
}

async function findEnglish(page: Page, path: string, language: (typeof languages)[number]) {
  // Words for browsers without scripts stand there in all languages.
  const shown = (await page.locator('body > :not(noscript)').allTextContents()).join('\n')
  expect(
    sentences(language).filter((sentence) => shown.includes(sentence)),
    `${language} ${path}`,
  ).toEqual([])
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(excess, `${language} ${path} is wider than its window`).toBeLessThanOrEqual(0)
}

test('default: chosen in the settings, for every page and after a reload', async () => {
  const { page, url, chainId } = owner
  await page.goto(`${url}/account`)
  await page.getByLabel('Language', { exact: true }).selectOption('de')
  await page.locator('html[lang="de"]').waitFor({ state: 'attached' })
  await page.getByRole('combobox', { name: 'Sprache', exact: true }).waitFor()
  await page.goto(`${url}${transactionPath(chainId, demo.safeAddress, demo.malicious)}`)
  await page.getByText(words.de[0][1], { exact: true }).first().waitFor()
})

test.each(languages)(
  'behavior: pages in %s fit a phone of 320 px, and nothing is left in English',
  async (language) => {
    const { page, url, chainId } = owner
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(`${url}/account`)
    await page.evaluate((chosen) => localStorage.setItem('countersign.locale', chosen), language)
    const { safeAddress, malicious, harmless } = demo
    await look(page, '/', language)
    await look(page, sectionPath(chainId, safeAddress, 'queue'), language)
    await look(page, transactionPath(chainId, safeAddress, harmless), language)
    await look(page, transactionPath(chainId, safeAddress, malicious), language)
    expect(await faultsOf(page)).toEqual([])
    await look(page, '/create', language)
    await page.locator('[data-owner="2"] input').first().fill(demoOwners[1].address)
    await page.locator('main form button[type="submit"]').first().click()
    await page.locator('[data-cost]').waitFor()
    await findEnglish(page, 'review of a new Safe', language)
    expect(await faultsOf(page)).toEqual([])
  },
)

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
