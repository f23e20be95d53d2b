import { describe, expect, test } from 'vitest'
import { createChains } from '../../rpc/clients.ts'
import { type Answer, type Script, startScriptedNode } from '../../test/scripted-node.ts'
import { devnetChain } from '../../test/test-server.ts'
import { watchWork } from './watch-work.ts'

type Says = Record<string, unknown>

const well: Says = {
  eth_chainId: '0x7a69',
  eth_call: '0x',
  eth_blockNumber: '0x5',
  txpool_status: { pending: '0x0' },
  anvil_getAutomine: true,
}
const failing = { error: { code: -32000, message: 'missing trie node' } }
const waiting = { txpool_status: { pending: '0x1' } }

/** Answers by method. `failing` is returned as an error, and a missing method breaks the connection. */
function saying(says: Says): Script {
  return async (asked) =>
    asked.map(({ id, method }): Answer => {
      const said = says[method]
      if (said === undefined) throw new Error('nothing')
      return said === failing ? { jsonrpc: '2.0', id, ...failing } : { jsonrpc: '2.0', id, result: said }
    })
}

/** Checks a node that gives these answers in turn. @returns the result of each check */
async function looks(isDevnet: boolean, ...says: Says[]): Promise<boolean[]> {
  const node = await startScriptedNode('http://127.0.0.1:1')
  try {
    const chains = createChains([{ ...devnetChain(node.url), isDevnet }])
    const watch = watchWork(chains)
    const told: boolean[] = []
    for (const some of says) {
      node.play(saying({ ...well, ...some }))
      for (const chain of chains.values()) chain.status = 'ok'
      await watch.look()
      told.push(watch.stuck().has(31337))
    }
    return told
  } finally {
    await node.close()
  }
}

describe('watchWork', () => {
  test.each<[string, boolean, Says[], boolean[]]>([
    ['one that does its work', false, [{}, {}, {}], [false, false, false]],
    [
      'one that tells its chain id and runs no call',
      false,
      [{ eth_call: failing }, { eth_call: failing }],
      [false, true],
    ],
    ['one that runs calls again', false, [{ eth_call: failing }, { eth_call: failing }, {}], [false, true, false]],
    ['one that ran none once', false, [{ eth_call: failing }, {}, { eth_call: failing }], [false, false, false]],
    ['one of another chain where transactions wait', false, [waiting, waiting, waiting], [false, false, false]],
    ['a development node that mines nothing', true, [waiting, waiting, waiting], [false, false, true]],
    [
      'one that mines, and has others waiting',
      true,
      [waiting, { ...waiting, eth_blockNumber: '0x6' }, { ...waiting, eth_blockNumber: '0x7' }],
      [false, false, false],
    ],
    [
      'one that somebody mines by hand',
      true,
      [waiting, waiting, waiting].map((one) => ({ ...one, anvil_getAutomine: false })),
      [false, false, false],
    ],
    ['another program as development node', true, [{ txpool_status: failing, anvil_getAutomine: failing }], [false]],
    ['one that mines again', true, [waiting, waiting, waiting, {}], [false, false, true, false]],
  ])('behavior: %s', async (_, isDevnet, says, told) => {
    expect(await looks(isDevnet, ...says)).toEqual(told)
  })
})
