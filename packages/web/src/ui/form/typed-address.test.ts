import { describe, expect, it } from 'vitest'
import { parseAddress } from './parse-address.ts'
import { addressProblemText } from './typed-address.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('parseAddress', () => {
  it('takes a checksummed and a lower-case address', () => {
    expect(parseAddress(address)).toEqual({ ok: true, address })
    expect(parseAddress(` ${address.toLowerCase()}\n`)).toEqual({ ok: true, address })
  })

  it.each([
    ['', 'empty'],
    ['0x', 'not-an-address'],
    [address.slice(0, -1), 'not-an-address'],
    [`${address}0`, 'not-an-address'],
    ['vitalik.eth', 'not-an-address'],
    [`eth:${address}`, 'prefix'],
    [address.replace('F6F4', 'F6f4'), 'bad-checksum'],
    [address.toUpperCase().replace('0X', '0x'), 'bad-checksum'],
  ] as const)('refuses %j: %s', (typed, problem) => {
    expect(parseAddress(typed)).toEqual({ ok: false, problem })
  })
})

it('says how many digits there are', () => {
  expect(addressProblemText('not-an-address', '0x1234')).toContain('4')
  expect(addressProblemText('not-an-address', 'na\u202Eme')).toContain('[U+202E]')
})
