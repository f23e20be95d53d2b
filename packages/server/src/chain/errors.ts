/** Whether a contract refused, rather than the node or the way to it. */
export function isRevert(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === 3) return true
    if (/execution reverted|invalid opcode|invalid jump|VM Exception|out of gas/i.test(at.message)) return true
  }
  return false
}
