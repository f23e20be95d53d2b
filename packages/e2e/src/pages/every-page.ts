import { call, listHistory, proposeMessage } from '@countersign/contract'
import { demoScenario } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { safePath, transactionPath } from '../people/owner.ts'
import { readDemoQueue, type ScriptOwner } from '../people/script-owner.ts'

/** A page, and what is on it once all of it is there: CSS, as its words are in any language. */
export type PageOfProduct = { path: string; shows: string }

type Demo = { safeAddress: Address; harmless: Hex; malicious: Hex }

/**
 * Every page of the product that somebody who is signed in can open, by its name. The only list of them: tests of all
 * pages and the screenshots go through it. Proposes a message to the demo Safe, so that one has a page.
 */
export async function everyPage(owner: ScriptOwner): Promise<{ demo: Demo; pages: Record<string, PageOfProduct> }> {
  const { chainId } = owner
  const demo = await readDemoQueue(owner)
  const { safeAddress, harmless, malicious } = demo
  const safe = safePath(chainId, safeAddress)
  const message = await messageOf(owner, safeAddress)
  const pages = {
    'My Safes': { path: '/', shows: `main a[href*="${safe}" i]` },
    Home: { path: safe, shows: `main a[href*="${harmless}"]` },
    Queue: { path: `${safe}/queue`, shows: `[data-transaction="${malicious}"] [data-listed-verdict="do-not-sign"]` },
    History: { path: `${safe}/history`, shows: '[data-history-row]' },
    Assets: { path: `${safe}/assets`, shows: '[data-amount]' },
    Messages: { path: `${safe}/messages`, shows: `main a[href*="${message}"]` },
    Message: { path: `${safe}/messages/${message}`, shows: '[data-verdict]' },
    'New message': { path: `${safe}/messages/new`, shows: 'main form textarea:visible' },
    'Address book': { path: `${safe}/book`, shows: 'main [data-book]' },
    Team: { path: `${safe}/team`, shows: '[data-owner]' },
    Policy: { path: `${safe}/team/policy`, shows: '[data-policy-form]' },
    Webhooks: { path: `${safe}/team/webhooks`, shows: 'main form:visible' },
    Activity: { path: `${safe}/activity`, shows: '[data-verb]' },
    Settings: { path: `${safe}/settings`, shows: '[data-safe-nonce]' },
    Signatures: { path: `${safe}/signatures`, shows: '[data-verdict="do-not-sign"]' },
    'New transaction': { path: `${safe}/new`, shows: 'main form:visible' },
    'Execute several': { path: `${safe}/execute`, shows: 'h1:visible' },
    'Harmless transaction': {
      path: transactionPath(chainId, safeAddress, harmless),
      shows: '[data-verdict="matches"]',
    },
    'Malicious transaction': {
      path: transactionPath(chainId, safeAddress, malicious),
      shows: '[data-verdict="do-not-sign"]',
    },
    'Executed transaction': {
      path: transactionPath(chainId, safeAddress, await executedBy(owner, safeAddress)),
      shows: '[data-executed="success"]',
    },
    'Unknown transaction': {
      path: transactionPath(chainId, safeAddress, `0x${'0'.repeat(64)}`),
      shows: 'h1:visible',
    },
    Account: { path: '/account', shows: '[data-sessions] li' },
    Tokens: { path: '/tokens', shows: 'main form:visible' },
    Chains: { path: '/chains', shows: 'main h2' },
    'New Safe': { path: '/create', shows: 'main form:visible' },
    Nowhere: { path: '/nowhere', shows: 'h1:visible' },
  }
  return { demo, pages }
}

async function messageOf({ account, chainId, options }: ScriptOwner, safeAddress: Address): Promise<Hex> {
  const json = JSON.stringify('We accept the terms of 2026.')
  const message = { ...demoScenario, chainId, safeAddress, content: parseMessageContent(json) }
  const { safeMessageHash } = hashSafeMessage(message)
  const signature = await account.signTypedData(safeMessageTypedData(message))
  await call(options, proposeMessage, { chainId, safeAddress, content: json, safeMessageHash, signature })
  return safeMessageHash
}

async function executedBy({ options, chainId }: ScriptOwner, safeAddress: Address): Promise<Hex> {
  const { entries } = await call(options, listHistory, { chainId, safeAddress })
  const executed = entries.find(({ kind, safeTxHash }) => kind === 'executed' && safeTxHash !== null)?.safeTxHash
  if (!executed) throw new Error('the demo Safe has executed nothing')
  return executed
}
