import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Context } from 'hono'
import { describe, expect, test } from 'vitest'
import type { Variables } from '../http/variables.ts'
import { whenClientLeaves } from './when-client-leaves.ts'

/** Returns two signals for a client that leaves: one created before it leaves, and one created afterwards. */
async function signals(): Promise<[AbortSignal, AbortSignal]> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [, outgoing] = await once(server, 'request')
  const c = { env: { outgoing } } as Context<Variables>
  const before = whenClientLeaves(c)
  client.destroy()
  await once(outgoing, 'close')
  server.close()
  return [before, whenClientLeaves(c)]
}

describe('whenClientLeaves', () => {
  test('default: aborts if the client leaves, or has already left', async () => {
    expect((await signals()).map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
