import { expect, test } from 'vitest'
import { runOf } from '../findings/simulation/runs.ts'
import { account, inputOf, state } from '../scene.ts'
import { neededFacts, readFact } from './collect.ts'

const need = (...args: Parameters<typeof inputOf>) =>
  neededFacts(inputOf(...args)).find(({ id }) => id === 'simulation')
const at = { blockNumber: 7n }

test('default: the whole transaction, by whoever is here, on one block', async () => {
  const needed = need({ value: 1n }, at)
  expect(needed?.need).toMatchObject({
    ...{ chainId: 1, blockNumber: 7n },
    run: { kind: 'safe-transaction', executor: account.address, version: '1.4.1', threshold: 2, safeTx: { value: 1n } },
  })
  const answer = { result: runOf(), crossCheck: { status: 'unasked', reason: 'test' }, standIn: null } as const
  const asked: unknown[] = []
  const simulate = async (given: unknown) => {
    asked.push(given)
    return answer
  }
  const nobody = () => () => Promise.reject(new Error('nobody'))
  expect(needed && (await readFact(nobody, needed, simulate))).toBe(answer)
  expect(asked).toEqual([needed?.need])
  expect(needed && (await readFact(nobody, needed))).toBeNull()
})

test('behavior: without an account an owner sends it', () => {
  expect(need({}, { ...at, account: null })?.need).toMatchObject({ run: { executor: state.owners[0] } })
})

test('behavior: nothing is run without a block, without the Safe, and of a nonce that was used', () => {
  expect(need({})).toBeUndefined()
  expect(need({}, { ...at, state: null })).toBeUndefined()
  expect(need({ nonce: 4n }, at)).toBeUndefined()
  expect(need({ nonce: 9n }, at)).toBeDefined()
})
