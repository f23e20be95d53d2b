import { type Address, concatHex, encodeAbiParameters, type Hex, isHex, numberToHex, size, slice } from 'viem'
import { CountersignError } from '../error.ts'
import type { RpcRequest } from '../safe/safe-state.ts'
import { boundedReadsCode } from './bounded-reads.data.ts'

/** A call to a contract, the gas it may use, and the number of bytes taken of its answer. */
export type Question = { target: Address; data: Hex; gasLimit: number; maxBytes: number }

/** `unread`: the node did not say, which tells nothing about the contract. An answer may be longer than was taken. */
export type Answer = { kind: 'answer'; data: Hex } | { kind: 'no-contract' | 'failed' | 'unread' }

/** Below what a transaction may cost (EIP-7825), and below what nodes allow a call. */
const GAS_ALTOGETHER = 16_500_000
const GAS_OF_QUESTIONS = 10_000_000
/** The answer of a constructor counts as code, which must not be longer than 24,576 bytes. */
const BYTES_OF_ANSWERS = 16_000
/** A call of its own pays for a transaction too. */
const GAS_OF_CALL = 60_000
const QUESTIONS_PER_CALL = 100

const parameters = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'gasLimit', type: 'uint256' },
      { name: 'maxBytes', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const

/**
 * Asks contracts that nobody vouches for, many in one `eth_call`: a contract that burns gas or answers megabytes neither
 * spoils what others say nor floods this page. It needs no contract on the chain. A node that does not run it is asked
 * one by one, in a batch.
 *
 * @param block the state that is asked: a number, or `latest`. A node that has it no more leaves all unread
 * @throws what `request` throws when nobody was reached
 * @example
 * const [answer] = await readBounded(request, [question])
 */
export async function readBounded(
  request: RpcRequest,
  questions: readonly Question[],
  block: Hex | 'latest' = 'latest',
): Promise<Answer[]> {
  return (await Promise.all(inParts(questions).map((part) => readInOneCall(request, part, block)))).flat()
}

function inParts(questions: readonly Question[]): Question[][] {
  const parts: Question[][] = []
  let gas = 0
  let bytes = 0
  for (const question of questions) {
    gas += question.gasLimit
    bytes += question.maxBytes
    const part = parts.at(-1)
    if (part && part.length < QUESTIONS_PER_CALL && gas <= GAS_OF_QUESTIONS && bytes <= BYTES_OF_ANSWERS)
      part.push(question)
    else {
      parts.push([question])
      gas = question.gasLimit
      bytes = question.maxBytes
    }
  }
  return parts
}

async function readInOneCall(
  request: RpcRequest,
  questions: readonly Question[],
  block: Hex | 'latest',
): Promise<Answer[]> {
  const asked = questions.map(({ target, data, gasLimit, maxBytes }) => ({
    // Encoding refuses a checksum that is wrong, and one address must not stop the others.
    target: `0x${target.slice(2).toLowerCase()}` as const,
    data,
    gasLimit: BigInt(gasLimit),
    maxBytes: BigInt(maxBytes),
  }))
  const data = concatHex([boundedReadsCode, encodeAbiParameters(parameters, [asked])])
  try {
    const answer = await request({
      method: 'eth_call',
      params: [{ data, gas: numberToHex(GAS_ALTOGETHER) }, block],
    })
    const answers = isHex(answer) ? decodeAnswers(answer, questions) : null
    if (answers) return answers
  } catch (error) {
    if (!isOfNode(error)) throw error
  }
  return readOneByOne(request, questions, block)
}

/** Null when it is not what the contract answers with. */
function decodeAnswers(answer: Hex, questions: readonly Question[]): Answer[] | null {
  if (size(answer) < 1 || slice(answer, 0, 1) !== '0x01') return null
  const answers: Answer[] = []
  let at = 1
  for (const { maxBytes } of questions) {
    if (size(answer) < at + 3) return null
    const how = Number(slice(answer, at, at + 1))
    const length = Number(slice(answer, at + 1, at + 3))
    at += 3
    if (length > maxBytes || size(answer) < at + length) return null
    if (how === 1) answers.push({ kind: 'answer', data: length === 0 ? '0x' : slice(answer, at, at + length) })
    else answers.push({ kind: how === 2 ? 'no-contract' : 'failed' })
    at += length
  }
  return at === size(answer) ? answers : null
}

function readOneByOne(request: RpcRequest, questions: readonly Question[], block: Hex | 'latest'): Promise<Answer[]> {
  return Promise.all(
    questions.map(async ({ target, data, gasLimit, maxBytes }): Promise<Answer> => {
      try {
        const gas = numberToHex(gasLimit + GAS_OF_CALL)
        const answer = await request({ method: 'eth_call', params: [{ to: target, data, gas }, block] })
        if (typeof answer !== 'string') return { kind: 'unread' }
        const taken = answer.slice(0, 2 + 2 * maxBytes)
        return isHex(taken) ? { kind: 'answer', data: taken } : { kind: 'unread' }
      } catch (error) {
        if (!isOfNode(error)) throw error
        return { kind: isFailure(error) ? 'failed' : 'unread' }
      }
    }),
  )
}

/** An answer of the node, be it an error: not that nobody was reached. */
export function isOfNode(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return error instanceof CountersignError
    ? error.code === 'RPC_ERROR'
    : 'code' in error && typeof error.code === 'number'
}

/** Tells a failure of the contract from one of the node. */
function isFailure({ message }: Error): boolean {
  return /revert|out ?of ?gas|oog|invalid ?(fe)?opcode|stack/i.test(message)
}
