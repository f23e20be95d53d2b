import { type Address, type Hex, isHex, numberToHex, padHex } from 'viem'
import type { RpcRequest } from '../safe-state.ts'
import type { FactGrade } from '../simulation/fact-grade.ts'
import type { AccountAnswer } from '../simulation/state-reader.ts'
import type { ProvedReader } from './proved-reader.ts'

/** Tells the grade of each answer that was given. */
export type OnGrade = (grade: FactGrade) => void

/**
 * Answers `eth_getCode`, `eth_getBalance` and `eth_getStorageAt` of the newest block, or of the reader's, from a reader
 * that checks proofs. All that is asked in one go is read together, and nothing twice. What it cannot prove it passes on,
 * and says so: that is said by one node.
 *
 * @example
 * const request = createProvedRequest(reader, plain)((grade) => grades.push(grade))
 */
export function createProvedRequest(reader: ProvedReader, plain: RpcRequest): (onGrade: OnGrade) => RpcRequest {
  const read = createCollector(reader)
  const isHere = (tag: unknown) => tag === 'latest' || tag === numberToHex(reader.block.number)
  return (onGrade) =>
    async ({ method, params = [] }) => {
      const answer = async (question: Question, from: (answer: AccountAnswer) => unknown) => {
        const found = await read(question)
        onGrade(found.grade)
        return from(found)
      }
      const [address, second, third] = params
      if (isAddress(address)) {
        if (method === 'eth_getCode' && isHere(second))
          return answer({ address, slot: null }, ({ account }) => account?.code)
        if (method === 'eth_getBalance' && isHere(second))
          return answer({ address, slot: null }, ({ account }) => numberToHex(account?.balance ?? 0n))
        if (method === 'eth_getStorageAt' && isHere(third) && isHex(second) && second.length <= 66) {
          const slot = padHex(second, { size: 32 })
          return answer({ address, slot }, ({ slots }) => slots.get(slot))
        }
      }
      const said = await plain({ method, params })
      // The chain's id is not part of its state; who vouches for the hash is on it.
      if (method !== 'eth_chainId') onGrade('one-node')
      return said
    }
}

type Question = { address: Address; slot: Hex | null }
type Asked = { slots: Set<Hex>; withAccount: boolean }

/** Waits until everything is asked that is asked in one go. */
function createCollector(reader: ProvedReader): (question: Question) => Promise<AccountAnswer> {
  const known = new Map<string, Promise<AccountAnswer>>()
  let asked = new Map<Address, Asked>()
  let turn: Promise<ReadonlyMap<Address, AccountAnswer>> | null = null

  const flush = async (): Promise<ReadonlyMap<Address, AccountAnswer>> => {
    await Promise.resolve()
    const accounts = Array.from(asked, ([address, { slots, withAccount }]) => ({
      address,
      withAccount,
      slots: [...slots],
    }))
    asked = new Map()
    turn = null
    const answers = await reader.read({ accounts, blockNumbers: [] })
    return new Map(answers.accounts.map((one) => [one.address, one]))
  }
  const add = async (address: Address, slot: Hex | null): Promise<AccountAnswer> => {
    const one = asked.get(address) ?? { slots: new Set<Hex>(), withAccount: false }
    asked.set(address, one)
    if (slot === null) one.withAccount = true
    else one.slots.add(slot)
    turn ??= flush()
    const answer = (await turn).get(address)
    if (answer === undefined) throw new Error(`${address} was not answered`)
    return answer
  }
  return ({ address, slot }) => {
    const lower = address.toLowerCase() as Address
    const key = `${lower} ${slot}`
    const before = known.get(key)
    if (before) return before
    const answer = add(lower, slot)
    known.set(key, answer)
    // One that failed is asked again.
    answer.catch(() => known.delete(key))
    return answer
  }
}

function isAddress(value: unknown): value is Address {
  return isHex(value) && value.length === 42
}
