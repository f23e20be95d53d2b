import { describe, expect, it } from 'vitest'
import { verifiedAttestations } from './attestations.ts'
import { type DescriptorRegistry, loadDescriptorRegistry } from './registry.ts'

const registry = await loadDescriptorRegistry()
const weth = 'registry/weth/calldata-weth.json'
const stranger = '0x000000000000000000000000000000000000dEaD'

/** The registry with another descriptor, or another attestation, of one path. */
function changed(descriptor: object, attestation: object = {}): DescriptorRegistry {
  const { [weth]: own = {} } = registry.descriptors
  const [given] = registry.attestations[weth] ?? []
  if (!given) throw new Error('unreachable')
  return {
    ...registry,
    descriptors: { ...registry.descriptors, [weth]: { ...own, ...descriptor } },
    attestations: { [weth]: [{ ...given, ...attestation }] },
  }
}

describe('verifiedAttestations', () => {
  it('default: every attestation that the release carries is signed over its descriptor', async () => {
    const paths = Object.keys(registry.attestations)
    expect(paths).toHaveLength(46)
    const verified = await Promise.all(paths.map((path) => verifiedAttestations(registry, path)))
    expect(verified).toEqual(paths.map((path) => registry.attestations[path]))
    expect((await verifiedAttestations(registry, weth))[0]).toMatchObject({
      organization: 'Cyfrin',
      name: 'Patrick Collins',
      attester: '0x3846c3A30E62075Fa916216b35EF04B8F53931f6',
    })
  })

  it('behavior: a word of the descriptor, who attests, when or the signature itself: nothing can be another', async () => {
    expect(await verifiedAttestations(changed({}), weth)).toHaveLength(1)
    const { signature = '0x' } = registry.attestations[weth]?.[0] ?? {}
    for (const other of [
      changed({ metadata: { owner: 'Somebody else' } }),
      changed({}, { attester: stranger }),
      changed({}, { time: 1 }),
      changed({}, { salt: `0x${'00'.repeat(32)}` }),
      changed({}, { signature: `${signature.slice(0, 20)}0${signature.slice(21)}` }),
      changed({}, { signature: '0x' }),
      changed({}, { signature: 'no signature' }),
    ])
      expect(await verifiedAttestations(other, weth)).toEqual([])
  })

  it('behavior: there is none of a descriptor that includes others, of no descriptor, and by names of objects', async () => {
    expect(await verifiedAttestations(changed({ includes: 'x.json' }), weth)).toEqual([])
    for (const path of ['registry/none.json', '__proto__', 'constructor'])
      expect(await verifiedAttestations(registry, path)).toEqual([])
  })
})
