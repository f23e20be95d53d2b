import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDomain } from 'viem'

export type TypedData = {
  domain: TypedDataDomain
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

// viem's types want to know the typed data when this is compiled; here it is a value.
const serialize = serializeTypedData as (typedData: TypedData) => string

/** Typed data as wallets take it (`eth_signTypedData_v4`): JSON, with the domain's own type among the types. */
export function writeTypedData({ domain, types, primaryType, message }: TypedData): string {
  return serialize({
    domain,
    types: { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types },
    primaryType,
    message,
  })
}
