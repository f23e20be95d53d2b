import type { WalletOptions } from '@countersign/devnet/scripted-wallet'
import type { Browser } from 'playwright-core'
import type { Hex } from 'viem'
import { startBrowser } from '../browser/browser.ts'
import { newOwner, newVisitor, type Owner, type Visitor } from '../people/owner.ts'
import type { SafeAt } from '../people/script-owner.ts'
import { fundTeam, newSafe, rpcUrlOf } from '../people/team.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'
import { sharedProduct } from './shared-product.ts'

/** A product with its devnet and a browser, for one test file. */
export type Scene = {
  product: Product
  browser: Browser
  rpcUrl: string
  chainId: number
  /** A new browser profile with a wallet of this key. */
  owner(privateKey: Hex, wallet?: Partial<WalletOptions>): Promise<Owner>
  /** A new browser profile without any wallet. */
  visitor(): Promise<Visitor>
  newSafe(): Promise<SafeAt>
  /** Closes every profile that is open. @throws Error when anything went wrong in one of them. */
  closeOwners(): Promise<void>
  /** Closes every profile and ends the product, if it is the file's own, whatever went wrong. @throws Error as `closeOwners` does. */
  close(): Promise<void>
}

export type SceneOptions = ProductOptions & { rpcUrl?: string; chainId?: number; version?: '1.3.0' | '1.4.1' | '1.5.0' }

/** Serves one file after the other: they share what they import. It ends with the process. */
let started: Promise<Browser> | undefined

/**
 * Shows the product to people. Files that say nothing of it share one, so they leave its demo Safe and the time of its chain
 * as they are. One of the file's own: with options, were it only `{ env: {} }`.
 */
export async function startScene(options?: SceneOptions): Promise<Scene> {
  started ??= startBrowser()
  const { product: starting, isShared } = options
    ? { product: startProduct(options), isShared: false }
    : sharedProduct()
  const [product, browser] = await Promise.all([starting, started])
  return sceneOf(product, browser, options ?? {}, !isShared)
}

async function sceneOf(product: Product, browser: Browser, options: SceneOptions, isOwn: boolean): Promise<Scene> {
  const rpcUrl = options.rpcUrl ?? rpcUrlOf(product)
  await fundTeam(rpcUrl)
  const chainId = options.chainId ?? 31337
  const owners: Visitor[] = []
  return {
    product,
    browser,
    rpcUrl,
    chainId,
    owner: async (privateKey, wallet) => {
      const owner = await newOwner(browser, { privateKey, rpcUrl, chainId, url: product.url, ...wallet })
      owners.push(owner)
      return owner
    },
    visitor: async () => {
      const visitor = await newVisitor(browser, product.url)
      owners.push(visitor)
      return visitor
    },
    newSafe: () => newSafe({ rpcUrl, chainId, version: options.version ?? '1.4.1' }),
    closeOwners,
    close: async () => {
      try {
        await closeOwners()
      } finally {
        await Promise.allSettled(browser.contexts().map((context) => context.close()))
        if (isOwn) await product[Symbol.asyncDispose]()
      }
    },
  }

  async function closeOwners(): Promise<void> {
    const open = owners.splice(0)
    for (const { context, watch } of open) {
      watch.end()
      // Answers of a test in the place of the server may still be on their way.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      // A test may have closed its own.
      await context.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
      await context.close()
    }
    for (const owner of open) owner.watch.assertNone()
  }
}
