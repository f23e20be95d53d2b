import { address } from '@countersign/contract'
import type { Address } from 'viem'
import { z } from 'zod'

const MAX_ACCOUNTS = 10_000

/** Rules about who may use the installation, and for what its nodes may be made to work. */
export const access = z
  .strictObject({
    signIn: z.enum(['all', 'accounts', 'owners']).default('all'),
    accounts: z.array(address).max(MAX_ACCOUNTS).default([]),
    admins: z.array(address).max(MAX_ACCOUNTS).default([]),
    safes: z
      .union([
        z.enum(['all', 'admins']),
        z.array(z.strictObject({ chainId: z.int().positive(), address })).max(MAX_ACCOUNTS),
      ])
      .default('all'),
    newSafesPerDay: z.int().min(0).max(1_000_000).default(100),
    newSafesPerDayOfAll: z.int().min(0).max(1_000_000).default(2_000),
  })
  .refine(({ signIn, accounts, admins }) => signIn === 'all' || accounts.length + admins.length > 0, {
    path: ['admins'],
    error: 'must name somebody, or `accounts` must: nobody could sign in first',
  })
  .refine(({ safes, admins }) => safes !== 'admins' || admins.length > 0, {
    path: ['admins'],
    error: 'must name somebody: nobody could add a Safe',
  })

/** Rules of the operator: accounts that may use this installation, and Safes that its nodes are made to read. */
export type AccessSettings = {
  /** `accounts`: those that are named. `owners`: the teams of Safes that are stored here, too. */
  signIn: 'all' | 'accounts' | 'owners'
  accounts: ReadonlySet<Address>
  /** Accounts that may always sign in, and add any Safe. */
  admins: ReadonlySet<Address>
  /** Safes that may be added: any, those that an admin adds, or those that are named. */
  safes: 'all' | 'admins' | ReadonlySet<SafeKey>
  /** Safes that nobody had added before, for each account within 24 hours. */
  newSafesPerDay: number
  /** Limit for all accounts together, except admins. One person can create thousands of accounts. */
  newSafesPerDayOfAll: number
}

type SafeKey = `${number} ${Address}`

/** Names a Safe of any chain in {@link AccessSettings}. */
export function safeKey({ chainId, address }: { chainId: number; address: Address }): SafeKey {
  return `${chainId} ${address}`
}

export function parseAccess({ accounts, admins, safes, ...rest }: z.output<typeof access>): AccessSettings {
  return {
    ...rest,
    accounts: new Set(accounts),
    admins: new Set(admins),
    safes: typeof safes === 'string' ? safes : new Set(safes.map(safeKey)),
  }
}
