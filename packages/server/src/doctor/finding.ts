import type { Finding } from '@countersign/contract'

export type { Finding }

export function good(about: string, says: string): Finding {
  return { level: 'good', about, says, remedy: null }
}

export function notice(about: string, says: string, remedy: string): Finding {
  return { level: 'notice', about, says, remedy }
}

export function fault(about: string, says: string, remedy: string): Finding {
  return { level: 'fault', about, says, remedy }
}

/** Writes findings line by line, each remedy below what it mends. */
export function describeFindings(findings: readonly Finding[]): string {
  const marks = { good: 'ok     ', notice: 'notice ', fault: 'FAULT  ' }
  const lines = findings.flatMap(({ level, about, says, remedy }) => [
    `${marks[level]}  ${about}: ${says}`,
    ...(remedy === null ? [] : [`           ${remedy}`]),
  ])
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  return [...lines, '', `${counted(count('fault'), 'fault')}, ${counted(count('notice'), 'notice')}`].join('\n')
}

/** Writes a count with its word: `1 fault`, `2 faults`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Writes a time in the largest unit that tells it: `40 s`, `3 min`, `7 h`. */
export function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}
