import { createServer } from 'node:net'
import { fail } from '@countersign/contract'
import { errorCode } from '../postgres/process-identity.ts'

/** The port, or the next free one after it. Raises PORT_IN_USE when fifty in a row are taken. */
export async function findFreePort(host: string, first: number): Promise<number> {
  const last = Math.min(first + 50, 65_535)
  for (let port = first; port <= last; port++) if (await isFree(host, port)) return port
  throw fail('PORT_IN_USE', { reason: 'range', first, last })
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
    await new Promise((resolve) => server.close(resolve))
    return true
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return false
    if (errorCode(error) === 'EACCES') {
      throw fail('PORT_IN_USE', { reason: 'forbidden', host, port }, error)
    }
    if (errorCode(error) === 'EADDRNOTAVAIL' || errorCode(error) === 'ENOTFOUND') {
      throw fail('CONFIGURATION_INVALID', { reason: 'host', host }, error)
    }
    throw error
  }
}
