/** Values of a list that are drawn at first, and further ones with each press. A list inside of a list draws fewer. */
const AT_ONCE = 50
const AT_ONCE_INSIDE = 10
/** Faults that are named of values that are not drawn. */
const MAX_NAMED = 5

/** Values of a long list that are drawn: the first ones, and single ones among the rest. All of them count. */
export type ShownParts = { upTo: number; single: readonly number[] }

/** How many are drawn at once of a list at this depth: 1 is a parameter itself. */
export function atOnce(depth: number): number {
  return depth <= 1 ? AT_ONCE : AT_ONCE_INSIDE
}

/** The single ones that are drawn beside the first, in their order. */
export function singleShown({ upTo, single }: ShownParts, count: number): number[] {
  return [...new Set(single)].filter((index) => index >= upTo && index < count).sort((one, other) => one - other)
}

/** Draws one more by itself. */
export function showPart(shown: ShownParts, index: number): ShownParts {
  return { ...shown, single: [...shown.single, index] }
}

/** Goes on after a value was taken out: those behind it move up by one. */
export function withoutPart({ upTo, single }: ShownParts, index: number): ShownParts {
  return { upTo, single: single.filter((one) => one !== index).map((one) => (one > index ? one - 1 : one)) }
}

/** Faults of values that are not drawn, the first of each by its index; the first few of these, and how many more. */
export function hiddenFaults(
  faults: ReadonlyMap<string, string> | null,
  path: readonly number[],
  isShown: (index: number) => boolean,
): { named: { index: number; sentence: string }[]; more: number } {
  const before = `${path.join('.')}.`
  const found = new Map<number, string>()
  for (const [at, sentence] of faults ?? []) {
    if (!at.startsWith(before)) continue
    const index = Number(at.slice(before.length).split('.')[0])
    if (!isShown(index) && !found.has(index)) found.set(index, sentence)
  }
  const inOrder = [...found].sort(([one], [other]) => one - other).map(([index, sentence]) => ({ index, sentence }))
  return { named: inOrder.slice(0, MAX_NAMED), more: Math.max(0, inOrder.length - MAX_NAMED) }
}
