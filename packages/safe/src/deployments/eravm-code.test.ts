import { type Hex, keccak256, slice, toBytes, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import proxies from '../../vectors/eravm-proxies.json' with { type: 'json' }
import { officialProxyVersion } from './deployments.ts'
import { eravmProxyHashes, hashEravmCode } from './eravm-code.ts'

/** A word more, so that the number of words stays odd. */
const TWO_WORDS = '00'.repeat(64)

function withByte(code: Hex, index: number): Hex {
  const bytes = toBytes(code)
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return toHex(bytes)
}

describe.each(proxies)('hashEravmCode: the proxy of $version', ({ version, hash, keccak256: other, code }) => {
  const real = code as Hex

  it('has the published hash, and is official by it', () => {
    expect(keccak256(real)).toBe(other)
    expect(hashEravmCode(real)).toBe(hash)
    expect(eravmProxyHashes.get(version)).toBe(hash)
    expect(officialProxyVersion(real)).toBe(version)
  })

  it('is official no more with any one byte changed', () => {
    for (let index = 0; index < (real.length - 2) / 2; index += 1)
      expect(officialProxyVersion(withByte(real, index)), `byte ${index}`).toBeNull()
  })

  it('is official neither shorter nor longer', () => {
    const words = (real.length - 2) / 64
    for (const changed of [slice(real, 0, (words - 2) * 32), slice(real, 0, -1), `${real}${TWO_WORDS}`] as const)
      expect(officialProxyVersion(changed)).toBeNull()
  })
})

describe('hashEravmCode', () => {
  it('behavior: an even number of words, or a part of one, is no code', () => {
    for (const bytes of [0, 1, 31, 33, 64, 2 ** 16 * 32 + 32])
      expect(hashEravmCode(`0x${'00'.repeat(bytes)}`), `${bytes} bytes`).toBeNull()
    expect(hashEravmCode(`0x${'00'.repeat(32)}`)).toMatch(/^0x01000001/)
  })

  it('behavior: the code that hashes are of is no official proxy by the hash alone', () => {
    for (const hash of eravmProxyHashes.values()) expect(officialProxyVersion(hash)).toBeNull()
  })
})
