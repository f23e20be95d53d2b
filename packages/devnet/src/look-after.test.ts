import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { lookAfter } from './look-after.ts'

/** Results of methods. `mines`: pending transactions are gone after `evm_mine`. */
type Says = { mines?: boolean } & Record<string, unknown>

/** A node that answers by method, and does not answer other methods. */
async function startNode(says: Says) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const calls: { id: number; method: string }[] = JSON.parse(text)
    asked.push(...calls.map(({ method }) => method))
    const isMined = says.mines === true && asked.includes('evm_mine')
    const found = isMined ? { ...says, txpool_status: { pending: '0x0' } } : says
    if (calls.some(({ method }) => !(method in says))) return
    response.end(JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: found[method] }))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether the node is found to be stuck within this many checks. */
async function isStuck(says: Says, looks: number): Promise<{ isStuck: boolean; asked: string[] }> {
  await using node = await startNode(says)
  let isStuck = false
  let hasEnded = false
  const isOver = () => isStuck || node.asked.filter((method) => method === 'txpool_status').length > looks
  lookAfter(node.url, {
    hasEnded: () => hasEnded,
    lookMs: 1,
    stuckMs: 500,
    onStuck: () => {
      isStuck = true
    },
  })
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 5))
  hasEnded = true
  return { isStuck, asked: node.asked }
}

const well = { anvil_getAutomine: true, txpool_status: { pending: '0x0' }, evm_mine: '0x0' }
const waiting = { ...well, txpool_status: { pending: '0x1' } }

describe('lookAfter', () => {
  test.each<[string, Says, boolean, number]>([
    ['one without transactions', well, false, 0],
    ['one that mines what waits, once asked', { ...waiting, mines: true }, false, 1],
    ['one that somebody mines by hand', { ...waiting, anvil_getAutomine: false }, false, 0],
    ['one that hangs as it mines', { anvil_getAutomine: true, txpool_status: { pending: '0x1' } }, true, 1],
    ['one that is silent', {}, true, 0],
  ])('behavior: %s', async (_, says, told, mined) => {
    const found = await isStuck(says, 10)
    expect(found.isStuck).toBe(told)
    expect(found.asked.filter((method) => method === 'evm_mine')).toHaveLength(mined)
  })

  test('behavior: a node that answers `evm_mine` but mines nothing is asked again, and is stuck', async () => {
    const { isStuck: told, asked } = await isStuck(waiting, 5_000)
    expect(told).toBe(true)
    expect(asked.filter((method) => method === 'evm_mine').length).toBeGreaterThan(1)
  })
})
