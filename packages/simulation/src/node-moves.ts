import type { FinishedSimulation, MovedOtherwise } from '@countersign/review'
import { type Address, concatHex, type Hex, hexToBigInt, numberToHex, size, slice, zeroAddress } from 'viem'
import { flattenTree } from './call-tree.ts'
import { approvalQuestion, balanceQuestion, type TokenQuestion } from './token-questions.ts'

/** Questions about what moves, after one execution by the node: the others are asked after another. */
const MAX_QUESTIONS = 64
/** Fewer after each execution would be many executions for little. */
const FEWEST_QUESTIONS = 16
/** Executions that a node is asked for. Nothing that fits into one transaction moves more, but code made to. */
const MAX_EXECUTIONS = 16
/** Gas that is kept back for each: what is asked was touched by the run before, and costs little again. */
const GAS_OF_QUESTION = 60_000n
/** Words of the answer to each question, and of the execution before them: whether it answered, and the first word. */
const WORDS = 2

/** A value that moved by the run, and how to ask a node for the same. `data` is null for the chain's own coin. */
type Moved = {
  account: Address
  token: Address
  after: bigint
  question: Pick<TokenQuestion, 'to' | 'read'> & { data: Hex | null; isOfOwner?: true }
}

/**
 * Code that stands at the executor's address in a call to a node, and what it is called with: it executes, as the
 * executor, asks what everybody holds then, and returns the answers. The block, the sender and the price are those of the
 * run, so that a token whose balances grow with time answers the same.
 */
export type AskingCode = { code: Hex; input: Hex; moved: readonly Moved[] }

/**
 * Builds the code that asks a node what moves: for as many executions as it takes to ask for everything.
 *
 * @param execution the call of `execTransaction`
 * @param gas limit of each call
 * @returns none where nothing can be asked: nothing moves, or the gas left for the questions is not enough
 */
export function askingCodes(
  run: FinishedSimulation,
  execution: { to: Address; data: Hex; executor: Address; gas: bigint },
): AskingCode[] {
  const all = movedBy(run, execution.to, execution.executor)
  // A call hands on 63 parts of 64, and the Safe's own code, its library and what that calls stand one inside the other.
  const left = (execution.gas - (run.gasPeak * 16n) / 15n) / GAS_OF_QUESTION - 1n
  const each = left < BigInt(MAX_QUESTIONS) ? Number(left) : MAX_QUESTIONS
  if (each < Math.min(all.length, FEWEST_QUESTIONS)) return []
  const reserve = GAS_OF_QUESTION * BigInt(each + 1)
  return Array.from({ length: Math.min(Math.ceil(all.length / each), MAX_EXECUTIONS) }, (_, at) => {
    const moved = all.slice(at * each, (at + 1) * each)
    const inputs = [execution.data, ...moved.flatMap(({ question }) => question.data ?? [])]
    return { code: writeCode(execution, moved, reserve), input: concatHex(inputs), moved }
  })
}

/**
 * Compares what a node answered with what moved by the run.
 *
 * @returns how many values it said, and the first that is another; null where the code did not execute as the run did
 */
export function compareMoves(
  { moved }: AskingCode,
  answer: Hex,
  output: Hex,
): { compared: number; other: MovedOtherwise | null } | null {
  if (size(answer) !== 32 * WORDS * (moved.length + 1)) return null
  const wordAt = (index: number) => slice(answer, index * 32, index * 32 + 32)
  if (hexToBigInt(wordAt(0)) !== 1n || wordAt(1) !== output) return null
  let compared = 0
  let other: MovedOtherwise | null = null
  for (const [index, { account, token, after, question }] of moved.entries()) {
    const isAnswered = hexToBigInt(wordAt((index + 1) * WORDS)) === 1n
    const word = wordAt((index + 1) * WORDS + 1)
    // Whose an item is that is nobody's, a contract refuses to say.
    if (!isAnswered && !(question.isOfOwner && after === 0n)) continue
    const node = isAnswered ? question.read(word) : 0n
    compared += 1
    if (node !== after) other ??= { account, token, here: after, node }
  }
  return { compared, other }
}

