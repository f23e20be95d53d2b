import type { Acknowledgement, Demand } from '@countersign/review'
import type { Address } from 'viem'
import { readTab, writeTab } from '../../device/tab-storage.ts'

const listeners = new Set<() => void>()

/** Calls back whenever an acknowledgement of this tab changes. */
export function onStoredAnswerChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** An answer lives as long as the tab, for the account that gave it, under the key of exactly one demand. */
function placeOf(account: Address, { key }: Pick<Demand, 'key'>): string {
  return `countersign.acknowledged.${account.toLowerCase()}.${key}`
}

/** An answer as it is kept, perhaps half given; null when there is none, or something else stands there. */
export function readStoredAnswer(account: Address, demand: Demand): Acknowledgement | null {
  return parse(readTab(placeOf(account, demand)), demand)
}

/** Keeps an answer; null takes it back. */
export function storeAnswer(
  account: Address,
  demand: Demand,
  answer: Omit<Acknowledgement, 'key' | 'id'> | null,
): void {
  const kept = answer && { ...answer, key: demand.key, id: demand.finding.id }
  writeTab(placeOf(account, demand), kept && JSON.stringify(kept))
  for (const listener of listeners) listener()
}

/** The answers to these demands as one text, which is the same as long as they are. */
export function storedAnswersText(account: Address | null, demands: readonly Demand[]): string {
  if (account === null) return ''
  return demands.map((demand) => readTab(placeOf(account, demand)) ?? '').join('\n')
}

function parse(kept: string | null, { key, finding: { id } }: Demand): Acknowledgement | null {
  try {
    const { words, typed, reason }: Record<string, unknown> = JSON.parse(kept ?? 'null') ?? {}
    if (typeof words !== 'string') return null
    return {
      key,
      id,
      words,
      ...(typeof typed === 'string' ? { typed } : {}),
      ...(typeof reason === 'string' ? { reason } : {}),
    }
  } catch {
    return null
  }
}
