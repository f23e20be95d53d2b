import type { Webhook } from '@countersign/contract'
import { text } from './text.ts'

/**
 * Names webhooks by their hosts, so that each button says which one it is for. Of several with one host the older keep
 * their names when another is created.
 */
export function nameWebhooks(webhooks: readonly Webhook[]): Map<string, string> {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { id, url } of webhooks.toSorted(byCreation)) {
    const { host } = new URL(url)
    const number = (counts.get(host) ?? 0) + 1
    counts.set(host, number)
    names.set(id, number === 1 ? host : text('webhooks.numbered', { host, number }))
  }
  return names
}

function byCreation(one: Webhook, other: Webhook): number {
  return Date.parse(one.createdAt) - Date.parse(other.createdAt) || (one.id < other.id ? -1 : 1)
}
