/** Compiles `src/contracts/*.sol`; abi and creation bytecode by the contract's name. */
export declare function compileContracts(): Record<string, { abi: unknown[]; bytecode: string }>
type CalledContract = { source: URL; module: URL; constant: string }
/** Contracts that are only ever sent with eth_call. */
export declare const calledContracts: readonly CalledContract[]
/** What the module of such a contract has to say. */
export declare function compileCalled(called: CalledContract): string
