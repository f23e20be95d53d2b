import { type Code, callContract, type RpcRequest, readCodes, safeAbi } from '@countersign/safe'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { defineFact } from '../fact.ts'

/** Accounts that are read in all: the Safe's owners first, then their owners. */
const MAX_ACCOUNTS = 60
/** Levels of owners. Level 1 is the Safe's own. */
const MAX_DEPTH = 4

/** An owner: the code of its account, and its own owners where it is a Safe. */
export type OwnerAccount = { code: Code; owners: Address[] | null }

/**
 * Reads the code of the Safe's owners, and the owners of those that are Safes, by lower-case address. Accounts beyond the limits, or
 * without an answer, are missing.
 */
export const ownerAccounts = defineFact({
  id: 'ownerAccounts',
  needs: ({ chainId, state }) => (state === null ? null : { chainId, owners: state.owners }),
  async read(chain, { chainId, owners }): Promise<Record<string, OwnerAccount | undefined>> {
    const request = chain(chainId)
    const accounts: Record<string, OwnerAccount> = {}
    let level = distinct(owners)
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      const room = MAX_ACCOUNTS - Object.keys(accounts).length
      const asked = level.filter((address) => !(address.toLowerCase() in accounts)).slice(0, room)
      const found = await readAccounts(request, asked)
      Object.assign(accounts, found)
      level = distinct(Object.values(found).flatMap((account) => account.owners ?? []))
    }
    return accounts
  },
})

/** Removes duplicates, so that an owner of several Safes is read and counted once. */
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

/** Reads the owners of a Safe. Null if the account is not a Safe or did not answer. */
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
