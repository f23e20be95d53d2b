import { newSafeTx, type SafeTx } from '@countersign/safe'
import { describeCall, encodeMultiSend } from '@countersign/safe/calls'
import { keccak256, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { calldataDigest, deviceScreen, deviceScreenOfMessage } from './signing-device.ts'
import { signingDevice, signingDevices } from './signing-devices.data.ts'

const safeAddress = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
const to = '0x1111111111111111111111111111111111111111'
const payment = newSafeTx({ to, value: 1n, nonce: 7n })
const batch = newSafeTx({
  to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  data: encodeMultiSend([
    { operation: 0, to, value: 1n, data: '0x' },
    { operation: 0, to, value: 2n, data: '0x' },
  ]),
  operation: 1,
  nonce: 7n,
})
const screen = (id: string, safeTx: SafeTx) =>
  deviceScreen(signingDevice(id), safeTx, describeCall({ ...safeTx, safeAddress }))

describe('deviceScreen', () => {
  test('default: a Ledger that gets hashes shows both, and neither the digest nor a field', () => {
    expect(screen('ledger', payment)).toEqual({
      shown: ['domainHash', 'messageHash'],
      sometimes: [],
      'not-shown': ['eip712Digest', 'chainId', 'safeAddress', 'to', 'value', 'data', 'operation', 'nonce'],
      unknown: [],
    })
  })

  test('behavior: with clear signing the nonce and the calls inside a batch stay unseen', () => {
    const seen = screen('ledger-clear', batch)
    expect(seen['not-shown']).toEqual(expect.arrayContaining(['nonce', 'innerCalls', 'data']))
    expect(seen.shown).toEqual(expect.arrayContaining(['to', 'value', 'operation']))
  })

  test('behavior: a refund is named when there is one, inner calls and digest when there is call data', () => {
    const named = (safeTx: SafeTx) => Object.values(screen('ledger', safeTx)).flat()
    expect(named(payment)).not.toContain('baseGas')
    expect(named(payment)).not.toContain('innerCalls')
    expect(named(payment)).not.toContain('calldataDigest')
    expect(named({ ...payment, baseGas: 1n, refundReceiver: to })).toEqual(
      expect.arrayContaining(['baseGas', 'refundReceiver']),
    )
    expect(named(batch)).toEqual(expect.arrayContaining(['innerCalls', 'calldataDigest']))
  })

  test('behavior: of what is not listed everything is unknown', () => {
    const { unknown, ...rest } = screen('lattice', payment)
    expect(Object.values(rest).flat()).toEqual([])
    expect(unknown).toContain('domainHash')
  })
})

describe('deviceScreenOfMessage', () => {
  test('default: a Keystone shows hashes of transactions alone', () => {
    expect(screen('keystone', payment).shown).toContain('eip712Digest')
    expect(deviceScreenOfMessage(signingDevice('keystone'))).toEqual({
      shown: ['chainId', 'safeAddress', 'message'],
      sometimes: [],
      'not-shown': ['domainHash', 'messageHash', 'eip712Digest', 'messageMeaning'],
      unknown: [],
    })
  })
})

describe('signingDevices', () => {
  test('default: each has an id of its own, a day, and a source for whatever it states', () => {
    expect(new Set(signingDevices.map(({ id }) => id)).size).toBe(signingDevices.length)
    for (const { checkedOn, sources, parts } of signingDevices) {
      expect(checkedOn).toMatch(/^20\d\d-\d\d-\d\d$/)
      const states = Object.values(parts).some((display) => display !== 'unknown')
      expect(sources.length > 0).toBe(states)
      for (const { url, readOn } of sources) {
        expect(url).toMatch(/^https:\/\//)
        expect(readOn <= checkedOn).toBe(true)
      }
    }
    expect(signingDevices.at(-1)?.id).toBe('other')
  })
})

describe('calldataDigest', () => {
  test('default: length and bytes, as in ERC-8213', () => {
    expect(calldataDigest('0x')).toBe(keccak256(zeroHash))
    expect(calldataDigest('0xa9059cbb')).toBe(keccak256(`0x${'0'.repeat(63)}4a9059cbb`))
  })

  test('failure: half a byte', () => {
    expect(() => calldataDigest('0xa')).toThrow('data')
  })
})
