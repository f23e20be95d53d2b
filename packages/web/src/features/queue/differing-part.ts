/**
 * Splits one of several sentences into what all of them begin with, what is its own, and what all of them end with, by
 * words.
 */
export function differingPart(
  sentences: readonly string[],
  index: number,
): [before: string, own: string, after: string] {
  const all = sentences.map((sentence) => sentence.split(/(?<= )/))
  const own = all[index] ?? []
  const shortest = Math.min(...all.map(({ length }) => length))
  let start = 0
  while (start < shortest && all.every((words) => words[start] === own[start])) start += 1
  let end = 0
  while (end < shortest - start && all.every((words) => words.at(-1 - end) === own.at(-1 - end))) end += 1
  const middle = own.slice(start, own.length - end).join('')
  // A blank behind the part is not marked.
  const trimmed = middle.trimEnd()
  return [own.slice(0, start).join(''), trimmed, middle.slice(trimmed.length) + own.slice(own.length - end).join('')]
}
