import { boundCall, type ProxiedCall } from './bound-call.ts'

/** JSON-RPC code for invalid parameters. */
const INVALID_PARAMS = -32602
/** Most that one part of a batch may cost: about two seconds on a slow node. */
const MAX_COST = 600

export type ProxiedRequest = ProxiedCall & { jsonrpc: '2.0'; id: number | string }

/** `answers`: JSON texts for the calls that are not passed on. */
export type BoundedBody = { parts: { calls: ProxiedRequest[]; cost: number }[]; answers: string[]; cost: number }

/** Splits a batch into parts by their cost to a node, and answers the calls that are not passed on. */
export function boundBody(calls: readonly ProxiedRequest[], head: number | null): BoundedBody {
  const bounded: BoundedBody = { parts: [], answers: [], cost: 0 }
  for (const given of calls) {
    const found = boundCall(given, head)
    if ('refusal' in found) {
      const error = { code: INVALID_PARAMS, message: found.refusal }
      bounded.answers.push(JSON.stringify({ jsonrpc: '2.0', id: given.id, error }))
      bounded.cost += 1
      continue
    }
    const { call, cost } = found
    bounded.cost += cost
    const last = bounded.parts.at(-1)
    if (last && last.cost + cost <= MAX_COST) {
      last.calls.push(call)
      last.cost += cost
    } else bounded.parts.push({ calls: [call], cost })
  }
  return bounded
}

/** Joins answers as text, without parsing them. A single request gets a single answer. */
export function joinAnswers(texts: readonly string[], isBatch: boolean): string {
  const bare = texts
    .map((text) => text.trim())
    .map((text) => (text.startsWith('[') ? text.slice(1, -1).trim() : text))
    .filter((text) => text !== '')
  return isBatch ? `[${bare.join(',')}]` : (bare[0] ?? '')
}

/** Whether bounding these calls needs the number of the newest block. */
export function needsHead(calls: readonly ProxiedCall[]): boolean {
  return calls.some(({ method }) => method === 'eth_getLogs')
}
