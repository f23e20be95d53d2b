import { encodeApprovedHash, encodeContractSignature, MAX_CONFIRMATIONS } from '@countersign/safe'
import { type Address, type Hex, keccak256, slice } from 'viem'
import { expect, test } from 'vitest'
import { runOf } from '../findings/simulation/runs.ts'
import { reviewSubject } from '../review.ts'
import { account, inputOf, otherOwner, outsider, state } from '../scene.ts'
import { signedConfirmations } from '../simulation/signed-confirmations.ts'
import { neededFacts, readFact } from './collect.ts'
import type { SimulationNeed } from './simulate.ts'

const need = (...args: Parameters<typeof inputOf>) =>
  neededFacts(inputOf(...args)).find(({ id }) => id === 'simulation')
const at = { blockNumber: 7n }

test('default: the whole transaction, by whoever is here, on one block', async () => {
  const needed = need({ value: 1n }, at)
  expect(needed?.need).toMatchObject({
    chainId: 1,
    blockNumber: 7n,
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

test('behavior: keys of owners signed as they did, whatever else is claimed is assumed', async () => {
  const given = inputOf({ value: 1n }, at)
  const { hash } = await reviewSubject(given)
  const [signature, forged] = await Promise.all([account.sign({ hash }), outsider.sign({ hash })])
  const confirmations = [
    { owner: outsider.address, signature: forged },
    { owner: otherOwner, signature: forged },
    { owner: otherOwner, signature: encodeApprovedHash(otherOwner) },
    { owner: account.address, signature: await account.sign({ hash: keccak256(hash) }) },
    { owner: account.address, signature },
  ]
  const runs: SimulationNeed[] = []
  const simulate = async (asked: SimulationNeed) => {
    runs.push(asked)
    return { result: runOf(), crossCheck: { status: 'unasked', reason: 'test' }, standIn: null } as const
  }
  const needed = neededFacts({ ...given, confirmations }).find(({ id }) => id === 'simulation')
  if (needed) await readFact(() => () => Promise.reject(new Error('nobody')), needed, simulate)
  expect(runs.map(({ run }) => run.confirmations)).toEqual([[{ owner: account.address, signature }]])
})

test('behavior: the signature of a contract is put to the Safe where it can be read, an approved hash is not', async () => {
  const needed = need({ value: 1n }, at)?.need as SimulationNeed
  const ofContract = encodeContractSignature(otherOwner, '0x1234')
  const found = (owner: Address, signature: Hex) =>
    signedConfirmations({ ...needed.run, confirmations: [{ owner, signature }] }, 1)
  expect(await found(otherOwner, ofContract)).toEqual([{ owner: otherOwner, signature: ofContract }])
  expect(await found(account.address, ofContract)).toEqual([])
  expect(await found(otherOwner, slice(ofContract, 0, 97))).toEqual([])
  expect(await found(otherOwner, encodeApprovedHash(otherOwner))).toEqual([])
})

test('behavior: of thousands of signatures the first are looked at, as in the review', async () => {
  const { hash } = await reviewSubject(inputOf({ value: 1n }, at))
  const signature = await account.sign({ hash })
  const needed = need({ value: 1n }, at)?.need as SimulationNeed
  const given = (count: number) => [
    ...Array.from({ length: count }, () => ({ owner: otherOwner, signature: '0x' as const })),
    { owner: account.address, signature },
  ]
  const found = (count: number) => signedConfirmations({ ...needed.run, confirmations: given(count) }, 1)
  expect(await found(MAX_CONFIRMATIONS - 1)).toEqual([{ owner: account.address, signature }])
  expect(await found(MAX_CONFIRMATIONS)).toEqual([])
})
