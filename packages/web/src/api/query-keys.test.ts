import { describe, expect, test } from 'vitest'
import { parseLiveEvent } from './live/stream.ts'
import { keysOutdatedBy } from './query-keys.ts'

const safeAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const safeTxHash = `0x${'ab'.repeat(32)}`

describe('keysOutdatedBy', () => {
  const ofMessages = [
    ['messages', 1, safeAddress],
    ['message', 1],
    ['signatures', 1, safeAddress],
  ]

  const ofOwners = [
    ['team', 1, safeAddress, 'delegates'],
    ['team', 1, safeAddress, 'viewers'],
    ['team', 1, safeAddress, 'access'],
    ['team', 1, safeAddress, 'webhooks'],
  ]

  test.each(['transaction', 'safe'] as const)('%s', (kind) => {
    const event = parseLiveEvent(JSON.stringify({ kind, chainId: 1, safeAddress, safeTxHash }))
    expect(event && keysOutdatedBy(event)).toEqual([
      ['team', 1, safeAddress, 'activity'],
      ['safes'],
      ['safe', 1, safeAddress],
      ['safe-state', 1, safeAddress],
      ['queue', 1, safeAddress],
      ['team', 1, safeAddress, 'queue-claims'],
      ['history', 1, safeAddress],
      ['signatures', 1, safeAddress],
      ['transaction', 1],
      ['team', 1, safeAddress, 'policy'],
      ...(kind === 'safe' ? [...ofMessages, ...ofOwners] : []),
    ])
  })

  test('message', () => {
    const event = parseLiveEvent(
      JSON.stringify({ kind: 'message', chainId: 1, safeAddress, safeMessageHash: safeTxHash }),
    )
    expect(event && keysOutdatedBy(event)).toEqual([
      ['team', 1, safeAddress, 'activity'],
      ['safes'],
      ['safe', 1, safeAddress],
      ...ofMessages,
    ])
  })

  test('team', () => {
    const event = parseLiveEvent(JSON.stringify({ kind: 'team', chainId: 1, safeAddress }))
    expect(event && keysOutdatedBy(event)).toEqual([['safes'], ['safe', 1, safeAddress], ['team', 1, safeAddress]])
  })

  test('chain', () => {
    const event = parseLiveEvent('{"kind":"chain","chainId":1}')
    expect(event && keysOutdatedBy(event)).toEqual([['chain-status']])
  })
})
