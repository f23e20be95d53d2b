import { randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { warrant, warrantGround } from '../db/schema.ts'
import type { Chain } from '../rpc/clients.ts'
import { askAccount, type SignatureVerdict } from '../signatures/verify-signature.ts'
import { type AccountSignature, type Ground, readGround } from './read-ground.ts'

/** A valid signature and the Safes it depends on. */
export type NewWarrant = AccountSignature & {
  chainId: number
  ground: Ground[]
  signers: AccountSignature['account'][]
}

/**
 * Reads the Safes that a contract account's signature depends on, then verifies the signature again. An owner who was added in
 * between therefore does not count as a signer.
 */
export async function readWarrant(
  chain: Chain,
  signed: AccountSignature,
): Promise<{ verdict: SignatureVerdict; warrant: NewWarrant }> {
  const { chainId } = chain.settings
  try {
    const read = await readGround(chain, signed)
    return { verdict: await askAccount(chain, signed), warrant: { ...signed, ...read, chainId } }
  } catch (error) {
    // If the node does not answer, the signature may still be valid.
    if (!(error instanceof CountersignError)) throw error
    return { verdict: 'unavailable', warrant: { ...signed, ground: [], signers: [], chainId } }
  }
}

/** Stores a warrant. @returns its id */
export async function storeWarrant(
  db: Executor,
  { ground, hash: signedHash, ...facts }: NewWarrant,
  { now, ...place }: { now: Date; userAgent?: string | null; clientAddress?: string | null; isFramed?: boolean },
): Promise<string> {
  const id = randomBytes(12).toString('hex')
  await db.insert(warrant).values({ ...facts, ...place, id, signedHash, createdAt: now, checkedAt: now })
  const { chainId } = facts
  const rows = ground.map(({ safeAddress, authority, blockNumber }) => ({
    warrantId: id,
    chainId,
    safeAddress,
    authority,
    blockNumber,
    seenAuthority: authority,
    seenBlock: blockNumber,
    seenAt: now,
  }))
  if (rows.length > 0) await db.insert(warrantGround).values(rows)
  return id
}

/** Removes a warrant that nothing depends on. */
export async function removeWarrant(db: Executor, id: string): Promise<void> {
  await db.delete(warrant).where(eq(warrant.id, id))
}
