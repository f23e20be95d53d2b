import { createServer } from 'node:net'
import { CountersignError } from '@countersign/safe-core'
import { errorCode } from '../postgres/process-identity.ts'

/** The port, or the next free one after it. Raises PORT_IN_USE when fifty in a row are taken. */
export async function findFreePort(host: string, first: number): Promise<number> {
  const last = Math.min(first + 50, 65_535)
  for (let port = first; port <= last; port++) if (await isFree(host, port)) return port
  throw new CountersignError('PORT_IN_USE', `The ports \`${first}\` to \`${last}\` are all taken.`, {
    data: { first, last },
  })
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
      throw new CountersignError('PORT_IN_USE', `This user may not listen on port \`${port}\` of \`${host}\`.`, {
        data: { host, port },
        cause: error,
      })
    }
    if (errorCode(error) === 'EADDRNOTAVAIL' || errorCode(error) === 'ENOTFOUND') {
      throw new CountersignError(
        'CONFIGURATION_INVALID',
        `HOST is \`${host}\`, which is not an address of this machine.`,
        { data: { host }, cause: error },
      )
    }
    throw error
  }
}
