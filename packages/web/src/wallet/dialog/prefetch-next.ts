import { isLanguage, locale } from '../../text/locale.ts'
import { partsAtRest } from '../../ui/part/import-part.ts'

/** Pause after the dialog opens before more files are fetched. A person who knows their wallet has picked it by then. */
const PAUSE_MS = 3_000

let isStarted = false

/**
 * Fetches what is needed after a wallet is picked: first the other screens, then the files for the page after sign-in, one by one
 * at low priority. It fetches nothing on a slow connection or one that saves data.
 */
export async function prefetchNext(): Promise<void> {
  if (isStarted || savesData()) return
  isStarted = true
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  await partsAtRest()
  await import('./connected-screens.ts')
  for (const file of filesAfterSignIn(document, locale.language))
    await fetch(file, { priority: 'low' }).then((answer) => answer.arrayBuffer())
}

type Connection = { saveData?: boolean; effectiveType?: string }

/** Whether the browser saves data or reports a slow network. Without a report, the network counts as fast. */
export function savesData({ connection }: { connection?: Connection } = navigator as object): boolean {
  if (!connection) return false
  return connection.saveData === true || /^(slow-2g|2g|3g)$/.test(connection.effectiveType ?? '')
}

/** Reads the files that `nameLaterFiles` of vite.config.ts listed in index.html, without texts of other languages. */
export function filesAfterSignIn(page: Pick<Document, 'querySelector'>, language: string): string[] {
  const named = page.querySelector('meta[name="after-sign-in"]')?.getAttribute('content') ?? ''
  return named.split(' ').filter((file) => {
    const [, prefix = ''] = /^\/assets\/([a-z]+)-/.exec(file) ?? []
    return prefix !== '' && (!isLanguage(prefix) || prefix === language)
  })
}
