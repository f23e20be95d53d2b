import type { Safe } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { arrangeSafes, idOf, readSafeOrder, storeSafeOrder } from './safe-order.ts'

const safe = (digit: string, waiting: number, addedAt: string): Safe => ({
  chainId: 1,
  address: `0x${digit.repeat(40)}`,
  owners: [],
  threshold: 1,
  nonce: 0,
  version: '1.4.1',
  isDeployed: true,
  role: 'owner',
  awaitingMyConfirmation: waiting,
  messagesAwaitingMe: 0,
  hasAlarms: false,
  hasNames: false,
  hasAbis: false,
  hasPolicy: false,
  names: [],
  backfillBlock: null,
  backfillTo: null,
  backfillStoppedAt: null,
  addedAt: `${addedAt}T00:00:00.000Z`,
})
const [a, b, c] = [safe('a', 0, '2026-01-01'), safe('b', 2, '2026-03-01'), safe('c', 0, '2026-02-01')]
const names = new Map([
  [a, 'Treasury'],
  [b, 'Payroll'],
])
const nameOf = (one: Safe) => names.get(one) ?? ''

describe('arrangeSafes', () => {
  test('default: what waits first; by name, the nameless last; the newest first', () => {
    expect(arrangeSafes([a, c, b], { order: 'waiting', hidden: [] }, nameOf).shown).toEqual([b, a, c])
    expect(arrangeSafes([c, a, b], { order: 'name', hidden: [] }, nameOf).shown).toEqual([b, a, c])
    expect(arrangeSafes([a, b, c], { order: 'newest', hidden: [] }, nameOf).shown).toEqual([b, c, a])
  })

  test('behavior: a hidden Safe comes back when something waits in it', () => {
    const hidden = [idOf(a), idOf(b)]
    expect(arrangeSafes([a, b, c], { order: 'name', hidden }, nameOf)).toEqual({ shown: [b, c], hidden: [a] })
    const withMessage = { ...a, messagesAwaitingMe: 1 }
    expect(arrangeSafes([withMessage, b, c], { order: 'waiting', hidden }, () => '').shown).toEqual([b, withMessage, c])
  })
})

describe('readSafeOrder', () => {
  test('behavior: what nobody stored here is left out', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
    expect(readSafeOrder(storage)).toEqual({ order: 'waiting', hidden: [] })
    storeSafeOrder(storage, { order: 'name', hidden: ['1:0xa'] })
    expect(readSafeOrder(storage)).toEqual({ order: 'name', hidden: ['1:0xa'] })
    const [key = ''] = kept.keys()
    for (const stored of ['{', 'null', '{"order":"x","hidden":[1,null]}']) {
      kept.set(key, stored)
      expect(readSafeOrder(storage)).toEqual({ order: 'waiting', hidden: [] })
    }
  })
})
