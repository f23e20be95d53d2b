import * as z from 'zod/mini'
import type { ErrorCode } from '../errors/errors.ts'
import type { TokenScope } from './token-scopes.ts'

export type Method = 'GET' | 'POST' | 'DELETE'
type Shape = z.ZodMiniObject | undefined

/**
 * One operation of the API, as plain data: the server mounts it, the client calls it, OpenAPI describes it.
 * `params` names what stands in `{braces}` in the path.
 */
export type Endpoint<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
  Reply extends z.ZodMiniType | undefined = z.ZodMiniType | undefined,
> = {
  readonly name: string
  readonly method: Method
  readonly path: `/api/${string}`
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Absent: the operation answers 204, or a stream of `media`. */
  readonly reply?: Reply
  readonly media?: 'text/event-stream' | 'text/csv'
  readonly session: 'required' | 'none'
  /**
   * Scope that an API token needs for it; `session`: no token will do. Absent: `read` where it only reads, else
   * `session`, so that nothing can be changed by a token because nobody thought of it.
   */
  readonly scope?: TokenScope | 'session'
  /** Its answer is on the chain anyway, or the account's own: also for an account that is proven on another chain. */
  readonly anyChain?: true
  /** Beside those of `errorsOf` that any request like it can meet: not valid, not signed in, database away. */
  readonly errors: readonly ErrorCode[]
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : unknown
type ParsedBody<B> = B extends z.ZodMiniObject ? z.output<B> : B extends z.ZodMiniType ? { body: z.output<B> } : unknown

/**
 * Input of an operation: params, query and body in one flat object, as the program holds them (bigint, checksummed
 * address). A body that is no object stands under `body`. The client writes all of it to the wire, the server's
 * schemas read it back: caller and verb see the same type.
 */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodMiniType | undefined>
    ? Parsed<P> & Parsed<Q> & ParsedBody<B>
    : never

/** Answer of an operation, as the program holds it; undefined for an empty one. */
export type Reply<E> =
  E extends Endpoint<Shape, Shape, z.ZodMiniType | undefined, infer R>
    ? R extends z.ZodMiniType
      ? z.output<R>
      : undefined
    : never

/** Gives the scope that an API token needs for an operation; `session`: no token will do. */
export function scopeOf({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): TokenScope | 'session' {
  return scope ?? (method === 'GET' ? 'read' : 'session')
}

/** Every error that an operation may answer. OpenAPI lists them; the server's tests hold it to them. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { method, session, params, query, body, anyChain, errors } = endpoint
  const namesChain = [params, query, body].some(
    (schema) => schema instanceof z.ZodMiniObject && 'chainId' in schema.shape,
  )
  const scope = scopeOf(endpoint)
  return [
    ...new Set<ErrorCode>([
      ...errors,
      ...(params || query || body ? (['INVALID_REQUEST'] as const) : []),
      ...(body ? (['REQUEST_TOO_LARGE'] as const) : []),
      ...(session === 'required'
        ? ([
            'NOT_SIGNED_IN',
            'SESSION_EXPIRED',
            'SESSION_REVOKED',
            'OWNERS_CHANGED',
            'ACCOUNT_NOT_ALLOWED',
            'TOKEN_UNKNOWN',
            'TOKEN_EXPIRED',
          ] as const)
        : []),
      ...(session === 'required'
        ? [scope === 'session' ? ('SESSION_REQUIRED' as const) : ('SCOPE_MISSING' as const)]
        : []),
      ...(session === 'required' && namesChain && !anyChain ? (['ACCOUNT_ON_OTHER_CHAIN'] as const) : []),
      ...(method === 'GET' ? [] : (['WRONG_ORIGIN'] as const)),
      'RATE_LIMITED',
      'OVERLOADED',
      'DATABASE_UNAVAILABLE',
      'DATABASE_READ_ONLY',
      'DISK_FULL',
      'INTERNAL',
    ]),
  ]
}

/** A program value in its JSON form: bigint has none, so it travels as a decimal string. */
export function toWire(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toWire(inner)]))
  return value
}

/** Writes a value to the wire as text: for a page of fifty transactions three times as fast as `toWire` first. */
export function writeWire(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
}

/** Declares an endpoint; only for its types. */
export function endpoint<
  const Params extends Shape = undefined,
  const Query extends Shape = undefined,
  const Body extends z.ZodMiniType | undefined = undefined,
  const Reply extends z.ZodMiniType | undefined = undefined,
>(definition: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return definition
}
