import { randomBytes } from 'node:crypto'
import { fail, SIGN_IN_STATEMENT } from '@countersign/contract'
import { writeSignInMessage } from '@countersign/safe'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import { toBytes } from '../../db/columns.ts'
import { waitingSignIn } from '../../db/schema.ts'
import { type Chain, chainOf, unreachable } from '../../rpc/clients.ts'

const MESSAGE_MS = 600_000
/** As long as the cookie that binds it to the browser: owners of a Safe may be asleep. */
const WAITING_MESSAGE_MS = 86_400_000

/** A message that ends sooner is not worth asking further owners for. */
const RESUMED_MS = 3_600_000

/** Prepared once per connection: it is sent for every sign-in. */
const storeMessage = {
  name: 'store-sign-in-message',
  text: `insert into sign_in_nonce (nonce, browser_hash, address, chain_id, message, issued_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}

/**
 * Writes the text that the account is asked to sign, and keeps it: only this very text is accepted back. One that still
 * waits for owners is given again.
 */
export async function prepareSignIn(
  ctx: Ctx,
  {
    address,
    chainId,
    browserHash,
    waitsForOwners = false,
    isFramed = false,
  }: {
    address: Address
    chainId: number
    browserHash: Hex
    waitsForOwners?: boolean | undefined
    isFramed?: boolean | undefined
  },
): Promise<{ message: string; expiresAt: string }> {
  const chain = chainOf(ctx.chains, chainId)
  const issuedAt = ctx.clock()
  if (waitsForOwners) {
    const known = await findWaiting(ctx, {
      address,
      chainId,
      browserHash,
      until: issuedAt.getTime() + RESUMED_MS,
    })
    if (known) return known
    await requireCode(chain, address)
    // Around a frame stands the wallet of whatever account it is; elsewhere owners sign here, and only a Safe has those.
    if (!isFramed) await chain.readSafe(address)
  }
  const expiresAt = new Date(issuedAt.getTime() + (waitsForOwners ? WAITING_MESSAGE_MS : MESSAGE_MS))
  const nonce = randomBytes(16).toString('hex')
  const message = writeSignInMessage({
    scheme: ctx.publicUrl.protocol.slice(0, -1),
    domain: ctx.publicUrl.host,
    address,
    statement: SIGN_IN_STATEMENT,
    uri: ctx.publicUrl.origin,
    version: '1',
    chainId,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expirationTime: expiresAt.toISOString(),
  })
  if (waitsForOwners)
    await ctx.db.insert(waitingSignIn).values({ nonce, browserHash, address, chainId, message, issuedAt, expiresAt })
  else
    await ctx.db.$client.query({
      ...storeMessage,
      values: [nonce, toBytes(browserHash), toBytes(address), chainId, message, issuedAt, expiresAt],
    })
  return { message, expiresAt: expiresAt.toISOString() }
}

/**
 * The message that this browser already waits with, as this account. Where a browser forbids a framed page to keep
 * anything but its cookie, the owners' signatures would otherwise be lost with each reload.
 */
async function findWaiting(
  { db }: Ctx,
  { address, chainId, browserHash, until }: { address: Address; chainId: number; browserHash: Hex; until: number },
): Promise<{ message: string; expiresAt: string } | undefined> {
  const [known] = await db
    .select({ message: waitingSignIn.message, expiresAt: waitingSignIn.expiresAt })
    .from(waitingSignIn)
    .where(
      and(
        eq(waitingSignIn.browserHash, browserHash),
        eq(waitingSignIn.address, address),
        eq(waitingSignIn.chainId, chainId),
        isNull(waitingSignIn.spentAt),
        gt(waitingSignIn.expiresAt, new Date(until)),
      ),
    )
    .orderBy(desc(waitingSignIn.issuedAt))
    .limit(1)
  return known && { message: known.message, expiresAt: known.expiresAt.toISOString() }
}

/** A key of its own signs within minutes; only what has code can have owners to wait for. */
async function requireCode(chain: Chain, address: Address): Promise<void> {
  const code = await chain.request({ method: 'eth_getCode', params: [address, 'latest'] }).catch((cause: unknown) => {
    throw unreachable(chain.settings, cause)
  })
  if (code === '0x' || code === null)
    throw fail('NOT_A_CONTRACT_ACCOUNT', { address, chainId: chain.settings.chainId, name: chain.settings.name })
}
