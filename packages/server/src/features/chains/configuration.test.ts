import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { nameRegistryOf } from './configuration.ts'

const ens = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const own: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** The registry of the last of some chains; undefined is a chain that says nothing of it. */
function registryOfLast(...chains: [chainId: number, nameRegistry?: Address | null][]) {
  const settings = chains.map(([chainId, nameRegistry]) => ({ chainId, nameRegistry }))
  const last = settings.at(-1)
  if (!last) throw new Error('unreachable')
  return nameRegistryOf(last, new Map(settings.map((one) => [one.chainId, { settings: one }])))
}

test('default: that of ENS on its chains, that of Ethereum on others', () => {
  expect(registryOfLast([1])).toEqual({ chainId: 1, address: ens })
  expect(registryOfLast([11_155_111])).toEqual({ chainId: 11_155_111, address: ens })
  expect(registryOfLast([1], [10])).toEqual({ chainId: 1, address: ens })
  expect(registryOfLast([10])).toBeNull()
})

test('behavior: another one that the operator names, or none', () => {
  expect(registryOfLast([1], [10, own])).toEqual({ chainId: 10, address: own })
  expect(registryOfLast([1, own], [10])).toEqual({ chainId: 1, address: own })
  expect(registryOfLast([1, null])).toBeNull()
  expect(registryOfLast([1, null], [10])).toBeNull()
  expect(registryOfLast([1], [10, null])).toBeNull()
})
