import { randomUUID } from 'node:crypto'
import { type ErrorCode, errorTable } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { HTTPException } from 'hono/http-exception'

/** Begins the texts that are written as numbers. Nobody else can write one: it is chosen at the start of this process. */
const NUMBER = randomUUID()
const numbers = new RegExp(`"${NUMBER}(\\d+)"`, 'g')

/** An integer that an answer has as a JSON number, with all its digits: a number of JavaScript may have fewer. */
export function toInteger(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : `${NUMBER}${value}`
}

function writeJson(body: unknown): string {
  const text = JSON.stringify(body)
  return text.includes(NUMBER) ? text.replace(numbers, '$1') : text
}

/**
 * Answers in the shapes of this wire. An `undefined` body is an empty one, which clients take for the reason phrase.
 */
export function answer(status: number, body?: unknown): Response {
  return new Response(body === undefined ? null : writeJson(body), {
    status,
    headers: { 'cache-control': 'no-store', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  })
}

/** Ends the request here with this answer. */
export function refuse(status: number, body?: unknown): never {
  throw new HTTPException(500, { res: answer(status, body) })
}

/** `{"detail": …}`: what concerns the request as a whole. */
export function refuseDetail(status: number, detail: string): never {
  return refuse(status, { detail })
}

/** Refuses fields by their names as the client writes them: 400, or 422 where the wire says so. */
export function refuseFields(fields: Record<string, readonly string[]>, status = 400): never {
  return refuse(status, fields)
}

/** Refuses fields that are right one by one, but not together. */
export function refuseTogether(message: string, status = 400): never {
  return refuse(status, { nonFieldErrors: [message] })
}

/** `{"code": …, "message": …, "arguments": […]}` */
export function refuseCode(status: number, code: number, message: string, values: readonly string[]): never {
  return refuse(status, { code, message, arguments: values })
}

/** A thing that is not there, or not for who asks. */
export function notFound(model: string): never {
  return refuseDetail(404, `No ${model} matches the given query.`)
}

/** An error of the product, in the shapes of this wire. Verbs throw these; what means something else here is caught there. */
export function toAnswer(error: CountersignError & { code: ErrorCode }): Response {
  switch (error.code) {
    case 'CHAIN_UNREACHABLE':
    case 'CHAIN_ID_MISMATCH':
    case 'RPC_ERROR':
      return answer(503, {
        exception: 'Problem connecting to Ethereum network',
        trace: `NodeConnectionException: ${error.message}`,
      })
    case 'NOT_SIGNED_IN':
    case 'SESSION_EXPIRED':
    case 'SESSION_REVOKED':
    case 'OWNERS_CHANGED':
    case 'TOKEN_UNKNOWN':
    case 'TOKEN_EXPIRED':
      return unauthorized(error.message)
    case 'CHAIN_NOT_CONFIGURED':
    case 'NOT_FOUND':
      return answer(404, { detail: 'Not found.' })
    default:
      return answer(errorTable[error.code].status, { detail: error.message })
  }
}

export function unauthorized(detail: string): Response {
  const found = answer(401, { detail })
  found.headers.set('www-authenticate', 'Bearer')
  return found
}
