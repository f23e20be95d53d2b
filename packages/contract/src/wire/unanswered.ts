import { CountersignError } from '@countersign/safe'
import { type Endpoint, scopeOf } from './endpoint.ts'

/** Codes by which Node.js says that no connection was made. A browser says the same of every failure. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * The error of a request without an answer. `data.reason` says what is known of it: `failed` of one that only reads, `unsent`
 * of one that never left, `lost` of a write that may have been carried out, answer or not.
 *
 * @example
 * throw unanswered(endpoint, 'POST /api/safes', cause) // SERVER_UNREACHABLE, with the reason `lost`
 */
export function unanswered(
  endpoint: Pick<Endpoint, 'method' | 'scope'>,
  operation: string,
  cause: unknown,
): CountersignError {
  const isReading = endpoint.method === 'GET' || scopeOf(endpoint) === 'read'
  const reason = isReading ? 'failed' : isUnsent(cause) ? 'unsent' : 'lost'
  return new CountersignError('SERVER_UNREACHABLE', `No answer to \`${operation}\`.`, {
    data: { reason, operation },
    cause,
  })
}

function isUnsent(cause: unknown): boolean {
  const { cause: inner } = cause instanceof Error ? cause : {}
  return inner instanceof Error && 'code' in inner && unconnected.has(String(inner.code))
}
