import { randomBytes } from 'node:crypto'
import { writeSignInMessage } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import type { Ctx } from '../../context.ts'
import { signInNonce } from '../../db/schema.ts'

const MESSAGE_MILLISECONDS = 600_000

/** Writes the text that the account is asked to sign, and keeps it: only this very text is accepted back. */
export async function prepareSignIn(
  ctx: Ctx,
  { address, chainId, browserHash }: { address: Address; chainId: number; browserHash: Hex },
): Promise<{ message: string; expiresAt: string }> {
  chainOf(ctx.chains, chainId)
  const now = ctx.clock()
  const expiresAt = new Date(now.getTime() + MESSAGE_MILLISECONDS)
  const nonce = randomBytes(16).toString('hex')
  const message = writeSignInMessage({
    scheme: ctx.publicUrl.protocol.slice(0, -1),
    domain: ctx.publicUrl.host,
    address,
    statement: 'Sign in to Countersign. This does not send a transaction and costs nothing.',
    uri: ctx.publicUrl.origin,
    chainId,
    nonce,
    issuedAt: now.toISOString(),
    expirationTime: expiresAt.toISOString(),
  })
  await ctx.db.insert(signInNonce).values({ nonce, browserHash, address, chainId, message, expiresAt })
  return { message, expiresAt: expiresAt.toISOString() }
}
