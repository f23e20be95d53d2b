import {
  announceWallet,
  createScriptedWallet,
  type ScriptedWallet,
  type WalletOptions,
} from '@countersign/devnet/scripted-wallet'
import type { BrowserContext } from 'playwright-core'

/** Puts a scripted wallet into every page of a context. Its key stays in Node. */
export async function installWallet(context: BrowserContext, options: WalletOptions): Promise<ScriptedWallet> {
  const { wallet, announcement, respond } = createScriptedWallet(options, async (event, value) => {
    for (const page of context.pages())
      await page.evaluate(([type, detail]) => window.dispatchEvent(new CustomEvent(type, { detail })), [
        `${announcement.id}:${event}`,
        value,
      ] as const)
  })
  await context.exposeFunction(announcement.id, respond)
  // Run by tsx, functions name themselves through a helper that a page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' })
  await context.addInitScript(announceWallet, announcement)
  return wallet
}
