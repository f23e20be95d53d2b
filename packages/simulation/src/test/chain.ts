import type { BlockHeader, StateReader } from '@countersign/review'
import { CountersignError, type RpcRequest } from '@countersign/safe'
import { plainReader, readHeader } from '../plain-reader.ts'

type NodeAnswer = { id: number; result?: unknown; error?: { code: number; message: string; data?: unknown } }
type Waiting = { method: string; params: unknown[]; resolve: (value: unknown) => void; reject: (error: Error) => void }

/** A node of the tests: requests of one tick travel as one batch, and are counted. */
export type TestNode = { request: RpcRequest; batches: number; requests: number; bytes: number }

export function testNode(rpcUrl: string): TestNode {
  let waiting: Waiting[] = []
  const node: TestNode = { request, batches: 0, requests: 0, bytes: 0 }
  async function flush(): Promise<void> {
    const all = waiting
    waiting = []
    node.batches += 1
    node.requests += all.length
    const body = JSON.stringify(all.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await response.text()
    node.bytes += text.length
    const answers = new Map((JSON.parse(text) as NodeAnswer[]).map((answer) => [answer.id, answer]))
    for (const [id, { method, resolve, reject }] of all.entries()) {
      const answer = answers.get(id)
      if (answer?.error || !answer) {
        const { message = 'no answer', code: rpcCode, data: rpcData } = answer?.error ?? {}
        const data = { reason: 'refused', method, rpcCode, rpcMessage: message, rpcData }
        reject(new CountersignError('RPC_ERROR', `${method}: ${message}`, { data }))
      } else resolve(answer.result)
    }
  }
  function request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(() => void flush(), 0)
      waiting.push({ method, params, resolve, reject })
    })
  }
  return node
}

/** Reads the state of one block while code sees another as its own: that in which the transaction was mined. */
export async function readerBefore(node: TestNode, chainId: number, blockNumber: bigint): Promise<StateReader> {
  const [state, seen] = await Promise.all([
    readHeader(node.request, blockNumber - 1n),
    readHeader(node.request, blockNumber),
  ])
  const reader = plainReader(node.request, { chainId, header: state })
  const header: BlockHeader = seen
  return { ...reader, header }
}

/** Reads the newest state. */
export async function readerOfLatest(node: TestNode, chainId: number): Promise<StateReader> {
  return plainReader(node.request, { chainId, header: await readHeader(node.request) })
}
