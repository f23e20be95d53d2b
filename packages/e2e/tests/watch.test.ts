import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../src/browser/browser.ts'
import { newOwner, type Owner } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'

// The watch guards every other test: here it is shown each thing that it has to catch.
let server: Server
let browser: Browser
let url: string
beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'; connect-src *; img-src data:")
    const [, page = ''] = (request.url ?? '').split('/')
    if (page.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript')
      response.end(scripts[page] ?? '')
      return
    }
    if (page === 'missing') response.statusCode = 500
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><script src="/${page}.js"></script>${bodies[page] ?? ''}`,
    )
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
})

const scripts: Record<string, string> = {
  'console.js': 'console.error("a broken thing")',
  'throws.js': 'throw new Error("uncaught thing")',
  'leaves.js': 'fetch("http://127.0.0.2:9/").catch(() => {})',
  'asks.js': 'fetch("/missing")',
}
const bodies: Record<string, string> = {
  inline: '<script>document.title = "inline"</script>',
  picture: '<img src="/picture.png">',
}

async function visit(page: string): Promise<Owner> {
  const owner = await newOwner(browser, { url, rpcUrl: url, chainId: 1, privateKey: team.anna.privateKey })
  await owner.page.goto(`${url}/${page}`)
  return owner
}

describe('watchContext', () => {
  test('default: a clean page passes', async () => {
    await using owner = await visit('clean')
    await owner.page.waitForLoadState('networkidle')
    owner.watch.assertNone()
  })

  test.each([
    ['console', /console: a broken thing/],
    ['throws', /uncaught: Error: uncaught thing/],
    ['inline', /CSP violation: script-src/],
    ['picture', /CSP violation: img-src/],
    ['leaves', /request left: http:\/\/127\.0\.0\.2:9/],
    ['asks', /response: 500 \/missing/],
  ])('behavior: `%s` is caught', async (page, trouble) => {
    await using owner = await visit(page)
    await expect.poll(() => owner.watch.troubles.join('\n')).toMatch(trouble)
    expect(() => owner.watch.assertNone()).toThrow(trouble)
    owner.watch.expect(/./)
    owner.watch.assertNone()
  })
})

describe('installWallet', () => {
  test('behavior: announced by EIP-6963, silent about accounts until it was asked', async () => {
    await using owner = await visit('clean')
    const seen = await owner.page.evaluate(async () => {
      type Provider = { request(args: { method: string; params?: unknown[] }): Promise<unknown> }
      const provider = await new Promise<Provider>((resolve) => {
        window.addEventListener('eip6963:announceProvider', (event) => resolve((event as CustomEvent).detail.provider))
        window.dispatchEvent(new Event('eip6963:requestProvider'))
      })
      const before = await provider.request({ method: 'eth_accounts' })
      const asked = await provider.request({ method: 'eth_requestAccounts' })
      const after = await provider.request({ method: 'eth_accounts' })
      return { before, asked, after }
    })
    const address = privateKeyToAddress(team.anna.privateKey)
    expect(seen).toEqual({ before: [], asked: [address], after: [address] })
  })

  test('behavior: rejects and is already pending with the codes of real wallets', async () => {
    await using owner = await visit('clean')
    for (const [behaviour, code] of [
      ['reject', 4001],
      ['already-pending', -32002],
    ] as const) {
      owner.wallet.behave('connect', behaviour)
      const caught = await owner.page.evaluate(async () => {
        const provider = await new Promise<{ request(args: { method: string }): Promise<unknown> }>((resolve) => {
          window.addEventListener('eip6963:announceProvider', (event) =>
            resolve((event as CustomEvent).detail.provider),
          )
          window.dispatchEvent(new Event('eip6963:requestProvider'))
        })
        return provider.request({ method: 'eth_requestAccounts' }).catch((error) => error.code)
      })
      expect(caught).toBe(code)
    }
  })
})
