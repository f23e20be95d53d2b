import type { ListFault } from '@countersign/contract'
import { ResponseBodyTooLargeError } from 'viem'
import { exchange } from '../rpc/exchange.ts'
import { MAX_LIST_BYTES, type OpenedList, openTokenList } from './parse-token-list.ts'

const limits = { milliseconds: 30_000, largestAnswer: MAX_LIST_BYTES }

type Fetched =
  | { kind: 'list'; text: string; opened: OpenedList; etag: string | null }
  | { kind: 'same' }
  | { kind: 'fault'; fault: ListFault; detail: string | null }

/** Asks for a list. Redirects are not followed: the operator named this host and no other. */
export async function fetchList(url: URL, etag: string | null): Promise<Fetched> {
  const headers = { accept: 'application/json', ...(etag === null ? {} : { 'if-none-match': etag }) }
  try {
    const contact = { kind: 'token-list', host: url.host } as const
    const answer = await exchange({ url, headers, contact }, null, limits)
    if (answer.status === 304 && etag !== null) return { kind: 'same' }
    if (answer.status !== 200) return { kind: 'fault', fault: 'status', detail: String(answer.status) }
    const opened = openTokenList(answer.text)
    if ('fault' in opened) return { kind: 'fault', ...opened }
    const tag = answer.headers.etag
    return { kind: 'list', text: answer.text, opened, etag: tag && tag.length <= 200 ? tag : null }
  } catch (error) {
    const isLarge = error instanceof ResponseBodyTooLargeError
    return { kind: 'fault', fault: isLarge ? 'too-large' : 'unreachable', detail: null }
  }
}
