import { type Code, callContract, type RpcRequest, readCodes, safeAbi } from '@countersign/safe'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { defineFact } from '../fact.ts'

/** Owners of owners, and so on: as many as these are looked at, as deep as this. */
const MAX_ACCOUNTS = 60
const MAX_DEPTH = 4

/** An owner: the code of its account, and its own owners where it is a Safe. */
export type OwnerAccount = { code: Code; owners: Address[] | null }

/** The owners of the Safe, and theirs where they are Safes, by lower-case address; absent where one was not read. */
export const ownerAccounts = defineFact({
  id: 'ownerAccounts',
  needs: ({ chainId, state }) => (state === null ? null : { chainId, owners: state.owners }),
  async read(chain, { chainId, owners }): Promise<Record<string, OwnerAccount | undefined>> {
    const request = chain(chainId)
    const accounts: Record<string, OwnerAccount> = {}
    let next = distinct(owners)
    for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth++) {
      const room = MAX_ACCOUNTS - Object.keys(accounts).length
      const asked = next.filter((address) => !(address.toLowerCase() in accounts)).slice(0, room)
      const read = await readAccounts(request, asked)
      Object.assign(accounts, read)
      next = distinct(Object.values(read).flatMap((account) => account.owners ?? []))
    }
    return accounts
  },
})

/** Owners whom several Safes share are asked about once, and take one place. */
function distinct(addresses: readonly Address[]): Address[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()]
}

async function readAccounts(request: RpcRequest, addresses: readonly Address[]): Promise<Record<string, OwnerAccount>> {
  const codes = await readCodes(request, addresses)
  const accounts = await Promise.all(
    Object.entries(codes).map(async ([address, code]) => {
      if (code === undefined) return []
      const isContract = code.size > 0 && code.delegatesTo === undefined
      const owners = isContract ? await readOwners(request, address as Address) : null
      return [[address, { code, owners }] as const]
    }),
  )
  return Object.fromEntries(accounts.flat())
}

/** The owners of a Safe; null for what is none, or does not answer. */
async function readOwners(request: RpcRequest, to: Address): Promise<Address[] | null> {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' })
  const answer = await callContract(request, { to, data })
  if (answer === null || answer === undefined) return null
  try {
    return [...decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data: answer })]
  } catch {
    return null
  }
}
