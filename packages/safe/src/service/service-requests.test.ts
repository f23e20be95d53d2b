import { hashMessage, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  delegateHashes,
  delegateTypedData,
  deleteRequestHashes,
  deleteRequestTypedData,
  serviceHour,
} from './service-requests.ts'

const chainId = 31337
const safeAddress = '0x5Afe000000000000000000000000000000005afe'
const delegate = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const safeTxHash = '0xe23a42de120a01b062d077c2bfbeb31f4fd3aef0f2fa275d3eefb72616782a9f'
const totp = 440_771
const inHour = totp * 3_600 + 1_234
// Recorded from an independent EIP-712 implementation.
const withChain = '0xe6edaecefd90aa9fdd7c9f4d4cf8be3745660c149d25d1f4e88ca9ba2281964d'
const withoutChain = '0x504728e3d225b9f77c5347d1f07a8f26740c4e3d767c20f99942d544fbf4cf5a'
const deletion = '0x25fff46a16ab96b15b1438dc3ba47c5a7c271beaad3cebb21d297e006f115d44'

describe('serviceHour', () => {
  test('default', () => {
    expect(serviceHour(inHour)).toBe(totp)
    expect(serviceHour(totp * 3_600)).toBe(totp)
    expect(serviceHour(totp * 3_600 - 0.001)).toBe(totp - 1)
  })
  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('error: FIELD_MALFORMED for %s', (seconds) => {
    expect(() => serviceHour(seconds)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })
})

describe('delegateTypedData', () => {
  test('default: the recorded hashes, with the chain and without', () => {
    expect(hashTypedData(delegateTypedData({ chainId, delegate, totp }))).toBe(withChain)
    expect(hashTypedData(delegateTypedData({ chainId: null, delegate, totp }))).toBe(withoutChain)
  })
})

describe('deleteRequestTypedData', () => {
  test('default: the recorded hash', () => {
    expect(hashTypedData(deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp }))).toBe(deletion)
  })
})

describe('delegateHashes', () => {
  test('default: this hour and the one before, with the chain and without: four', () => {
    const hashes = delegateHashes({ form: 'typed-data', chainId, delegate }, inHour)
    expect(new Set(hashes).size).toBe(4)
    expect(hashes.slice(0, 2)).toEqual([withChain, withoutChain])
    expect(delegateHashes({ form: 'typed-data', chainId, delegate }, inHour + 3_600).slice(2)).toEqual([
      withChain,
      withoutChain,
    ])
  })
  test('behavior: not two hours before, and not the hour to come', () => {
    for (const seconds of [inHour - 3_600, inHour + 2 * 3_600])
      for (const hash of [withChain, withoutChain])
        expect(delegateHashes({ form: 'typed-data', chainId, delegate }, seconds)).not.toContain(hash)
  })
  test('behavior: the first hour of all has none before it', () => {
    expect(delegateHashes({ form: 'typed-data', chainId, delegate }, 0)).toHaveLength(2)
  })
})

describe('delegateHashes of a text', () => {
  test('default: the recorded hash of the text, and of it as a message; this hour and the one before', () => {
    const recorded = '0xf54ad9ea889b4257ad0f52cd3dcda1db5f11c95337d1273e58ed333fc11f26b0'
    const hashes = delegateHashes({ form: 'text', chainId, delegate }, inHour)
    expect(new Set(hashes).size).toBe(4)
    expect(hashes[0]).toBe(recorded)
    expect(hashes[1]).toBe(hashMessage(`${delegate}${totp}`))
    expect(delegateHashes({ form: 'text', chainId, delegate }, inHour + 3_600)[2]).toBe(recorded)
    expect(delegateHashes({ form: 'text', chainId, delegate }, inHour + 7_200)).not.toContain(recorded)
  })
})

describe('deleteRequestHashes', () => {
  test('default: this hour and the one before', () => {
    const request = { chainId, safeAddress, safeTxHash } as const
    expect(deleteRequestHashes(request, inHour)[0]).toBe(deletion)
    expect(deleteRequestHashes(request, inHour + 3_600)[1]).toBe(deletion)
    expect(deleteRequestHashes(request, inHour + 7_200)).not.toContain(deletion)
  })
})
