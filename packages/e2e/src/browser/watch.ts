import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'

export type Watch = {
  /** Errors in the pages of the context until now. */
  readonly troubles: string[]
  /** A trouble that the test provokes; the rest still fails it. */
  expect(pattern: RegExp): void
  /** Counts no further trouble: requests that a test answers fail when their page is closed. */
  end(): void
  /** @throws Error listing CSP violations, console errors, uncaught errors, failed requests and requests that left. */
  assertNone(): void
}

/** Listens to everything that must not happen in a page, from before its first script. */
export async function watchContext(context: BrowserContext, origin: string): Promise<Watch> {
  const troubles: string[] = []
  let whole: string[] | null = null
  const expected: RegExp[] = []
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP violation: ${event.effectiveDirective} refused ${event.blockedURI} at ${event.sourceFile}`)
    })
  })
  context.on('page', (page) => watchPage(page, origin, troubles))
  for (const page of context.pages()) watchPage(page, origin, troubles)
  return {
    troubles,
    expect: (pattern) => {
      expected.push(pattern)
    },
    end: () => {
      whole = [...troubles]
    },
    assertNone: () => {
      const unexpected = (whole ?? troubles).filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
      if (unexpected.length > 0) throw new Error(`${unexpected.length} troubles in the page:\n${unexpected.join('\n')}`)
    },
  }
}

function watchPage(page: Page, origin: string, troubles: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !repeatsResponse(message)) troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('response', (response) => {
    if (response.status() < 400) return
    const at = troubles.push(`response: ${response.status()} ${new URL(response.url()).pathname}`) - 1
    // The code comes with the body, which may be gone with its page.
    const name = (text: string) => {
      troubles[at] += ` ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`
    }
    void response.text().then(name, () => {})
  })
  page.on('websocket', (socket) => troubles.push(`socket opened: ${new URL(socket.url()).origin}`))
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && target !== origin)
      troubles.push(`request left: ${request.url()}`)
  })
}

/** Chromium writes a line for every answer of 400 and above; it is already among the responses. */
function repeatsResponse(message: ConsoleMessage): boolean {
  return message.text().startsWith('Failed to load resource: the server responded with a status of')
}
