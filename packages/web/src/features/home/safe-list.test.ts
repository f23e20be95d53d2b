import type { Safe } from '@countersign/contract'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { alikeSafes } from './safe-list.tsx'

const [me, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as [Address, Address]

function safe(name: string | null, author: Address = other): Safe {
  return {
    chainId: 1,
    address: `0x${Math.random().toString(16).slice(2).padEnd(40, '0')}`,
    owners: [me, other],
    threshold: 1,
    nonce: 0,
    version: '1.4.1',
    isDeployed: true,
    role: 'owner',
    awaitingMyConfirmation: 0,
    messagesAwaitingMe: 0,
    hasAlarms: false,
    hasNames: false,
    hasAbis: false,
    hasPolicy: false,
    names: name === null ? [] : [{ name, author, updatedAt: '2026-01-01T00:00:00.000Z' }],
    backfillBlock: null,
    backfillTo: null,
    backfillStoppedAt: null,
    addedAt: '2026-01-01T00:00:00.000Z',
  }
}

describe('alikeSafes', () => {
  test('default: names of their own mark nothing, and no name is no name', () => {
    expect(alikeSafes([safe('Treasury'), safe('Payroll'), safe(null), safe(null)], me).size).toBe(0)
  })

  test('behavior: a Safe that imitates the one that the reader named is marked, the named one is not', () => {
    const mine = safe('Treasury', me)
    const imitation = safe('  TREÁSURY. ')
    expect([...alikeSafes([mine, imitation], me)]).toEqual([imitation])
  })

  test('behavior: letters of another script, digits and zero-width characters make no other name', () => {
    const mine = safe('Treasury', me)
    const imitations = [safe('Тrеаsurу'), safe('Trea\u200bsury'), safe('T r e a s u r y')]
    expect([...alikeSafes([mine, ...imitations], me)]).toEqual(imitations)
  })

  test('behavior: of two that others named alike, both are', () => {
    const both = [safe('Treasury'), safe('treasury')]
    expect([...alikeSafes(both, me)]).toEqual(both)
  })
})
