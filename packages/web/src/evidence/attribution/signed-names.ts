import { MAX_SIGNED_NAMES, type NamedAddress } from '@countersign/contract'
import { hashName } from '@countersign/review'
import type { QueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { byIdentity, computedQuery } from '../../api/computed-query.ts'

/** After this an author that could not be asked is asked again. */
const AGAIN_MS = 15_000

type SignedNames = { names: NamedAddress[]; isWhole: boolean }
type Names = { chainId: number; safeAddress: Address; names: readonly NamedAddress[] }

/**
 * The names that their authors signed, of all that the team gave. A signed name takes away the tick that asks about unfamiliar
 * code, so the server is not believed for who gave it. Nothing is verified where nothing is signed.
 */
export function signedNamesQuery(chainId: number, safeAddress: Address, names: readonly NamedAddress[]) {
  const query = computedQuery('signed-names', { chainId, safeAddress, names: byIdentity(names) }, findSigned)
  return {
    ...query,
    enabled: names.some(({ signature }) => signature !== null),
    refetchInterval: ({ state }: { state: { data: SignedNames | undefined } }) =>
      state.data?.isWhole === false ? AGAIN_MS : false,
  } as const
}

async function findSigned({ chainId, safeAddress, names }: Names, client: QueryClient): Promise<SignedNames> {
  const [{ areSigned }, { requestOfContracts }] = await Promise.all([
    import('./signed-entries.ts'),
    import('../proof/request-of-contracts.ts'),
  ])
  const counts = new Map<string, number>()
  const asked = names.filter(({ author, signature }) => {
    if (signature === null) return false
    const count = (counts.get(author) ?? 0) + 1
    counts.set(author, count)
    // A server that takes more keeps no page busy.
    return count <= MAX_SIGNED_NAMES
  })
  const hashOf = ({ address, name }: NamedAddress) => hashName({ chainId, safeAddress, address, name })
  const signed = await areSigned(asked, hashOf, requestOfContracts(chainId, client))
  return { names: asked.filter((_, at) => signed[at]), isWhole: !signed.includes(null) }
}
