import type { EVM } from '@ethereumjs/evm'

/** The part of the library's interpreter that is changed here. It has no name of its own outside. */
type Interpreter = { _evm: EVM; _getValidJumpDestinations: (code: Uint8Array) => Analysis }
type Analysis = { jumps: Uint8Array; pushes: { [at: number]: bigint }; opcodesCached: unknown[] }

const analysed = new WeakMap<EVM, WeakMap<Uint8Array, Analysis>>()
const changed = new WeakSet<object>()

/**
 * Makes the library's interpreter analyse each code once for a machine, not once for each call: it looks at every byte of
 * 24 kB to run some hundred, which is most of the time that a batch takes.
 *
 * @param interpreter any that runs: the change is one of its class
 */
export function cacheAnalysis(interpreter: object): void {
  const shared: object = Object.getPrototypeOf(interpreter)
  if (changed.has(shared)) return
  changed.add(shared)
  const { _getValidJumpDestinations: analyse } = shared as Interpreter
  Object.assign(shared, {
    _getValidJumpDestinations(this: Interpreter, code: Uint8Array): Analysis {
      let ofMachine = analysed.get(this._evm)
      if (!ofMachine) {
        ofMachine = new WeakMap()
        analysed.set(this._evm, ofMachine)
      }
      const known = ofMachine.get(code)
      if (known) return known
      const analysis = analyse.call(this, code)
      ofMachine.set(code, analysis)
      return analysis
    },
  })
}
