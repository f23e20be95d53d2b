import { type Code, readCodes, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { defineFact } from '../fact.ts'

/** More modules than these no honest Safe has. */
const MAX_CONTRACTS = 20

/** The contracts that have a say in the Safe already. */
export function installedContracts(state: SafeState | null): Address[] {
  if (state === null) return []
  const { modules, guard, moduleGuard, fallbackHandler } = state
  return [...modules, guard, moduleGuard, fallbackHandler]
    .filter((contract) => contract !== null)
    .slice(0, MAX_CONTRACTS)
}

/** The code of what has a say in the Safe already, by lower-case address: modules, guards, fallback handler. */
export const installedCodes = defineFact({
  id: 'installedCodes',
  needs: ({ chainId, state }) => {
    const addresses = installedContracts(state)
    return addresses.length === 0 ? null : { chainId, addresses }
  },
  read(chain, { chainId, addresses }): Promise<Record<string, Code | undefined>> {
    return readCodes(chain(chainId), addresses)
  },
})
