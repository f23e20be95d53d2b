import type { EVM } from '@ethereumjs/evm'

/** The part of the library's interpreter that is changed here. It has no name of its own outside. */
type Interpreter = {
  _runState: State
  common: EVM['common']
  lookupOpInfo(opCode: number): Step
  runStep(known?: Step): Promise<void> | undefined
  useGas(amount: bigint, context: Step['opcodeInfo']): void
}
type State = {
  code: Uint8Array
  programCounter: number
  opCode: number
  memoryWordCount: bigint
  shouldDoJumpAnalysis: boolean
  stack: { peek(): bigint[] }
}
type Step = {
  opcodeInfo: { code: number; feeBigInt: bigint; dynamicGas: boolean; isAsync: boolean; isInvalid: boolean }
  opHandler(state: State, common: EVM['common']): unknown
}

const JUMPS = [0x56, 0x57, 0x5e]
const [MLOAD, MSTORE] = [0x51, 0x52]
const WORD = 32n

const changed = new WeakSet<object>()

/**
 * Makes the library's interpreter take steps that ask nobody one after the other, not each in a function of its own that is
 * waited for: promises are most of what a run leaves to be collected. What a step does, and what it costs, says the library.
 *
 * @param interpreter any that runs: the change is one of its class
 */
export function takePlainSteps(interpreter: object): void {
  const shared: object = Object.getPrototypeOf(interpreter)
  if (changed.has(shared)) return
  changed.add(shared)
  const { runStep } = shared as Interpreter
  Object.assign(shared, {
    runStep(this: Interpreter, known?: Step): Promise<void> | undefined {
      const { _runState: state, common } = this
      let step = known ?? this.lookupOpInfo(state.opCode)
      while (isPlain(step, state)) {
        this.useGas(step.opcodeInfo.feeBigInt, step.opcodeInfo)
        state.programCounter += 1
        step.opHandler(state, common)
        const opCode = state.code[state.programCounter]
        // Behind the end, and before the first jump, for which the code is analysed, the library goes on.
        if (opCode === undefined || (state.shouldDoJumpAnalysis && JUMPS.includes(opCode))) return undefined
        state.opCode = opCode
        step = this.lookupOpInfo(opCode)
      }
      return runStep.call(this, step)
    },
  })
}

/** Whether a step costs what it always costs, and is done at once. */
function isPlain({ opcodeInfo: { code, dynamicGas, isAsync, isInvalid } }: Step, state: State): boolean {
  if (isAsync || isInvalid) return false
  if (!dynamicGas) return true
  if (code !== MLOAD && code !== MSTORE) return false
  // Memory that is there already costs nothing more.
  const [offset] = state.stack.peek()
  return offset !== undefined && offset + WORD <= state.memoryWordCount * WORD
}
