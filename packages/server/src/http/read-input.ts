import { type Endpoint, fail, type Input } from '@countersign/contract'
import type { Context } from 'hono'
import { z } from 'zod'
import { isDeeperThan, MAX_JSON_DEPTH } from './json-depth.ts'
import type { Variables } from './variables.ts'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>
type HttpContext = Context<Variables>

type Fault = { path: string; message: string }

/** Path parameters of an operation. */
export type Params<E extends AnyEndpoint> = Omit<Input<Omit<E, 'body' | 'query'>>, never>

/** Reads only the path parameters, with the endpoint's schema. */
export function readParams<E extends AnyEndpoint>(endpoint: E, c: HttpContext): Params<E> {
  const faults: Fault[] = []
  const params = parse(endpoint.params, c.req.param(), faults)
  refuseFaults(faults)
  // The endpoint's own schema has just accepted these values.
  return params as Params<E>
}

/** Reads params, query and body by the endpoint's own schemas, into one flat object. */
export async function readInput<E extends AnyEndpoint>(endpoint: E, c: HttpContext): Promise<Input<E>> {
  const faults: Fault[] = []
  // PostgreSQL cannot store this character in text.
  for (const [path, value] of Object.entries({ ...c.req.param(), ...c.req.query() }))
    if (value.includes('\0')) faults.push({ path, message: 'must not contain U+0000' })
  const params = parse(endpoint.params, c.req.param(), faults)
  const query = parse(endpoint.query, c.req.query(), faults)
  const body = endpoint.body ? parse(endpoint.body, await readBody(c), faults) : {}
  refuseFaults(faults)
  const named = endpoint.body && !(endpoint.body instanceof z.core.$ZodObject) ? { body } : body
  // The endpoint's own schemas have just accepted these values.
  return Object.assign({}, params, query, named) as Input<E>
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0)
    throw fail('INVALID_REQUEST', { reason: 'fields', fields: faults.map(({ path }) => path), errors: faults })
}

async function readBody(c: HttpContext): Promise<unknown> {
  const text = await c.req.text()
  // PostgreSQL cannot store this character in text, and keyboards do not produce it.
  if (text.includes('\\u0000'))
    throw fail('INVALID_REQUEST', { reason: 'nul', errors: [{ path: 'body', message: 'must not contain U+0000' }] })
  if (isDeeperThan(text, MAX_JSON_DEPTH)) {
    const errors = [{ path: 'body', message: `must not be nested deeper than ${MAX_JSON_DEPTH} levels` }]
    throw fail('INVALID_REQUEST', { reason: 'depth', limit: MAX_JSON_DEPTH, errors })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw fail('INVALID_REQUEST', { reason: 'json', errors: [{ path: 'body', message: 'is not JSON' }] })
  }
}

function parse(schema: Endpoint['body'], value: unknown, faults: Fault[]): unknown {
  if (!schema) return {}
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const issue of result.error.issues.slice(0, 20))
    faults.push({ path: issue.path.join('.') || 'body', message: issue.message })
  return {}
}
