import { fail, isRevert, type RpcRequest } from '@countersign/safe'
import { type Address, type Hex, isHex, numberToHex, padHex, zeroAddress } from 'viem'
import type { FactGrade } from '../simulation/fact-grade.ts'
import type { CallAnswer } from '../simulation/simulation-result.ts'
import type { CallRun, RunCall } from '../simulation/simulation-run.ts'
import type { AccountAnswer } from '../simulation/state-reader.ts'
import type { ProvedReader } from './proved-reader.ts'
import { gradeOf } from './vouched-block.ts'

/** Tells the grade of each answer that was given. */
export type OnGrade = (grade: FactGrade) => void

/**
 * Answers `eth_getCode`, `eth_getBalance`, `eth_getStorageAt` and `eth_call` of the newest block, or of the reader's, from a
 * reader that checks proofs. What it cannot prove it passes on, and says so: that is said by one node.
 *
 * A call is run over the proved state, and the node is asked for the same: where it answers otherwise, one of the two is
 * wrong, and nobody is believed.
 *
 * @param runCall runs a call; without it calls are said by one node
 * @throws CountersignError `PROOF_INVALID` of a request whose answer the node's own state disproves, or does not prove
 * @example
 * const request = createProvedRequest(reader, { plain, runCall })((grade) => grades.push(grade))
 */
export function createProvedRequest(
  reader: ProvedReader,
  { plain, runCall }: { plain: RpcRequest; runCall?: RunCall | undefined },
): (onGrade: OnGrade) => RpcRequest {
  const tag = numberToHex(reader.block.number)
  const isHere = (asked: unknown) => asked === 'latest' || asked === tag
  const { header } = reader.block
  const run =
    runCall !== undefined && header !== null && gradeOf(reader.block) === 'proved'
      ? (call: CallRun) => runCall({ ...reader, header }, call)
      : null
  return (onGrade) =>
    async ({ method, params = [] }) => {
      const answer = async ({ address, slot, from }: AccountQuestion) => {
        const question = { address, withAccount: slot === null, slots: slot === null ? [] : [slot] }
        const { accounts } = await reader.read({ accounts: [question], blockNumbers: [] })
        const [found] = accounts
        if (found === undefined) throw new Error(`${address} was not answered`)
        onGrade(found.grade)
        return from(found)
      }
      const asked = isHere(params[method === 'eth_getStorageAt' ? 2 : 1]) ? accountQuestion(method, params) : null
      if (asked !== null) return answer(asked)
      const [first, second] = params
      const call = method === 'eth_call' && params.length === 2 && isHere(second) ? readCall(first) : null
      if (run !== null && call !== null) {
        const said = askNode(plain, [first, tag])
        const ran = await run(call)
        if (ran.kind !== 'unfinished') return compared({ ran, said: await said, call, onGrade })
        if (ran.reason.kind === 'reader' && ran.reason.code === 'PROOF_INVALID')
          throw fail('PROOF_INVALID', { reason: 'run', address: call.to ?? zeroAddress })
      }
      const said = await plain({ method, params })
      // The chain's id is not part of its state; who vouches for the hash is on it.
      if (method !== 'eth_chainId') onGrade('one-node')
      return said
    }
}

type AccountQuestion = { address: Address; slot: Hex | null; from: (answer: AccountAnswer) => unknown }

/** Reads which question about an account a request asks; null where it asks for something else. */
function accountQuestion(method: string, [address, place]: readonly unknown[]): AccountQuestion | null {
  if (!isAddress(address)) return null
  switch (method) {
    case 'eth_getCode':
      return { address, slot: null, from: ({ account }) => account?.code }
    case 'eth_getBalance':
      return { address, slot: null, from: ({ account }) => numberToHex(account?.balance ?? 0n) }
    case 'eth_getStorageAt': {
      if (!isHex(place) || place.length > 66) return null
      const slot = padHex(place, { size: 32 })
      return { address, slot, from: ({ slots }) => slots.get(slot) }
    }
    default:
      return null
  }
}

type Said = { kind: 'returned'; data: unknown } | { kind: 'failed'; error: unknown }

/** The node's own word at the same block. */
async function askNode(plain: RpcRequest, params: unknown[]): Promise<Said> {
  try {
    return { kind: 'returned', data: await plain({ method: 'eth_call', params }) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** A node that did not say anything of the call contradicts nobody. */
function compared({
  ran,
  said,
  call,
  onGrade,
}: {
  ran: Exclude<CallAnswer, { kind: 'unfinished' }>
  said: Said
  call: CallRun
  onGrade: OnGrade
}): Hex {
  const isSame =
    said.kind === 'returned'
      ? ran.kind === 'returned' && isHex(said.data) && said.data.toLowerCase() === ran.data
      : ran.kind === 'reverted' || !isRevert(said.error)
  if (!isSame) throw fail('PROOF_INVALID', { reason: 'call', address: call.to ?? zeroAddress })
  onGrade(ran.grade)
  if (ran.kind === 'returned') return ran.data
  const address = call.to ?? zeroAddress
  throw fail('RPC_ERROR', { reason: 'reverted', address, rpcCode: 3, rpcData: ran.data })
}

/** Null for a call with anything that is not run here. */
function readCall(value: unknown): CallRun | null {
  if (typeof value !== 'object' || value === null) return null
  const { from = zeroAddress, to = null, data, gas, ...rest } = value as Record<string, unknown>
  const isPlain = Object.keys(rest).length === 0 && isHex(data) && data.length % 2 === 0 && isAddress(from)
  if (!isPlain || !(to === null || isAddress(to)) || !(gas === undefined || isHex(gas))) return null
  return { kind: 'call', from, to, data, ...(gas === undefined ? {} : { gas: BigInt(gas) }) }
}

function isAddress(value: unknown): value is Address {
  return isHex(value) && value.length === 42
}
