/** Milliseconds that a person's screen may take to follow, on a machine that is busy with other things too. */
export const PATIENCE = 60_000
