import {
  describedFunctions,
  loadDescriptorRegistry,
  type NamedValues,
  parseAbiSignature,
  writeAbiSignature,
} from '@countersign/safe'
import type { Address } from 'viem'

/** A function of a contract; the addresses are its own and that of the code behind it. */
export type FunctionToName = { chainId: number; contracts: readonly Address[]; signature: string }

/** Names of the values of a function by the registry of the release. It is loaded when it is first needed. */
export async function readNamedValues({
  chainId,
  contracts,
  signature,
}: FunctionToName): Promise<readonly NamedValues[]> {
  const registry = await loadDescriptorRegistry()
  const functions = contracts.flatMap((contract) => describedFunctions(registry, chainId, contract))
  const isMeant = (declaration: string) => writeAbiSignature(parseAbiSignature(declaration)) === signature
  return functions.find(({ declaration }) => isMeant(declaration))?.named ?? []
}
