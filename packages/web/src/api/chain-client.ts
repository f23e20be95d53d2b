import { callNode } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { fail } from '../text/fail.ts'
import { api } from './client.ts'

/** `patience`: milliseconds that the question may wait for others to travel with; it makes no batch of its own before. */
export type RpcRequest = (args: { method: string; params?: unknown; patience?: number }) => Promise<unknown>

type Waiting = {
  method: string
  params: unknown[]
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}
type RpcResponse = { id?: unknown; result?: unknown; error?: { code?: number; message?: string; data?: unknown } }

const MAX_BATCH = 100
/** Half of what the server takes in one request: it counts all of it. */
const MAX_BATCH_LENGTH = 512 * 1024
const requests = new Map<number, RpcRequest>()

/**
 * JSON-RPC to a chain's node through the server. Requests of one tick travel as one batch. What it answers is the
 * server's claim.
 *
 * @throws CountersignError the server's code, or `RPC_ERROR` with the node's `code` and `data` in its data
 */
export function chainRequest(chainId: number): RpcRequest {
  const known = requests.get(chainId)
  if (known) return known
  const request = createRequest((batch) => api(callNode, { chainId, body: batch }))
  requests.set(chainId, request)
  return request
}

type Batch = { jsonrpc: '2.0'; id: number; method: string; params: unknown[] }[]

/** @param send posts one batch and gives the node's answer */
export function createRequest(send: (batch: Batch) => Promise<unknown>): RpcRequest {
  let waiting: Waiting[] = []
  let isLeaving = false
  let atLatest: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    const all = waiting
    waiting = []
    isLeaving = false
    clearTimeout(atLatest)
    atLatest = undefined
    for (const batch of inBatches(all)) void sendBatch(batch)
  }
  const sendBatch = async (batch: Waiting[]) => {
    try {
      const answer = await send(batch.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
      const responses = new Map(
        (Array.isArray(answer) ? answer : [answer]).filter(isResponse).map((response) => [response.id, response]),
      )
      batch.forEach(({ method, resolve, reject }, id) => {
        const response = responses.get(id)
        if (!response) reject(fail('RPC_ERROR', { reason: 'unanswered', method }))
        else if (response.error) reject(rpcError(method, response.error))
        else resolve(response.result)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return ({ method, params, patience = 0 }) =>
    new Promise((resolve, reject) => {
      if (patience > 0) atLatest ??= setTimeout(flush, patience)
      else if (!isLeaving) {
        isLeaving = true
        setTimeout(flush, 0)
      }
      waiting.push({ method, params: Array.isArray(params) ? params : [], resolve, reject })
    })
}

/** A request that is longer than a batch may be goes alone. */
function inBatches(all: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = []
  let length = 0
  for (const request of all) {
    const own = JSON.stringify(request.params).length
    const last = batches.at(-1)
    length += own
    if (last !== undefined && last.length < MAX_BATCH && length <= MAX_BATCH_LENGTH) last.push(request)
    else {
      batches.push([request])
      length = own
    }
  }
  return batches
}

function isResponse(value: unknown): value is RpcResponse {
  return typeof value === 'object' && value !== null
}

function rpcError(method: string, { code, message, data }: NonNullable<RpcResponse['error']>): CountersignError {
  return fail('RPC_ERROR', {
    reason: 'refused',
    method,
    rpcCode: code,
    rpcMessage: message ?? '',
    rpcData: data,
  })
}
