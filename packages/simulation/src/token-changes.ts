import type { ApprovalChange, BalanceChange, SimulatedCall } from '@countersign/review'
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem'
import { type Machine, machineAddress } from './machine.ts'
import { approvalHints, balanceHints } from './token-hints.ts'
import { approvalQuestion, balanceQuestion, type TokenQuestion } from './token-questions.ts'

/** Some tokens compute a balance at length. */
const QUESTION_GAS = 500_000n
/** Questions of one kind. More are left out, and the result says so. */
const MAX_QUESTIONS = 2_000

/** The contract refuses to say whose an item is. */
const REFUSED = -1n

/** Token balances that differ after the run. */
export async function balanceChanges(machine: Machine, root: SimulatedCall, safe: Address | null) {
  const hints = balanceHints(root, safe)
  const changes = await changesOf(machine, root, hints.slice(0, MAX_QUESTIONS), balanceQuestion)
  return {
    isCut: hints.length > MAX_QUESTIONS,
    changes: changes.flatMap(({ hint: { isLogged, ...hint }, before, after }): BalanceChange[] =>
      before === null && after === null && !isLogged ? [] : [{ ...hint, before, after }],
    ),
  }
}

/** Approvals that differ after the run. */
export async function approvalChanges(machine: Machine, root: SimulatedCall) {
  const hints = approvalHints(root)
  const changes = await changesOf(machine, root, hints.slice(0, MAX_QUESTIONS), approvalQuestion)
  return {
    isCut: hints.length > MAX_QUESTIONS,
    changes: changes.flatMap(({ hint, before, after }): ApprovalChange[] =>
      before === null && after === null ? [] : [{ ...hint, before, after }],
    ),
  }
}

/** Asks everything after the run and before it. */
async function changesOf<Hint>(
  machine: Machine,
  root: SimulatedCall,
  hints: readonly Hint[],
  questionOf: (hint: Hint) => TokenQuestion,
): Promise<{ hint: Hint; before: bigint | null; after: bigint | null }[]> {
  if (hints.length === 0) return []
  const questions = hints.map(questionOf)
  const afterwards = await askAll(machine, root.from, questions)
  const before = await machine.state.before(() => askAll(machine, root.from, questions))
  return hints.flatMap((hint, index) => {
    const change = { hint, ...settled(before[index] ?? null, afterwards[index] ?? null) }
    return change.before !== null && change.before === change.after ? [] : [change]
  })
}

/** An item that the contract tells of on one side is nobody's on the other, where it refuses: it comes into being, or ends. */
function settled(before: bigint | null, after: bigint | null): { before: bigint | null; after: bigint | null } {
  const isTold = (answer: bigint | null) => answer !== null && answer !== REFUSED
  const read = (answer: bigint | null, other: bigint | null) =>
    answer !== REFUSED ? answer : isTold(other) ? 0n : null
  return { before: read(before, after), after: read(after, before) }
}

async function askAll(
  machine: Machine,
  from: Address,
  questions: readonly TokenQuestion[],
): Promise<(bigint | null)[]> {
  const answers: (bigint | null)[] = []
  for (const question of questions) answers.push(await ask(machine, from, question))
  return answers
}

/** @returns null when the contract does not answer as a token does */
async function ask(
  machine: Machine,
  from: Address,
  { to, data, read, isOfOwner }: TokenQuestion,
): Promise<bigint | null> {
  // Coin may be sent anywhere; what is there need not be a token.
  if (machine.isForeign(to.toLowerCase() as Hex)) return null
  machine.noteCalls(null)
  const { execResult } = await machine.runCall({
    block: machine.block,
    caller: machineAddress(from),
    to: machineAddress(to),
    data: hexToBytes(data),
    gasLimit: QUESTION_GAS,
    isStatic: true,
    skipNonceIncrement: true,
  })
  const { exceptionError, returnValue } = execResult
  if (isOfOwner && exceptionError?.error === 'revert') return REFUSED
  return exceptionError || returnValue.length < 32 ? null : read(bytesToHex(returnValue.subarray(0, 32)))
}
