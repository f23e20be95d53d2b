/** Milliseconds that a person's screen may take to follow, on a machine that is busy with other things too. */
export const UI_TIMEOUT_MS = 60_000
