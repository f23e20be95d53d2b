import { isSameAddress, type NameRegistry, readRegisteredName } from '@countersign/safe'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { ANEW } from '../../api/query-client.ts'
import { normalizeName } from '../../safe/names/normalize-name.ts'
import { fail } from '../../text/fail.ts'
import type { Draft } from './draft.ts'

/** A name that stood for an address when the transaction was written. */
export type NamedRecipient = { name: string; address: Address }

/** A name as it was read; `malformed` is one that no registry can hold. */
export type NameReading = Awaited<ReturnType<typeof readRegisteredName>> | { kind: 'malformed' }

/** Whether a text is meant as a name: it has a dot, and letters behind the last one. */
export function isNameTyped(typed: string): boolean {
  return /^(?!0x[0-9a-f]{40}$)\S{1,250}\.\p{L}{2,30}$/iu.test(typed.trim())
}

/** One way of writing the name, as far as that is known without the rules for names. */
export function nameKey(typed: string): string {
  return typed.trim().toLowerCase()
}

/** Names that the entries of a draft pay, each once, by `nameKey`. */
export function namesIn({ entries }: Draft): string[] {
  const paid = entries.filter(({ kind }) => kind === 'transfer' || kind === 'item')
  return [...new Set(paid.flatMap(({ typed: { recipient } }) => (isNameTyped(recipient) ? [nameKey(recipient)] : [])))]
}

/** Reads whom a typed name means on a chain. */
export function registeredNameQuery(registry: NameRegistry | null, chainId: number, typed: string) {
  const name = nameKey(typed)
  return queryOptions({
    queryKey: ['registered-name', registry, chainId, name],
    queryFn: async (): Promise<NameReading> => {
      if (registry === null) return { kind: 'no-registry' }
      const normalized = await normalizeName(name)
      if (normalized === null) return { kind: 'malformed' }
      return readRegisteredName(chainRequest(registry.chainId), registry, { name: normalized, chainId })
    },
    staleTime: 30_000,
  })
}

/**
 * Reads names again, right before the transaction that was written with them is signed.
 *
 * @throws CountersignError `NAME_CHANGED`
 */
export async function checkNamesAgain(
  queryClient: QueryClient,
  registry: NameRegistry | null,
  chainId: number,
  named: readonly NamedRecipient[],
): Promise<void> {
  await Promise.all(
    named.map(async ({ name, address }) => {
      const read = await queryClient.fetchQuery({ ...registeredNameQuery(registry, chainId, name), staleTime: ANEW })
      if (read.kind !== 'found') throw fail('NAME_CHANGED', { reason: 'nobody', name, address })
      if (!isSameAddress(read.address, address))
        throw fail('NAME_CHANGED', { reason: 'other', name, address, now: read.address })
    }),
  )
}
