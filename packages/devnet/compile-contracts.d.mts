/** Compiles `src/contracts/*.sol`; abi and creation bytecode by the contract's name. */
export declare function compileContracts(): Record<string, { abi: unknown[]; bytecode: string }>
/** What the module at `signatureCheckModule` has to say. */
export declare function compileSignatureCheck(): string
export declare const signatureCheckModule: URL
