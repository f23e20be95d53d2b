import { type Call, flattenCalls } from '@countersign/safe-core'
import { type Address, getAddress, isAddress, zeroAddress } from 'viem'

/** Every address of the call tree once, in the order of its appearance. Reserved ones are not parties. */
export function counterpartiesOf(call: Call): Address[] {
  const found = new Set<Address>()
  for (const { to, args } of flattenCalls(call)) {
    found.add(getAddress(to))
    for (const { type, value } of args) {
      if (!type.startsWith('address')) continue
      for (const address of value.match(/0x[0-9a-fA-F]{40}/g) ?? [])
        if (isAddress(address, { strict: false })) found.add(getAddress(address))
    }
  }
  return [...found].filter((address) => address !== zeroAddress && BigInt(address) !== 1n)
}
