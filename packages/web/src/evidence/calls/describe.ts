import {
  type DescriptorRegistry,
  isSameAddress,
  loadDescriptorRegistry,
  type MessageTypedData,
} from '@countersign/safe'
import type { CustomResolverOptions, DisplayModel, RegistryIndex, TypedData } from '@ethereum-sourcify/clear-signing'
import type { Address, Hex } from 'viem'

type Unit = { address: string; name: string; symbol: string; decimals: number }

/** A call that the registry describes, with what this page knows of the chain. Nothing else is looked up. */
export type CallToDescribe = {
  chainId: number
  from: Address
  to: Address
  value: bigint
  data: Hex
  tokens: readonly Unit[]
  chain: { name: string; nativeCurrency: Omit<Unit, 'address'> }
}

/** One value of a call, as its descriptor words it. */
export type DescribedField = { label: string; value: string }

/** More than a screen has room for. */
const MAX_FIELDS = 100

/** The registry of the release in the form that the library reads. Nothing is fetched. */
export function registryOptions({ descriptors, calldata, typedData }: DescriptorRegistry): {
  descriptorResolverOptions: CustomResolverOptions
} {
  const index = { calldataIndex: calldata, typedDataIndex: typedData } as unknown as RegistryIndex
  const fetchDescriptor = async (path: string) => {
    const descriptor = Object.hasOwn(descriptors, path) ? descriptors[path] : undefined
    if (descriptor === undefined) throw new Error(`The registry has no ${path}.`)
    return descriptor
  }
  return { descriptorResolverOptions: { type: 'custom', resolver: { index, fetchDescriptor } } }
}

/** Words the values of a call by the registry. The library and the registry come when they are first needed. */
export async function describeCallFields(call: CallToDescribe): Promise<DescribedField[]> {
  const [{ format, isFieldGroup }, registry] = await Promise.all([
    import('@ethereum-sourcify/clear-signing'),
    loadDescriptorRegistry(),
  ])
  const { tokens, chain, ...transaction } = call
  const model = await format(transaction, {
    ...registryOptions(registry),
    externalDataProvider: known({ tokens, chain }),
  })
  return fieldsOf(model, isFieldGroup)
}

type KnownHere = Pick<CallToDescribe, 'tokens' | 'chain'>

function known({ tokens, chain }: KnownHere) {
  return {
    resolveToken: async (_chainId: number, address: string) =>
      tokens.find((token) => isSameAddress(token.address, address)) ?? null,
    resolveChainInfo: async () => chain,
  }
}

type IsFieldGroup = typeof import('@ethereum-sourcify/clear-signing').isFieldGroup

function fieldsOf({ fields = [] }: DisplayModel, isFieldGroup: IsFieldGroup): DescribedField[] {
  return fields
    .flatMap((field) => (isFieldGroup(field) ? field.fields : [field]))
    .slice(0, MAX_FIELDS)
    .map(({ label, value }) => ({ label, value }))
}

/** Typed data that a Safe of this chain is asked to sign, with what this page knows of the chain. */
export type MessageToDescribe = KnownHere & { chainId: number; account: Address; typedData: MessageTypedData }

/** Words of the registry about typed data, and where they are from. */
export type DescribedMessage = { fields: DescribedField[]; owner: string; path: string; date: string }

/** Warnings that leave a value without a name or a unit, and say nothing against the descriptor. */
const harmless = new Set<string>(['UNKNOWN_TOKEN', 'UNKNOWN_ADDRESS', 'UNKNOWN_NFT_COLLECTION', 'UNKNOWN_BLOCK'])

/**
 * Words typed data by the registry, where it describes this type for exactly this chain and contract. It lowers no
 * finding: who signs still gives what the types give.
 *
 * @returns null where the registry has nothing, or something in the message is not what its descriptor expects
 */
export async function describeMessageFields(asked: MessageToDescribe): Promise<DescribedMessage | null> {
  const { chainId, account, typedData, tokens, chain } = asked
  const { domain, types, primaryType, message } = typedData
  if (Number(domain.chainId) !== chainId || typeof domain.verifyingContract !== 'string') return null
  const registry = await loadDescriptorRegistry()
  const key = `eip155:${chainId}:${domain.verifyingContract.toLowerCase()}`
  if (!Object.hasOwn(registry.typedData, key) || !Object.hasOwn(registry.typedData[key] ?? {}, primaryType)) return null
  const { formatTypedData, isFieldGroup } = await import('@ethereum-sourcify/clear-signing')
  const { descriptorResolverOptions } = registryOptions(registry)
  const { index, fetchDescriptor } = descriptorResolverOptions.resolver
  const paths: string[] = []
  const resolver = {
    index,
    fetchDescriptor: async (path: string) => {
      paths.push(path)
      return fetchDescriptor(path)
    },
  }
  const subject = { account, types, primaryType, message, domain: { ...domain, chainId } } as TypedData
  const model = await formatTypedData(subject, {
    descriptorResolverOptions: { type: 'custom', resolver },
    externalDataProvider: known({ tokens, chain }),
  })
  const fields = fieldsOf(model, isFieldGroup)
  const [path] = paths
  const isSound = (model.warnings ?? []).every(({ code }) => harmless.has(code))
  if (path === undefined || fields.length === 0 || !isSound) return null
  return { fields, owner: model.metadata?.owner ?? '', path, date: registry.date }
}
