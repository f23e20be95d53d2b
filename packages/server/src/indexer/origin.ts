import type { SafeOrigin } from '@countersign/contract'
import { officialProxyVersion } from '@countersign/safe'
import { type Hex, isHex, numberToHex } from 'viem'
import type { Chain } from '../rpc/clients.ts'
import { isRefusal } from '../rpc/errors.ts'
import { readBlock } from '../rpc/logs.ts'
import { namesSafe, readCreationLogsOf } from './read/creations.ts'

/** Where the history of a Safe begins, and how that is known. */
export type Origin = { block: number; by: SafeOrigin }

/** Before these days, by the clocks of blocks, no official factory of that version was on any chain. */
const RELEASED: Partial<Record<string, string>> = {
  '1.0.0': '2018-10-01',
  '1.1.1': '2019-10-01',
  '1.3.0': '2021-03-01',
  '1.4.1': '2022-11-01',
  '1.5.0': '2024-10-01',
}

/**
 * Finds where the history of a Safe begins: the block from which on it has code, where the node keeps old state and the
 * logs of that block tell of its creation; else the factory's event, where a node takes one query for all blocks; else
 * the day of the release of its proxy; else the first block.
 *
 * @returns null when it has no code at the last block: there is nothing to find yet
 */
export async function findOrigin(
  chain: Pick<Chain, 'request' | 'requestLogs'>,
  safe: Hex,
  { first, last }: { first: number; last: number },
): Promise<Origin | null> {
  const code = await readCode(chain, safe, 'latest')
  if (code === '0x') return null
  const block = (await findByCode(chain, safe, { first, last })) ?? (await findByEvent(chain, safe, { first, last }))
  if (block) return block
  const released = RELEASED[officialProxyVersion(code) ?? '']
  const since = released === undefined ? null : await findByTime(chain, Date.parse(released) / 1000, { first, last })
  return since === null ? { block: first, by: 'configured' } : { block: since, by: 'release' }
}

type Span = { first: number; last: number }
type Asking = Pick<Chain, 'request' | 'requestLogs'>

async function readCode({ request }: Pick<Chain, 'request'>, safe: Hex, at: Hex | 'latest'): Promise<Hex> {
  const code = await request({ method: 'eth_getCode', params: [safe, at] })
  return isHex(code) ? code : '0x'
}

/**
 * Finds the first block in which an account has code. A pruned node may answer that there was no code instead of failing, so the
 * caller must confirm the result with the logs of that block.
 */
export function findFirstCode(chain: Pick<Chain, 'request'>, account: Hex, span: Span): Promise<number | null> {
  return firstThat(async (block) => (await readCode(chain, account, numberToHex(block))) !== '0x', span)
}

async function findByCode(chain: Asking, safe: Hex, { first, last }: Span): Promise<Origin | null> {
  try {
    const block = await findFirstCode(chain, safe, { first, last })
    return block !== null && (await isCreatedIn(chain, safe, { first: block, last: block })) !== null
      ? { block, by: 'code' }
      : null
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

async function findByEvent(chain: Asking, safe: Hex, span: Span): Promise<Origin | null> {
  try {
    const block = await isCreatedIn(chain, safe, span, true)
    return block === null ? null : { block, by: 'event' }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** The block whose logs tell of the creation, of the Safe itself or of a factory. */
async function isCreatedIn(chain: Asking, safe: Hex, { first, last }: Span, isNamed = false): Promise<number | null> {
  const end = await readBlock(chain.request, last)
  if (!end) return null
  const range = { fromBlock: first, toBlock: last, toHash: end.hash }
  const logs = await readCreationLogsOf(chain.requestLogs, { safe, isNamed }, range)
  return logs.find((log) => namesSafe(log, safe))?.blockNumber ?? null
}

async function findByTime(chain: Asking, seconds: number, span: Span): Promise<number | null> {
  return firstThat(async (number) => {
    const block = await readBlock(chain.request, number)
    return block !== null && block.timestamp >= seconds
  }, span)
}

/** The first block of a span from which on something holds; null where it does not hold at the last. */
async function firstThat(holds: (block: number) => Promise<boolean>, { first, last }: Span): Promise<number | null> {
  if (!(await holds(last))) return null
  let [below, at] = [first - 1, last]
  while (at - below > 1) {
    const middle = Math.floor((below + at) / 2)
    if (await holds(middle)) at = middle
    else below = middle
  }
  return at
}
