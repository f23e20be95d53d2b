import { argumentAddresses, type Call, flattenCalls } from '@countersign/safe-core'
import { type Address, getAddress, zeroAddress } from 'viem'

/** Every address of the call tree once, in the order of its appearance. Reserved ones are not parties. */
export function counterpartiesOf(call: Call): Address[] {
  const found = new Set<Address>()
  for (const one of flattenCalls(call)) {
    for (const address of [one.to, ...argumentAddresses(one)]) found.add(getAddress(address))
  }
  return [...found].filter((address) => address !== zeroAddress && BigInt(address) !== 1n)
}
