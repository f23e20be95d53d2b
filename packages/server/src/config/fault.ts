/** A setting that is wrong: where it stands, and what it must be. */
export type Fault = { path: string; message: string }

/** Reads what a setting names. An error becomes a fault of the setting, and the result is null. */
export function readOrFault<Read>(path: string, faults: Fault[], read: () => Read): Read | null {
  try {
    return read()
  } catch (error) {
    faults.push({ path, message: error instanceof Error ? error.message : String(error) })
    return null
  }
}
