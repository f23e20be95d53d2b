import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linkedSafeConnector } from '../safe/linked-safe-connector.ts'
import { safeConnector } from '../safe/safe-connector.ts'
import { injectedConnector, type RequestPlace } from './connector.ts'
import { demoConnector } from './demo/demo-connector.ts'

const wordsOfPlaces: Record<RequestPlace, RegExp> = {
  extension: /toolbar|Symbolleiste|barra de herramientas|barre d’outils|工具栏/,
  window: /window of|Fenster von|ventana de|fenêtre de|的窗口中/,
  page: /on this page|auf dieser Seite|en esta página|sur cette page|在此页面上/,
  safe: /Safe interface|Safe-Oberfläche|interfaz de Safe|interface Safe|Safe 界面/,
  phone: /phone|Telefon|teléfono|téléphone|手机/,
  link: /link for|Link für|enlace para|lien pour|链接/,
}

describe('the place of a request', () => {
  test.each(['en', 'de', 'es', 'fr', 'zh'])('is the only one that the text names, in %s', (language) => {
    const file = join(import.meta.dirname, `../../text/${language}/wallet-dialog.json`)
    const texts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
    for (const place of Object.keys(wordsOfPlaces)) {
      const text = texts[`wallet.connect.waiting.${place}`] ?? ''
      const named = Object.entries(wordsOfPlaces).flatMap(([other, words]) => (words.test(text) ? [other] : []))
      expect(named, text).toEqual([place])
    }
  })

  test('is known for each wallet', () => {
    const provider = { request: async () => null, on: () => {}, removeListener: () => {} }
    expect(injectedConnector({ id: 'fox', name: 'Fox', provider: () => provider }).asksIn).toBe('extension')
    expect(demoConnector().asksIn).toBe('page')
    expect(safeConnector(['https://app.safe.global']).asksIn).toBe('safe')
    expect(linkedSafeConnector().asksIn).toBe('link')
  })
})
