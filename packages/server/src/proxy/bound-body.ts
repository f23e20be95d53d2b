import { boundCall, type ProxiedCall } from './bound-call.ts'

/** JSON-RPC's code for parameters that are wrong. */
const INVALID_PARAMS = -32602
/** Cost of what is sent to a node at a time: about two seconds of a node that is slow at running code. */
const MAX_COST = 600

export type ProxiedRequest = ProxiedCall & { jsonrpc: '2.0'; id: number | string }

/** `answers`: JSON texts for what is not passed on. */
export type BoundedBody = { parts: { calls: ProxiedRequest[]; cost: number }[]; answers: string[]; cost: number }

/** Splits a batch into parts by what they cost a node, and answers what is not passed on. */
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

/** Puts answers together as texts: nobody reads them here. A single request has a single answer. */
export function joinAnswers(texts: readonly string[], isBatch: boolean): string {
  const bare = texts
    .map((text) => text.trim())
    .map((text) => (text.startsWith('[') ? text.slice(1, -1).trim() : text))
    .filter((text) => text !== '')
  return isBatch ? `[${bare.join(',')}]` : (bare[0] ?? '')
}

/** Whether the number of the newest block has to be known to bound these calls. */
export function needsHead(calls: readonly ProxiedCall[]): boolean {
  return calls.some(({ method }) => method === 'eth_getLogs')
}
