import type { BrowserContext } from 'playwright-core'

/** Objects at window.ethereum, or announced, that are no wallets as EIP-1193 has them. */
export type OddWallet = {
  name: string
  rdns?: string
  /** The body of `request({ method, params })`; its value is the answer, promised or not. */
  request: string
  /** More properties of the provider, as the inside of an object literal. */
  more?: string
}

/** Announces wallets by EIP-6963 whose answers are given as source text, so that they can be anything. */
export async function announceOddWallets(context: BrowserContext, wallets: readonly OddWallet[]): Promise<void> {
  const sources = wallets.map(
    ({ name, rdns = `odd.${name.replace(/\W/g, '-')}`, request, more = '' }) => `
      {
        const provider = Object.freeze({ request({ method, params }) { ${request} }, ${more} })
        const info = Object.freeze({ name: ${JSON.stringify(name)}, rdns: ${JSON.stringify(rdns)}, uuid: String(Math.random()), icon: '' })
        const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
        addEventListener('eip6963:requestProvider', tell)
        tell()
      }`,
  )
  await context.addInitScript({ content: sources.join('\n') })
}

/** Announcements that are none: their parts are missing, of other types, or throw when they are read. */
export async function announceGarbage(context: BrowserContext): Promise<void> {
  await context.addInitScript({
    content: `
      const throwing = new Proxy({}, { get() { throw new Error('mine') }, has() { throw new Error('mine') } })
      const provider = { request: async () => null }
      const info = { name: 'Garbage', rdns: 'odd.garbage', uuid: 'u', icon: '' }
      const details = [
        undefined, null, 7, 'text', [], {}, throwing,
        { info: throwing, provider },
        { info, provider: throwing },
        { info, provider: null },
        { info, provider: { request: 'no function' } },
        { info: { ...info, name: { toString() { throw new Error('mine') } }, rdns: 7 }, provider },
        { info: { rdns: 'odd.getter', uuid: 'u', get name() { throw new Error('mine') } }, provider },
        { info: { ...info, rdns: 'a'.repeat(100000) }, provider },
      ]
      addEventListener('eip6963:requestProvider', () => {
        for (const detail of details) dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        dispatchEvent(new Event('eip6963:announceProvider'))
      })`,
  })
}

/** Puts something at window.ethereum, by its source text; \`throws\` makes reading it throw. */
export async function injectOdd(context: BrowserContext, source: string): Promise<void> {
  await context.addInitScript({
    content: `Object.defineProperty(window, 'ethereum', { configurable: true, get() { ${source} } })`,
  })
}
