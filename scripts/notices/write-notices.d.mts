export type Part = { name: string; version: string; licence: string; source: string; text: string; partOf: string[] }
/** Every third-party part of what was built and of what is installed next to it. */
export declare function listParts(): Part[]
/** What may not be shipped, one sentence each. */
export declare function findProblems(parts: readonly Part[]): string[]
/** Generated data of ours that nobody has said the source of. */
export declare function findUnnamedData(): string[]
/** Libraries of the installed PostgreSQL that have no entry. */
export declare function findUnknownLibraries(): string[]
