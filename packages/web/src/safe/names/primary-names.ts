import { counterpartiesOf, describeTransaction } from '@countersign/review'
import { MAX_NAMED_ACCOUNTS, type NameRegistry, readPrimaryNames, type SafeTx } from '@countersign/safe'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { Names } from './names.ts'
import { normalizeName } from './normalize-name.ts'

/** A name that was given away is not shown for longer. */
const STALE_MS = 10 * 60_000
/** A page that shows a name asks its chain more: the name comes along. */
const PATIENCE_MS = 500

type Waiting = { accounts: Address[]; answer: Promise<Map<string, string>> }
const waiting = new Map<string, Waiting>()

/** Asks about accounts of one tick together. */
function askTogether(registry: NameRegistry, chainId: number, account: Address): Promise<Map<string, string>> {
  const key = `${registry.chainId} ${registry.address} ${chainId}`
  const open = waiting.get(key)
  if (open && open.accounts.length < MAX_NAMED_ACCOUNTS) {
    open.accounts.push(account)
    return open.answer
  }
  const accounts = [account]
  const answer = new Promise((resolve) => setTimeout(resolve, 0)).then(async () => {
    if (waiting.get(key)?.accounts === accounts) waiting.delete(key)
    const request = chainRequest(registry.chainId)
    let patience = PATIENCE_MS
    const retryWhenLimited: typeof request = (asked) => {
      const answered = request({ ...asked, patience })
      // Questions that follow from the first answer wait no more.
      patience = 0
      return answered
    }
    return readPrimaryNames(retryWhenLimited, registry, accounts, { chainId, normalize: normalizeName })
  })
  waiting.set(key, { accounts, answer })
  return answer
}

/** The name that an account gives itself, where it means that account; null where it has none. */
function primaryNameQuery(registry: NameRegistry | null, chainId: number, account: Address) {
  return queryOptions({
    queryKey: ['primary-name', registry, chainId, account],
    queryFn: async (): Promise<string | null> =>
      registry === null ? null : ((await askTogether(registry, chainId, account)).get(account.toLowerCase()) ?? null),
    enabled: registry !== null,
    staleTime: STALE_MS,
  })
}

/**
 * Adds the names that accounts have in the chain's registry, once they are known. They are the node's word, come after every name
 * that this page knows or that the team gave, and lower nothing.
 */
export function useRegisteredNames(names: Names, chainId: number, accounts: readonly Address[]): Names {
  const registry = names.chain?.nameRegistry ?? null
  const distinct = registry === null ? [] : [...new Set(accounts)]
  const found = useQueries({
    queries: distinct.map((account) => primaryNameQuery(registry, chainId, account)),
    combine: (answers) =>
      answers.flatMap(({ data }, at) => (data && distinct[at] ? [[distinct[at].toLowerCase(), data] as const] : [])),
  })
  return useMemo(() => (found.length === 0 ? names : { ...names, registered: new Map(found) }), [names, found])
}

/** Adds those of all whom a transaction has to do with by its bytes, so that its title says the names that its review says. */
export function useNamesOf(safeTx: SafeTx | null, names: Names, chainId: number): Names {
  const { safeAddress, chain } = names
  const hasRegistry = (chain?.nameRegistry ?? null) !== null
  const accounts = useMemo(
    () => (safeTx && hasRegistry ? counterpartiesOf(describeTransaction({ safeTx, safeAddress })) : []),
    [safeTx, hasRegistry, safeAddress],
  )
  return useRegisteredNames(names, chainId, accounts.slice(0, MAX_NAMED_ACCOUNTS))
}
