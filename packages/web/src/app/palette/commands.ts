/** One line of the palette. */
export type Command = {
  id: string
  group: 'here' | 'queue' | 'safes' | 'book' | 'do'
  label: string
  /** Beside the label: where it is, or how far. */
  about?: string
  /** Searched in besides label and about: whole addresses. */
  more?: string
  run: () => void
}

/** More are not shown: whoever wants the others types on. */
const MAX_SHOWN = 40

/**
 * Finds the commands that have every word typed, those first whose label begins with what was typed, then those with a
 * word that does; otherwise the given order.
 */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.slice(0, MAX_SHOWN)
  const ranked = commands.flatMap((command) => {
    const label = command.label.toLowerCase()
    const all = `${label}\n${command.about?.toLowerCase() ?? ''}\n${command.more?.toLowerCase() ?? ''}`
    if (!words.every((word) => all.includes(word))) return []
    const first = words[0] ?? ''
    const rank = label.startsWith(words.join(' '))
      ? 0
      : label.split(/[\s“”(]+/).some((part) => part.startsWith(first))
        ? 1
        : 2
    return [{ command, rank }]
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MAX_SHOWN)
    .map(({ command }) => command)
}
