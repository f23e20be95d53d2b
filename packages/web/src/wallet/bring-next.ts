import { isLanguage, locale } from '../text/locale.ts'
import { partsAtRest } from '../ui/part/import-part.ts'

/** So long the dialog stands before anything more is asked for: whoever knows their wallet has picked it by then. */
const PAUSE_MS = 3_000

let isBrought = false

/**
 * Brings what comes after a wallet is picked, once one can be: the other screens, then the files of what is shown once
 * somebody is signed in, one by one at low priority. Nothing on a connection that is slow or saves data.
 */
export async function bringNext(): Promise<void> {
  if (isBrought || savesData()) return
  isBrought = true
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  await partsAtRest()
  await import('./connected-screens.ts')
  for (const file of filesAfterSignIn(document, locale.language))
    await fetch(file, { priority: 'low' }).then((answer) => answer.arrayBuffer())
}

type Connection = { saveData?: boolean; effectiveType?: string }

/** Whether the person or the network asks for no more than is needed. Browsers that do not tell are taken to be fast. */
export function savesData({ connection }: { connection?: Connection } = navigator as object): boolean {
  if (!connection) return false
  return connection.saveData === true || /^(slow-2g|2g|3g)$/.test(connection.effectiveType ?? '')
}

/** Reads the files that `nameLaterFiles` of vite.config.ts has named in index.html, without texts of other languages. */
export function filesAfterSignIn(page: Pick<Document, 'querySelector'>, language: string): string[] {
  const named = page.querySelector('meta[name="after-sign-in"]')?.getAttribute('content') ?? ''
  return named.split(' ').filter((file) => {
    const [, prefix = ''] = /^\/assets\/([a-z]+)-/.exec(file) ?? []
    return prefix !== '' && (!isLanguage(prefix) || prefix === language)
  })
}
