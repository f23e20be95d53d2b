import type { CallAnswer, CallRun, SimulationLimits, StateReader, UnfinishedReason } from '@countersign/review'
import { mostGas } from '@countersign/safe/calls'
import { bytesToHex, hexToBytes } from 'viem'
import { otherMachineOf, rulesAt } from './hardfork.ts'
import { KnownState } from './known-state.ts'
import { Machine, machineAddress } from './machine.ts'
import { ordinaryLimits, type SimulationOptions } from './simulate.ts'
import { EnoughMissing, Unfinished } from './unfinished.ts'
import { reasonOf } from './unfinished-reason.ts'

/** A call that reads takes a few milliseconds. One that takes longer leaves the others their time. */
const MILLISECONDS_OF_CALL = 1_500

/**
 * Answers calls as `eth_call` does, each on the state of the reader's block as it is. What they need is read for all of
 * them together. It never rejects: a call that cannot be finished says why.
 *
 * A call that the machine stops (out of gas, an opcode that there is not) is unfinished, too: nodes give calls other limits
 * than transactions, and some chains have code of their own at places that look empty.
 *
 * @example
 * const [answer] = await simulateCalls(reader, [{ kind: 'call', from: zeroAddress, to: token, data: balanceOf(safe) }])
 */
export async function simulateCalls(
  reader: StateReader,
  calls: readonly CallRun[],
  options: Pick<SimulationOptions, 'limits' | 'rules'> = {},
): Promise<CallAnswer[]> {
  const limits: SimulationLimits = { ...ordinaryLimits, ...options.limits }
  const known = new KnownState(reader, limits.reads)
  const deadline = performance.now() + limits.milliseconds
  const { chainId, header } = reader
  const { hardfork } = options.rules ?? rulesAt(chainId, header)
  const setting = { chainId, header, hardfork, limits, deadline }
  const asked = calls.map((run): Asked => ({ run, spentMs: 0, answer: null }))
  try {
    const other = otherMachineOf(chainId, header)
    if (other !== null) throw new Unfinished({ kind: 'engine', message: `The chain runs on another EVM: ${other}.` })
    const machine = new Machine(known, setting)
    known.expect(calls.map(({ to, from }) => ({ address: to ?? from, slots: [] })))
    while (asked.some(({ answer }) => answer === null)) {
      await known.readMissing()
      if (known.rounds > limits.rounds) throw new Unfinished({ kind: 'limit', limit: 'rounds' })
      for (const one of asked) if (one.answer === null) await runOne(machine, known, one)
      if (known.missingCount === 0) break
    }
  } catch (error) {
    const reason = reasonOf(error)
    for (const one of asked) one.answer ??= { kind: 'unfinished', reason }
  }
  return asked.map(({ answer }) => answer ?? { kind: 'unfinished', reason: notRun })
}

const notRun: UnfinishedReason = { kind: 'engine', message: 'The call was not run.' }

type Asked = { run: CallRun; spentMs: number; answer: CallAnswer | null }

/** Runs a call once more. It has its answer when it missed nothing. */
async function runOne(machine: Machine, known: KnownState, asked: Asked): Promise<void> {
  const started = performance.now()
  const before = known.misses
  machine.start()
  machine.endBy(started + MILLISECONDS_OF_CALL - asked.spentMs)
  try {
    const answer = await runCall(machine, known, asked.run)
    if (known.misses === before) asked.answer = answer
  } catch (error) {
    if (!(error instanceof EnoughMissing)) asked.answer = { kind: 'unfinished', reason: reasonOf(error) }
  }
  asked.spentMs += performance.now() - started
}

async function runCall(machine: Machine, known: KnownState, run: CallRun): Promise<CallAnswer> {
  const { execResult } = await machine.runCall({
    block: machine.block,
    caller: machineAddress(run.from),
    ...(run.to === null ? {} : { to: machineAddress(run.to) }),
    data: hexToBytes(run.data),
    value: run.value ?? 0n,
    gasLimit: run.gas ?? mostGas(machine.block.header),
    skipNonceIncrement: run.to !== null,
  })
  const { exceptionError, returnValue } = execResult
  const data = bytesToHex(returnValue)
  // A caller may go on without it: a factory says then that nothing can be created, and a node with more gas that it can.
  if (machine.ranOutOfGas) return { kind: 'unfinished', reason: { kind: 'engine', message: 'out of gas' } }
  if (exceptionError === undefined) return { kind: 'returned', data, grade: known.grade }
  if (exceptionError.error === 'revert') return { kind: 'reverted', data, grade: known.grade }
  return { kind: 'unfinished', reason: { kind: 'engine', message: exceptionError.error } }
}
