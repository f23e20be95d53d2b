import { demoAccounts } from '@countersign/devnet'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { devnet, openChain } from '../test/scene.ts'
import { refusing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { codeOf, devnetChain } from '../test/test-server.ts'
import { createChains } from './clients.ts'
import { readBlock } from './logs.ts'
import { type AskAt, createAskAt } from './state-at.ts'

let node: ScriptedNode
let askAt: AskAt
let ask: (block: Hex | object) => Promise<unknown>
let blockHash: Hex

openChain()

beforeEach(async () => {
  node = await startScriptedNode(devnet.rpcUrl)
  const chain = createChains([devnetChain(node.url)]).get(31337)
  if (!chain) throw new Error('unreachable')
  askAt = createAskAt(chain.request)
  ask = (block) => chain.request({ method: 'eth_getBalance', params: [demoAccounts[0].address, block] })
  blockHash = (await readBlock(chain.request, 3))?.hash ?? '0x'
  node.exchanges.length = 0
})
afterEach(async () => node?.close())

const other: Hex = `0x${'ab'.repeat(32)}`
const byHash = () => node.exchanges.flat().filter(({ params }) => typeof params[1] === 'object').length
const knowsNoHashes = refusing(({ params }) => typeof params[1] === 'object', { code: -32602, message: 'no hex' })

describe('createAskAt', () => {
  test('default: by hash where one is followed, else by number', async () => {
    const known = await askAt({ blockNumber: 3, blockHash }, ask)
    expect(await askAt({ blockNumber: 3, blockHash: null }, ask)).toBe(known)
    expect(node.exchanges.flat().map(({ params }) => params[1])).toEqual([{ blockHash, requireCanonical: true }, '0x3'])
  })

  test('behavior: a node that takes no hashes is asked by number from then on', async () => {
    node.play(knowsNoHashes)
    const known = await askAt({ blockNumber: 3, blockHash }, ask)
    expect(known).toBe(await ask('0x3'))
    await askAt({ blockNumber: 3, blockHash }, ask)
    expect(byHash()).toBe(1)
  })

  test('error: RPC_ERROR when its block is another one', async () => {
    expect(await codeOf(askAt({ blockNumber: 3, blockHash: other }, ask))).toBe('RPC_ERROR')
    node.play(knowsNoHashes)
    expect(await codeOf(askAt({ blockNumber: 3, blockHash: other }, ask))).toBe('RPC_ERROR')
    // Which is no reason to think that it takes none.
    await askAt({ blockNumber: 3, blockHash }, ask)
    expect(byHash()).toBe(3)
  })
})
