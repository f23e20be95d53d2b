import { type Devnet, startDevnet } from '@countersign/devnet'
import type { StateReader } from '@countersign/review'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { simulate } from './simulate.ts'
import { readerOfLatest, type TestNode, testNode } from './test/chain.ts'

// Programs of random steps, run in the page's machine and by a node: both end alike, with the same gas left, and on the same
// bytes of memory.

const chainId = 31337
const PROGRAMS = isSoak ? 5_000 : 400
/** Gas for code, beside what a transaction without data costs. */
const GAS = 100_000n
const caller: Address = `0x${'ca'.repeat(20)}`
const at: Address = `0x${'cb'.repeat(20)}`

let devnet: Devnet
let node: TestNode
let latest: StateReader
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = testNode(devnet.rpcUrl)
  latest = await readerOfLatest(node, chainId)
})
afterAll(() => devnet?.close())

/** Arithmetic, comparison, hashes, what surrounds the code, memory, jumps that lead nowhere, the stack; and one that is none. */
const steps = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '0a',
  '0b',
  '10',
  '11',
  '12',
  '13',
  '14',
  '15',
  '16',
  '17',
  '18',
  '19',
  '1a',
  '1b',
  '1c',
  '1d',
  '20',
  '20',
  '20',
  '20',
  '30',
  '33',
  '35',
  '36',
  '38',
  '3d',
  '50',
  '51',
  '51',
  '52',
  '52',
  '53',
  '58',
  '59',
  '5a',
  '5b',
  '5f',
  '80',
  '81',
  '82',
  '8f',
  '90',
  '91',
  '9f',
  '56',
  '57',
  '00',
  '0c',
]

type Pick = ReturnType<typeof createRandomInt>

function program(pick: Pick): Hex {
  // A few small numbers, so that not all programs end at once for want of some.
  let code = Array.from({ length: pick(20) }, () => `60${byte(pick(4) * 32)}`).join('')
  for (let count = 4 + pick(40); count > 0; count -= 1) {
    const kind = pick(10)
    if (kind < 5) code += `60${byte(pick(3) === 0 ? pick(256) : pick(4) * 32)}`
    else if (kind === 5 && pick(3) === 0) code += `7f${'ff'.repeat(pick(33)).padStart(64, '0')}`
    // A jump over a byte, to a place that is one: with a condition, or without.
    else if (kind === 6) code += jump(code.length / 2, pick)
    else code += steps[pick(steps.length)] ?? ''
  }
  // Ended by itself, by the end of the code, within what is pushed, or with the gas that is left and the memory so far.
  return `0x${code}${['00', '', '61ff', '5a5952595ff3', '5a5952595ff3', '5a5952595ff3'][pick(6)] ?? ''}`
}

const byte = (value: number) => value.toString(16).padStart(2, '0')

function jump(from: number, pick: Pick): string {
  const condition = pick(2) === 0 ? `60${byte(pick(2))}` : ''
  const target = from + condition.length / 2 + 5
  return `${condition}61${target.toString(16).padStart(4, '0')}${condition === '' ? '56' : '57'}fe5b`
}

type Ended = { output: Hex | null }

async function byNode(code: Hex): Promise<Ended> {
  const call = { from: caller, to: at, gas: numberToHex(GAS + 21_000n), data: '0x' }
  const params = [call, numberToHex(latest.header.number), { [at]: { code } }]
  const output = await node.request({ method: 'eth_call', params }).catch(() => null)
  return { output: output as Hex | null }
}

async function inPage(code: Hex): Promise<Ended> {
  const reader: StateReader = {
    ...latest,
    read: async ({ accounts }) => ({
      accounts: accounts.map(({ address, slots }) => ({
        address,
        slots: new Map(slots.map((slot) => [slot, numberToHex(0, { size: 32 })])),
        account: { nonce: 1n, balance: 0n, code: address === at ? code : '0x' },
        grade: 'proved' as const,
      })),
      blockHashes: [],
    }),
  }
  const result = await simulate(reader, { kind: 'call', from: caller, to: at, data: '0x', gas: GAS })
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  return { output: result.outcome.kind === 'success' ? result.outcome.output : null }
}

describe('steps that are taken one after the other', () => {
  test(`end as those of a node do: ${PROGRAMS} programs`, async () => {
    const pick = createRandomInt()
    const codes = Array.from({ length: PROGRAMS }, () => program(pick))
    const expected = await Promise.all(codes.map(byNode))
    for (const [index, code] of codes.entries())
      expect({ code, ...(await inPage(code)) }).toEqual({ code, ...expected[index] })
    // A sample in which nearly all fail would prove little.
    expect(expected.filter(({ output }) => output !== null && output !== '0x').length).toBeGreaterThan(PROGRAMS / 20)
    expect(expected.filter(({ output }) => output === null).length).toBeGreaterThan(PROGRAMS / 20)
  })
})
