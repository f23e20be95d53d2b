import type { SimulatedTransaction } from '../simulation/simulation-result.ts'
import type { SafeTxRun } from '../simulation/simulation-run.ts'

/** A run to make: the transaction, who sends it, and the one block whose state it runs on. */
export type SimulationNeed = { chainId: number; blockNumber: bigint; run: SafeTxRun }

/** Runs a transaction in a place of its own, and asks the node whether it says the same. */
export type Simulate = (need: SimulationNeed) => Promise<SimulatedTransaction>
