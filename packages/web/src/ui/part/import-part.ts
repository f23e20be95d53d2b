/** Files that are there or on their way, by their addresses. */
const coming = new Map<string, Promise<void>>()

let explain = async (error: Error): Promise<Error> => error

/** Parts that are being imported. */
const importing = new Set<Promise<unknown>>()

/** Waits until no part is on its way any more and the page has been drawn with them, and then some: now is the time for what is needed later. */
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

/** Takes how a part whose file did not come is told: by its cause, which costs a question to the server. */
export function explainMissingParts(next: (error: Error) => Promise<Error>): void {
  explain = next
}

/**
 * Imports a part of the page once all its files are there; each dynamic `import()` goes through here. A browser keeps a
 * failed `import()` as long as the page is open, for every part that needs the file. A file that is fetched ahead may
 * fail, and is asked for anew. A new address instead would give a second instance of its module, with state of its own.
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

/** Whether an error is that code did not come, in the words of browsers. */
export function isMissingPart(error: unknown): error is TypeError {
  return error instanceof TypeError && /import\w+ .*module/i.test(error.message)
}

function bring(file: string): Promise<void> {
  const known = coming.get(file)
  if (known) return known
  const brought = fetchFile(`/${file}`)
  coming.set(file, brought)
  return brought
}

/** A `<link>` would do in one request less, but a browser keeps that it failed, too. What is fetched is imported from the cache. */
async function fetchFile(href: string): Promise<void> {
  // Named by index.html, it comes with that.
  if (document.querySelector(`link[href="${href}"], script[src="${href}"]`)) return
  const answer = await fetch(href).catch(() => null)
  const body = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null
  if (!body) throw new TypeError(`Failed to fetch dynamically imported module: ${href}`)
}
