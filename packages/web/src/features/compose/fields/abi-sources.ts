import { isSameAddress } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { abisQuery } from '../../../evidence/attribution/team-abis.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import { contractFunctionsQuery, describedAbi } from '../contract-functions.ts'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'

/** An ABI that is known of a contract, and its origin in words. */
export type AbiSource = { id: string; abi: string; label: string }

/** Finds the ABIs of a contract: those of the team, of the release's registry, and the one that its code suggests. */
export function useAbiSources(typed: string, { safe }: FormFacts) {
  const { chainId, address } = safe
  const contract = parseAddress(typed)
  const known = useQuery(contractFunctionsQuery(chainId, contract.ok ? contract.address : null)).data
  const { data } = useQuery(abisQuery(chainId, address))
  const { described = [], guessed = null, implementation = null } = known ?? {}
  const addresses = [typed.trim(), ...(implementation ? [implementation] : [])]
  const sources: AbiSource[] = (data?.abis ?? [])
    .filter((given) => addresses.some((candidate) => isSameAddress(given.contract, candidate)))
    .map(({ abi, name, author }) => ({
      id: `${author} ${name}`,
      abi,
      label: text('compose.abi.of', { name: showUntrusted(name, 60), author }),
    }))
  if (described.length > 0) {
    const label = text('compose.abi.registry', { count: described.length })
    sources.push({ id: 'registry', abi: describedAbi(described), label })
  }
  if (guessed) sources.push({ id: 'code', abi: guessed.abi, label: text('compose.abi.code', { ...guessed }) })
  return { sources, described }
}
