import { fail, type Input, otherServiceLimits, type Reply, type readOtherService } from '@countersign/contract'
import type { Address } from 'viem'
import type { ChainSettings } from '../../config/chains.ts'
import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'
import { type Answered, exchange } from '../../rpc/exchange.ts'
import { requireSafe, requireSharedSafe } from '../../safes/access.ts'

/** A page of a hundred transactions with much call data. */
const limits = { milliseconds: 20_000, largestAnswer: 8_000_000 }

/**
 * Where the service has each, and what else it is asked. Transactions of nonces that are used stay there unexecuted for ever,
 * and would fill the first pages.
 */
const places = {
  transactions: (safe: Address, nonce: number) => [
    `/v2/safes/${safe}/multisig-transactions/`,
    `executed=false&nonce__gte=${nonce}&ordering=nonce`,
  ],
  messages: (safe: Address) => [`/v1/safes/${safe}/messages/`, 'ordering=created'],
  delegates: (safe: Address) => ['/v2/delegates/', `safe=${safe}`],
} as const

/**
 * Reads a page of what waits for a Safe at the Transaction Service that the operator names. The page is asked for by its
 * number: what the service says of the next one is not followed. Nothing of the answer is believed here.
 *
 * @throws CountersignError `CHAIN_NOT_CONFIGURED`, `SAFE_NOT_FOUND`, `OTHER_SERVICE_FAILED`
 */
export async function readPageOfOtherService(
  ctx: SignedInCtx,
  { chainId, safeAddress, page = 1, of = 'transactions' }: Input<typeof readOtherService>,
): Promise<Reply<typeof readOtherService>> {
  const { settings } = chainOf(ctx.chains, chainId)
  await requireSharedSafe(ctx, chainId, safeAddress)
  const { nonce } = await requireSafe(ctx, chainId, safeAddress)
  const service = otherServiceOf(settings)
  const offset = (page - 1) * otherServiceLimits.page
  const [path, query] = places[of](safeAddress, nonce)
  const asked = `${path}?${query}&limit=${otherServiceLimits.page}&offset=${offset}`
  const answer = await askOtherService(service, asked, null)
  const { host } = service
  if (answer.status !== 200) throw fail('OTHER_SERVICE_FAILED', { reason: 'status', host, status: answer.status })
  return { content: answer.text }
}

/** Another Transaction Service: its base, and the operator's key. */
type OtherService = { base: string; host: string; apiKey: string | undefined }

/** @throws CountersignError `OTHER_SERVICE_FAILED` where the operator names none */
export function otherServiceOf({ chainId, bringFrom }: ChainSettings): OtherService {
  if (!bringFrom) throw fail('OTHER_SERVICE_FAILED', { reason: 'none', chainId })
  return { base: bringFrom.url, host: new URL(bringFrom.url).host, apiKey: bringFrom.apiKey }
}

/**
 * Gets what is at a path of the service or, with a body, posts it there. Redirects are not followed.
 *
 * @throws CountersignError `OTHER_SERVICE_FAILED` when it does not answer, or without end
 */
export async function askOtherService(
  { base, host, apiKey }: OtherService,
  path: string,
  body: object | null,
): Promise<Answered> {
  const headers = {
    accept: 'application/json',
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  }
  const contact = { kind: 'transaction-service', host } as const
  const target = { url: new URL(`${base}${path}`), headers, contact, isOnce: body !== null }
  return exchange(target, body && JSON.stringify(body), limits).catch(() => {
    throw fail('OTHER_SERVICE_FAILED', { reason: 'unreachable', host })
  })
}
