import { readImplementation } from '@countersign/review'
import {
  describedFunctions,
  type FormFunction,
  loadDescriptorRegistry,
  type NamedValues,
  parseAbiSignature,
  writeAbiSignature,
} from '@countersign/safe'
import { listedFunctions, writeAbiJson } from '@countersign/safe/calls'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { readBytecodeFunctions } from '../../evidence/calls/read-bytecode.ts'

/** Functions of a contract that are known without anybody giving an ABI. */
export type ContractFunctions = {
  /** Where a proxy has its code; null for what is no proxy, or where the node does not say. */
  implementation: Address | null
  /** By the ERC-7730 registry of the release. */
  described: readonly FormFunction[]
  /** Functions that the code has, as far as its jump table tells, by the release's own list: a guess. */
  guessed: { abi: string; count: number; unnamed: number } | null
}

/** Looks a contract up in the release and in its own code. Nobody but the chain's node is asked. */
export function contractFunctionsQuery(chainId: number, contract: Address | null) {
  return queryOptions({
    queryKey: ['contract-functions', chainId, contract],
    queryFn: async (): Promise<ContractFunctions> => {
      if (contract === null) return { implementation: null, described: [], guessed: null }
      const [proxy, registry] = await Promise.all([
        readImplementation(chainRequest(chainId), contract),
        loadDescriptorRegistry(),
      ])
      const implementation = proxy?.address ?? null
      const addresses = implementation === null ? [contract] : [contract, implementation]
      const described = addresses.flatMap((address) => describedFunctions(registry, chainId, address))
      const code = await readBytecodeFunctions({ chainId, address: implementation ?? contract })
      return { implementation, described, guessed: code && guess(code) }
    },
    enabled: contract !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

function guess(code: readonly { selector: string }[]): ContractFunctions['guessed'] {
  const named = code.flatMap(({ selector }) => listedFunctions(selector.slice(2).toLowerCase()).slice(0, 1))
  if (named.length === 0) return null
  return { abi: writeAbiJson(named), count: named.length, unnamed: code.length - named.length }
}

/** The functions that the registry describes, as the JSON of an ABI. */
export function describedAbi(described: readonly FormFunction[]): string {
  return writeAbiJson(described.map(({ declaration }) => parseAbiSignature(declaration)))
}

/** The names of the values of a function, where the registry has some. */
export function namesOfValues(described: readonly FormFunction[], signature: string): readonly NamedValues[] {
  return described.find(({ declaration }) => signatureOf(declaration) === signature)?.named ?? []
}

function signatureOf(declaration: string): string {
  return writeAbiSignature(parseAbiSignature(declaration))
}
