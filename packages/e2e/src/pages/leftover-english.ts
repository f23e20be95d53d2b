import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../../web/src/text/', import.meta.url))
const known = new Map<string, readonly string[]>()

/** Lists the English sentences on a page that is in another language. */
export async function leftoverEnglish(page: Page, language: string): Promise<string[]> {
  // Words for browsers without scripts stand there in all languages.
  const shown = (await page.locator('body > :not(noscript)').allTextContents()).join('\n')
  const sentences = known.get(language) ?? sentencesOf(language)
  known.set(language, sentences)
  return sentences.filter((sentence) => shown.includes(sentence))
}

/** English sentences without values that a language says in other words. */
function sentencesOf(language: string): string[] {
  const files = readdirSync(`${folder}en`).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => {
    const read = (of: string) => JSON.parse(readFileSync(`${folder}${of}/${file}`, 'utf8')) as Record<string, string>
    const translated = read(language)
    return Object.entries(read('en'))
      .filter(([key, english]) => translated[key] !== english && /^[^{]*\w+ \w+ \w+[^{]*$/.test(english))
      .map(([, english]) => english)
  })
}
