import type { BrowserContext } from 'playwright-core'

/** An announced object that is no wallet as EIP-1193 has it. */
export type OddWallet = {
  name: string
  rdns?: string
  /** The body of `request({ method, params })`; its value is the answer, promised or not. */
  request: string
}

/** Announces wallets by EIP-6963 whose answers are given as source text, so that they can be anything. */
export async function announceOddWallets(context: BrowserContext, wallets: readonly OddWallet[]): Promise<void> {
  const sources = wallets.map(
    ({ name, rdns = `odd.${name.replace(/\W/g, '-')}`, request }) => `
      {
        const provider = Object.freeze({ request({ method, params }) { ${request} } })
        const info = Object.freeze({ name: ${JSON.stringify(name)}, rdns: ${JSON.stringify(rdns)}, uuid: String(Math.random()), icon: '' })
        const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
        addEventListener('eip6963:requestProvider', tell)
        tell()
      }`,
  )
  await context.addInitScript({ content: sources.join('\n') })
}