/** Balances and approvals after the run; those of the Safe first. The executor's coin pays for gas, which no call does. */
function movedBy(run: FinishedSimulation, safe: Address, executor: Address): Moved[] {
  const isSafe = (account: Address) => Number(account.toLowerCase() === safe.toLowerCase())
  const paid = new Set(flattenTree(run.call).flatMap(({ to, value }) => (value > 0n ? [to.toLowerCase()] : [])))
  paid.add(safe.toLowerCase())
  paid.delete(executor.toLowerCase())
  const balances = run.balances.flatMap(({ account, token, standard, tokenId, after }): Moved[] => {
    if (after === null) return []
    if (standard === 'native') {
      // The producer of the block, whom a tip may reach, is no part of what moves.
      if (!paid.has(account.toLowerCase())) return []
      return [{ account, token: zeroAddress, after, question: { to: account, data: null, read: hexToBigInt } }]
    }
    return [{ account, token, after, question: balanceQuestion({ account, token, standard, tokenId }) }]
  })
  const approvals = run.approvals.flatMap(({ after, ...approval }): Moved[] =>
    after === null
      ? []
      : [{ account: approval.owner, token: approval.token, after, question: approvalQuestion(approval) }],
  )
  return [...balances, ...approvals].toSorted((one, other) => isSafe(other.account) - isSafe(one.account))
}

/** Instructions of the EVM that the code uses. */
const op = {
  sub: '03',
  lt: '10',
  eq: '14',
  and: '16',
  shl: '1b',
  shr: '1c',
  address: '30',
  balance: '31',
  caller: '33',
  callDataLoad: '35',
  callDataCopy: '37',
  returnDataSize: '3d',
  mstore: '52',
  jumpIf: '57',
  gas: '5a',
  jumpDest: '5b',
  call: 'f1',
  return: 'f3',
  staticCall: 'fa',
} as const

const push = (value: number | bigint | Address): string => {
  const hex = typeof value === 'string' ? value.slice(2) : numberToHex(value).slice(2)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return `${(0x5f + even.length / 2).toString(16)}${even}`
}

/** Answers a call by anybody else with the called selector, as a receiver of items has to (ERC-721, ERC-1155). */
function answerOthers(): string {
  const selector = `${push(0)}${op.callDataLoad}${push(0xe0)}${op.shr}${push(0xe0)}${op.shl}${push(0)}${op.mstore}`
  const rest = `${selector}${push(32)}${push(0)}${op.return}`
  const start = `${op.caller}${op.address}${op.eq}`
  const jump = (to: number) => `${push(to)}${op.jumpIf}`
  const target = (start.length + jump(0).length + rest.length) / 2
  return `${start}${jump(target)}${rest}${op.jumpDest}`
}

function writeCode({ to, data }: { to: Address; data: Hex }, moved: readonly Moved[], reserve: bigint): Hex {
  const length = size(data)
  // Behind everything that is copied into memory.
  const results = Math.ceil(length / 32) * 32 + 512
  const wordAt = (index: number) => push(results + index * 32)
  const gasLeft = `${push(reserve)}${op.gas}${op.sub}`
  const parts = [
    answerOthers(),
    `${push(length)}${push(0)}${push(0)}${op.callDataCopy}`,
    `${push(32)}${wordAt(1)}${push(length)}${push(0)}${push(0)}${push(to)}${gasLeft}${op.call}`,
    `${wordAt(0)}${op.mstore}`,
  ]
  let offset = length
  for (const [index, { question }] of moved.entries()) {
    const at = (index + 1) * WORDS
    if (question.data === null) {
      parts.push(`${push(question.to)}${op.balance}${wordAt(at + 1)}${op.mstore}${push(1)}${wordAt(at)}${op.mstore}`)
      continue
    }
    const asked = size(question.data)
    parts.push(
      `${push(asked)}${push(offset)}${push(0)}${op.callDataCopy}`,
      `${push(32)}${wordAt(at + 1)}${push(asked)}${push(0)}${push(question.to)}${op.gas}${op.staticCall}`,
      // It is an answer when a word came.
      `${op.returnDataSize}${push(31)}${op.lt}${op.and}${wordAt(at)}${op.mstore}`,
    )
    offset += asked
  }
  const all = 32 * WORDS * (moved.length + 1)
  return `0x${parts.join('')}${push(all)}${push(results)}${op.return}`
}
