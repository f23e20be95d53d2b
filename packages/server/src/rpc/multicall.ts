import type { RpcRequest } from '@countersign/safe'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddress,
  isHex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { z } from 'zod'

const MAX_CALLS = 50
/** Nodes run a question for free only so far; one contract that uses all of it up leaves the others to be asked alone. */
const GAS = numberToHex(20_000_000)
/** Until a contract is tried again that is not there, or whose answers the node did not give. */
const REST_MS = 600_000

const hex = z.custom<Hex>(isHex)
const contractAddress = z.custom<Address>((value) => typeof value === 'string' && isAddress(value))
const plainCall = z.object({
  method: z.literal('eth_call'),
  params: z.tuple([z.strictObject({ to: contractAddress, data: hex, gas: hex.optional() }), z.string()]),
})

type Waiting = {
  asked: Parameters<RpcRequest>[0]
  call: { to: Address; data: Hex }
  resolve: (answer: unknown) => void
}

/**
 * Gathers calls of contracts that are made in one turn at one block, and sends them as one through the contract of the chain
 * that makes several in one. What does not answer there, or all where that contract is not, is asked alone: the answers are the
 * same. For contracts that the operator names: one that is hostile could keep the others from being answered the short way.
 *
 * @param contract address of Multicall3, as the operator or the list of chains names it; else every call goes alone
 * @param now milliseconds
 */
export function gatherCalls(
  request: RpcRequest,
  contract: Address | null | undefined,
  now: () => number = Date.now,
): RpcRequest {
  if (!contract) return request
  const waiting = new Map<string, Waiting[]>()
  let code: Promise<boolean> | null = null
  let restsUntil = Number.NEGATIVE_INFINITY

  const rest = () => {
    code = null
    restsUntil = now() + REST_MS
  }
  const askAlone = (calls: readonly Waiting[]) => {
    for (const { asked, resolve } of calls) resolve(request(asked))
  }

  function isThere(): Promise<boolean> {
    code ??= request({ method: 'eth_getCode', params: [contract, 'latest'] }).then(
      (found) => isHex(found) && found !== '0x',
      () => false,
    )
    return code
  }

  async function send(block: string, calls: readonly Waiting[]): Promise<void> {
    if (calls.length === 1 || !(await isThere())) {
      if (calls.length > 1) rest()
      return askAlone(calls)
    }
    const args = [calls.map(({ call: { to, data } }) => ({ target: to, callData: data, allowFailure: true }))] as const
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args })
    const answers = await request({ method: 'eth_call', params: [{ to: contract, data, gas: GAS }, block] }).then(
      (answer) => decodeAnswers(answer, calls.length),
      () => {
        rest()
        return null
      },
    )
    // At a block before its creation it says nothing.
    if (answers === null) return askAlone(calls)
    askAlone(calls.filter((_, at) => !answers[at]?.success))
    for (const [at, { resolve }] of calls.entries()) if (answers[at]?.success) resolve(answers[at].returnData)
  }

  return (asked) => {
    const call = plainCall.safeParse(asked).data
    if (!call || now() < restsUntil) return request(asked)
    const [{ to, data }, block] = call.params
    return new Promise((resolve) => {
      const one = { asked, call: { to, data }, resolve }
      const open = waiting.get(block)
      if (open && open.length < MAX_CALLS) {
        open.push(one)
        return
      }
      const calls = [one]
      waiting.set(block, calls)
      setImmediate(() => {
        if (waiting.get(block) === calls) waiting.delete(block)
        void send(block, calls)
      })
    })
  }
}

function decodeAnswers(answer: unknown, count: number): readonly { success: boolean; returnData: Hex }[] | null {
  if (!isHex(answer)) return null
  try {
    const answers = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
    return answers.length === count ? answers : null
  } catch {
    return null
  }
}
