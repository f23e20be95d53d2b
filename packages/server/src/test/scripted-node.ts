import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) })
export type Asked = z.output<typeof call>
export type Answer = {
  jsonrpc: '2.0'
  id: number
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}
export type Reply = { status?: number; headers?: Record<string, string>; text: string }

/** Answers of a node in the place of the truth: one by one, or any text. */
export type Script = (asked: readonly Asked[], truth: () => Promise<Answer[]>) => Promise<Answer[] | Reply>

export type ScriptedNode = {
  url: string
  /** Everything that it was asked, an entry for each exchange. */
  exchanges: Asked[][]
  play: (script: Script) => void
  /** Number of requests that are not yet answered and not cancelled. */
  open: () => number
  close: () => Promise<void>
}

export const honest: Script = (_, truth) => truth()

/** A node in front of a real one, that says what it is told to. */
export async function startScriptedNode(rpcUrl: string, first: Script = honest): Promise<ScriptedNode> {
  let script = first
  const exchanges: Asked[][] = []
  let open = 0
  const server = createServer(async (request, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const asked = z.array(call).parse([body].flat())
      exchanges.push(asked)
      const scripted = await script(asked, () => askNode(rpcUrl, asked))
      const reply = Array.isArray(scripted)
        ? { text: JSON.stringify(Array.isArray(body) ? scripted : scripted[0]) }
        : scripted
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers }).end(reply.text)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || !address) throw new Error('unreachable')
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    open: () => open,
    play(next) {
      script = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function askNode(rpcUrl: string, asked: readonly Asked[]): Promise<Answer[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked.map((call) => ({ jsonrpc: '2.0', ...call }))),
    signal: AbortSignal.timeout(30_000),
  })
  const answers: Answer[] = JSON.parse(await response.text())
  return answers
}

/** Answers of the real node, changed one by one. */
export function changing(change: (answer: Answer, asked: Asked) => Answer): Script {
  return async (asked, truth) => {
    const answers = await truth()
    return asked.flatMap((call) => {
      const answer = answers.find(({ id }) => id === call.id)
      return answer ? [change(answer, call)] : []
    })
  }
}

/** Refuses some calls, as a node does that lacks a method, or thinks that it is too much. */
export function refusing(
  isRefused: (asked: Asked) => boolean,
  error = { code: -32601, message: 'no such method' },
): Script {
  return changing((answer, asked) => (isRefused(asked) ? { jsonrpc: '2.0', id: asked.id, error } : answer))
}
