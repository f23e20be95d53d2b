import { randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/safe'
import type { Executor } from '../db/client.ts'
import { warrant, warrantGround } from '../db/schema.ts'
import type { Chain } from '../rpc/clients.ts'
import { askAccount, type SignatureVerdict } from '../signatures/verify-signature.ts'
import { type AccountSignature, type Ground, readGround } from './read-ground.ts'

/** A signature that holds, and what it rests on. */
export type NewWarrant = AccountSignature & {
  chainId: number
  ground: Ground[]
  signers: AccountSignature['account'][]
}

/**
 * Reads what a contract account's signature rests on, then asks about the signature again: owners who came in between are
 * none of those who signed.
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
    // A node that does not answer says nothing about the signature.
    if (!(error instanceof CountersignError)) throw error
    return { verdict: 'unavailable', warrant: { ...signed, ground: [], signers: [], chainId } }
  }
}

/** Keeps a warrant. @returns its name */
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
