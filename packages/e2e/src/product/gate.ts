import { createServer, request, type Server } from 'node:http'
import { freePort } from './product.ts'

/** A way to a node that can be closed: whoever asks then finds nobody. */
export type Gate = { rpcUrl: string; open(): Promise<void>; close(): Promise<void> }

/** Closed at first. */
export async function createGate(rpcUrl: string): Promise<Gate> {
  const port = await freePort()
  let server: Server | undefined
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    open: async () => {
      if (server) return
      const opening = createServer((asked, answer) => {
        const passed = request(rpcUrl, { method: asked.method, headers: asked.headers }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
        })
        passed.on('error', () => answer.destroy())
        asked.pipe(passed)
      })
      await new Promise<void>((resolve) => opening.listen(port, '127.0.0.1', resolve))
      server = opening
    },
    close: async () => {
      const closing = server
      server = undefined
      if (!closing) return
      const closed = new Promise((resolve) => closing.close(resolve))
      closing.closeAllConnections()
      await closed
    },
  }
}
