import { isMissingPart } from './missing-part.ts'

/** Files that are loaded or being fetched, by address. */
const coming = new Map<string, Promise<void>>()

let explain = async (error: Error): Promise<Error> => error

/** Parts that are being imported. */
const importing = new Set<Promise<unknown>>()

/** Waits until no part is loading and the page is drawn, plus a pause, so that files for later can be fetched. */
export async function partsAtRest(): Promise<void> {
  do {
    await new Promise((resolve) => setTimeout(resolve))
    await Promise.allSettled(importing)
  } while (importing.size > 0)
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_MS })
    else setTimeout(resolve, IDLE_MS / 10)
  })
}

const IDLE_MS = 2_000

/** Sets the function that turns a failed fetch into an error. Finding its cause takes a request to the server. */
export function explainMissingParts(next: (error: Error) => Promise<Error>): void {
  explain = next
}

/**
 * Imports a part of the page when all its files are fetched. Each dynamic `import()` goes through this function. A browser remembers
 * a failed `import()` while the page is open, for every part that needs the file. A failed fetch can be repeated. A new address
 * would create a second instance of the module, with separate state.
 */
export function importPart<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  const part = bringAndImport(load, files)
  importing.add(part)
  const done = () => void importing.delete(part)
  part.then(done, done)
  return part
}

async function bringAndImport<Part>(load: () => Promise<Part>, files: readonly string[]): Promise<Part> {
  try {
    await Promise.all(files.map(bring))
    return await load()
  } catch (error) {
    for (const file of files) coming.delete(file)
    throw isMissingPart(error) ? await explain(error) : error
  }
}

function bring(file: string): Promise<void> {
  const known = coming.get(file)
  if (known) return known
  const brought = fetchFile(`/${file}`)
  coming.set(file, brought)
  return brought
}

/** Fetches a file into the cache, from which it is imported. A `<link>` would save a request, but browsers remember its failure. */
async function fetchFile(href: string): Promise<void> {
  // Files in index.html are already loaded.
  if (document.querySelector(`link[href="${href}"], script[src="${href}"]`)) return
  const answer = await fetch(href).catch(() => null)
  const body = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null
  if (!body) throw new TypeError(`Failed to fetch dynamically imported module: ${href}`)
}
