import { CountersignError } from '@countersign/safe'
import { type Endpoint, scopeOf } from './endpoint.ts'

/** Node.js error codes for a failed connection. Browsers do not distinguish failures. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Builds the error of a request without an answer. `data.reason` is `failed` for a read, `unsent` for a request that was not sent,
 * and `lost` for a write that the server may have carried out.
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
