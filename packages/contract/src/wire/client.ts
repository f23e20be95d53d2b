import { CountersignError, parseJson } from '@countersign/safe'
import * as z from 'zod/mini'
import { type ErrorCode, errorTable } from '../errors/errors.ts'
import { type Endpoint, type Input, type Reply, toWire } from './endpoint.ts'
import { unanswered } from './unanswered.ts'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>
type Flat = Record<string, unknown>

export type ClientOptions = {
  /** Origin of the server, without a trailing slash; empty for the page's own. */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every request: a script has no browser to send Origin and cookies for it. */
  headers?: Record<string, string>
}

/**
 * Calls one endpoint and parses its reply by the same schema that the server writes it with.
 *
 * @throws CountersignError with the server's code; `SERVER_UNREACHABLE` without an answer, `INTERNAL` for an invalid answer.
 */
export async function call<E extends AnyEndpoint>(
  { baseUrl, fetch: send = fetch, headers = {} }: ClientOptions,
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const values = input as Flat
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])))
  const query = new URLSearchParams()
  for (const key of keysOf(endpoint.query)) if (values[key] != null) query.set(key, String(values[key]))
  const body = endpoint.body && JSON.stringify(bodyOf(endpoint.body, values))
  const operation = `${endpoint.method} ${path}`

  let response: Response
  let text: string
  try {
    response = await send(`${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: { ...headers, accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw unanswered(endpoint, operation, cause)
  }
  if (!response.ok) throw errorOf(text, `\`${operation}\` answered ${response.status}.`)
  if (!endpoint.reply) return undefined as Reply<E>
  const reply = endpoint.reply.safeParse(parseJson(text))
  if (!reply.success)
    throw new CountersignError('INTERNAL', `The answer to \`${operation}\` does not fit its contract.`, {
      cause: reply.error,
    })
  return reply.data as Reply<E>
}

function keysOf(schema: z.ZodMiniObject | undefined): string[] {
  return schema ? Object.keys(schema.shape) : []
}

/** Picks the fields of the input that the body names; a body that is no object stands under `body`. */
function bodyOf(schema: z.ZodMiniType, values: Flat): unknown {
  if (!(schema instanceof z.ZodMiniObject)) return toWire(values.body)
  return toWire(Object.fromEntries(keysOf(schema).map((key) => [key, values[key]])))
}

/** Fields that a problem document must have to be believed; anything else is `INTERNAL`. */
const problem = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && Object.hasOwn(errorTable, code)),
  detail: z.string(),
  data: z._default(z.record(z.string(), z.unknown()), {}),
  requestId: z.optional(z.string()),
})

function errorOf(text: string, otherwise: string): CountersignError {
  const { success, data: found } = problem.safeParse(parseJson(text))
  if (!success) return new CountersignError('INTERNAL', otherwise)
  const requestId = found.requestId === undefined ? {} : { requestId: found.requestId }
  return new CountersignError(found.code, found.detail, { data: { ...found.data, ...requestId } })
}
