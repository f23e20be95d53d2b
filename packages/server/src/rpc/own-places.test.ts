import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Asked, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually } from '../test/test-server.ts'
import { askContract } from './ask-contract.ts'
import { type Chain, createChains } from './clients.ts'
import { chainsOfOneRequest } from './one-request.ts'
import { patient } from './patient.ts'

const to = '0x4444444444444444444444444444444444444444'
const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

let node: ScriptedNode
let chain: Chain
/** Open exchanges of the node, with the function that releases each. */
let held: { asked: readonly Asked[]; go: () => void }[]
let sent: Promise<unknown>[]
beforeEach(async () => {
  held = []
  sent = []
  node = await startScriptedNode('http://127.0.0.1:1', async (asked) => {
    await new Promise<void>((go) => held.push({ asked, go }))
    return asked.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0x01' }))
  })
  chain = chainAt(node.url)
})
afterEach(async () => {
  const timer = setInterval(() => {
    for (const { go } of held) go()
  }, 5)
  await Promise.allSettled(sent)
  clearInterval(timer)
  await node.close()
})

function chainAt(url: string, requestsPerSecond?: number): Chain {
  const found = createChains([{ ...devnetChain(url), ...(requestsPerSecond ? { requestsPerSecond } : {}) }]).get(31337)
  if (!found) throw new Error('unreachable')
  return found
}

function send(work: Promise<unknown>): void {
  sent.push(work.catch(() => null))
}

/** The chain in a request of an account, or of a network without a session. */
function chainOf(key: string): Chain {
  const found = chainsOfOneRequest(new Map([[31337, chain]]), { key }).get(31337)
  if (!found) throw new Error('unreachable')
  return found
}

/** Sends each request in a separate batch, because requests of one turn share a batch. */
async function sendEach(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    send(work())
    await settled()
  }
}

const isAsked = (method: string) => held.some(({ asked }) => asked.some((call) => call.method === method))
const ask = (of: Pick<Chain, 'request'>, method: string) => of.request({ method, params: [to] })
const question = { from: to, to, data: '0x', gas: '0x5208' } as const

describe('places at a node', () => {
  test.each<[string, number, () => Promise<void>]>([
    [
      'a follower with much to read',
      6,
      () =>
        sendEach(9, () =>
          ask(
            patient(chain, () => false),
            'eth_getCode',
          ),
        ),
    ],
    [
      'a follower that asks alone',
      6,
      () => sendEach(9, () => patient(chain, () => false).ask({ method: 'eth_getCode', params: [to] })),
    ],
    ['passed calls of an account', 2, () => sendEach(9, () => chainOf('mallory').forward(body()))],
    ['contracts that an account names', 2, () => sendEach(9, () => askContract(chainOf('mallory'), question, '0x1'))],
    ['contracts that a network names', 2, () => sendEach(9, () => askContract(chainOf('10.0.0.1'), question, '0x1'))],
    ['calls that estimate', 2, () => sendEach(9, () => chainOf('m').ask({ method: 'eth_call', params: [question] }))],
    [
      'passed calls of many',
      4,
      async () => {
        for (const key of ['a', 'b', 'c', 'd', 'e']) await sendEach(2, () => chainOf(key).forward(body()))
      },
    ],
    [
      'contracts that many name',
      4,
      async () => {
        for (const key of ['a', 'b', 'c', 'd', 'e']) await sendEach(2, () => askContract(chainOf(key), question, '0x1'))
      },
    ],
  ])('behavior: %s keep nobody from being asked for', async (_, most, attack) => {
    await attack()
    await eventually(async () => held.length >= most)
    expect(held).toHaveLength(most)
    send(ask(chain, 'eth_gasPrice'))
    await eventually(async () => isAsked('eth_gasPrice'))
    expect(held).toHaveLength(most + 1)
  })

  test('behavior: one kind of request does not block another', async () => {
    await sendEach(9, () => chainOf('mallory').forward(body()))
    send(askContract(chainOf('mallory'), question, '0x1'))
    send(
      ask(
        patient(chain, () => false),
        'eth_getCode',
      ),
    )
    await eventually(async () => held.length === 4)
  })

  test('behavior: requests that arrive while all places are taken go into one batch, whichever client asks', async () => {
    await sendEach(4, () => ask(chain, 'eth_getCode'))
    await eventually(async () => held.length === 4)
    await sendEach(20, () => ask(chain, 'eth_getBalance'))
    expect(held).toHaveLength(4)
    held[0]?.go()
    await eventually(async () => held.length === 5)
    expect(held[4]?.asked.filter(({ method }) => method === 'eth_getBalance')).toHaveLength(20)
  })

  test('behavior: at a limited pace, requests for clients come before the follower', async () => {
    chain = chainAt(node.url, 20)
    const follower = patient(chain, () => false)
    const timer = setInterval(() => {
      for (const { go } of held) go()
    }, 5)
    for (let at = 0; at < 60; at += 1) send(ask(follower, 'eth_getCode'))
    await eventually(async () => isAsked('eth_getCode'))
    send(ask(chain, 'eth_gasPrice'))
    await Promise.all(sent)
    clearInterval(timer)
    const order = held.map(({ asked }) => asked.some(({ method }) => method === 'eth_gasPrice'))
    expect(order.indexOf(true)).toBeLessThan(order.length - 1)
  })
})

function body() {
  return { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [to] }
}
