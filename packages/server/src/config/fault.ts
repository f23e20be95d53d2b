/** A setting that is wrong: where it stands, and what it must be. */
export type Fault = { path: string; message: string }
