const WORK_MS = 20
let since = performance.now()

/** Between steps of long work: lets everything else have its turn once in a while. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - since < WORK_MS) return
  await new Promise((resolve) => setImmediate(resolve))
  since = performance.now()
}
