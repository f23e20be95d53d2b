import { type Descriptor, type DescriptorRegistry, loadDescriptorRegistry } from '@countersign/safe-core'
import type { CustomResolverOptions, RegistryIndex } from '@ethereum-sourcify/clear-signing'
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
  const fetchDescriptor = async (path: string): Promise<Descriptor> => {
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
    externalDataProvider: {
      resolveToken: async (_chainId, address) =>
        tokens.find((token) => token.address.toLowerCase() === address.toLowerCase()) ?? null,
      resolveChainInfo: async () => chain,
    },
  })
  const fields = (model.fields ?? []).flatMap((field) => (isFieldGroup(field) ? field.fields : [field]))
  return fields.slice(0, MAX_FIELDS).map(({ label, value }) => ({ label, value }))
}
