import { fail, type Input, otherServiceLimits, type Reply, type readOtherService } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'
import { exchange } from '../../rpc/exchange.ts'
import { requireSharedSafe } from '../../safes/access.ts'

/** A page of a hundred transactions with much call data. */
const limits = { milliseconds: 20_000, largestAnswer: 8_000_000 }

/**
 * Reads a page of what waits for a Safe at the Transaction Service that the operator names. The page is asked for by its
 * number: what the service says of the next one is not followed. Nothing of the answer is believed here.
 *
 * @throws CountersignError `CHAIN_NOT_CONFIGURED`, `SAFE_NOT_FOUND`, `OTHER_SERVICE_FAILED`
 */
export async function readPageOfOtherService(
  ctx: SignedInCtx,
  { chainId, safeAddress, page = 1 }: Input<typeof readOtherService>,
): Promise<Reply<typeof readOtherService>> {
  const { bringFrom } = chainOf(ctx.chains, chainId).settings
  await requireSharedSafe(ctx, chainId, safeAddress)
  if (!bringFrom) throw fail('OTHER_SERVICE_FAILED', { reason: 'none', chainId })
  const url = new URL(`${bringFrom.url}/v2/safes/${safeAddress}/multisig-transactions/`)
  const offset = (page - 1) * otherServiceLimits.page
  url.search = `executed=false&ordering=nonce&limit=${otherServiceLimits.page}&offset=${offset}`
  const { host } = url
  const headers = {
    accept: 'application/json',
    ...(bringFrom.apiKey ? { authorization: `Bearer ${bringFrom.apiKey}` } : {}),
  }
  const answer = await exchange({ url, headers, contact: { kind: 'transaction-service', host } }, null, limits).catch(
    () => {
      throw fail('OTHER_SERVICE_FAILED', { reason: 'unreachable', host })
    },
  )
  if (answer.status !== 200) throw fail('OTHER_SERVICE_FAILED', { reason: 'status', host, status: answer.status })
  return { content: answer.text }
}
