/** Small Latin letters, digits and hyphens by label, with underscores before them. Two hyphens in third place are kept for others. */
const plain = /^(?:_*(?![a-z0-9-]{2}--)[a-z0-9-]+)(?:\._*(?![a-z0-9-]{2}--)[a-z0-9-]+)*$/

/**
 * The one way of writing a name (ENSIP-15), or null when it is none: mixed scripts, invisible characters. The tables of the
 * rules are large: they come with the first name that is not plain.
 */
export async function normalizeName(name: string): Promise<string | null> {
  if (plain.test(name)) return name
  return (await import('./name-rules.ts')).normalizeByRules(name)
}
