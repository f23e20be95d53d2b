import type { Safe } from '@countersign/contract'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { alikeSafes } from './alike-safes.ts'

const [me, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as [Address, Address]

function randomAddress(): Address {
  return privateKeyToAddress(generatePrivateKey())
}

function safe(name: string | null, author: Address = other, address = randomAddress()): Safe {
  return {
    chainId: 1,
    address,
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
    expect([...alikeSafes([mine, imitation], me)]).toEqual([[imitation, 'name']])
  })

  test('behavior: letters of another script, digits and zero-width characters make no other name', () => {
    const mine = safe('Treasury', me)
    const imitations = [safe('Тrеаsurу'), safe('Trea\u200bsury'), safe('T r e a s u r y')]
    expect([...alikeSafes([mine, ...imitations], me)]).toEqual(imitations.map((one) => [one, 'name']))
  })

  test('behavior: of two that others named alike, both are', () => {
    const both = [safe('Treasury'), safe('treasury')]
    expect([...alikeSafes(both, me)]).toEqual(both.map((one) => [one, 'name']))
  })

  test('behavior: two addresses that begin and end alike are both marked, whoever named them', () => {
    const mine = safe('Treasury', me, '0x3A5D18a99E51a7B3194618559f8a663bd749e9b4')
    const imitation = safe('Payroll', me, `0x3a5d${'0'.repeat(32)}e9b4`)
    const onOtherChain = { ...mine, chainId: 10 }
    expect(alikeSafes([mine, onOtherChain, safe(null)], me).size).toBe(0)
    expect([...alikeSafes([mine, imitation, safe(null)], me)]).toEqual([
      [mine, 'address'],
      [imitation, 'address'],
    ])
  })
})
