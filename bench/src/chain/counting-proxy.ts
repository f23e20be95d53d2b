import { createServer } from 'node:http'
import { freePort } from '@countersign/e2e'

/** A way to a node that counts what is asked, each call of a batch. */
export type CountingProxy = { url: string; take(): number; close(): void }

export async function startCountingProxy(nodeUrl: string): Promise<CountingProxy> {
  const port = await freePort()
  let calls = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const asked: unknown = JSON.parse(body)
    calls += Array.isArray(asked) ? asked.length : 1
    const answer = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = calls
      calls = 0
      return taken
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
