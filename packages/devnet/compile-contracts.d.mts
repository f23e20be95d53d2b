/** Compiles `src/contracts/*.sol`; abi and creation bytecode by the contract's name. */
export function compileContracts(): Record<string, { abi: unknown[]; bytecode: string }>
