import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { attack } from './entries/attack.ts'
import { compose } from './entries/compose.ts'
import { core } from './entries/core.ts'
import { dialog } from './entries/dialog.ts'
import { indexing } from './entries/indexing.ts'
import { javascript } from './entries/javascript.ts'
import { proved } from './entries/proved.ts'
import { review } from './entries/review.ts'
import { service } from './entries/service.ts'
import { signIn } from './entries/sign-in.ts'
import { start } from './entries/start.ts'
import { web } from './entries/web.ts'
import type { Entry, Measurement } from './entry.ts'

const entries: readonly Entry[] = [
  core,
  review,
  proved,
  start,
  javascript,
  compose,
  web,
  dialog,
  service,
  signIn,
  indexing,
  attack,
]
const results = fileURLToPath(new URL('../results/', import.meta.url))

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !entries.some((entry) => entry.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark \`${unknown.join('`, `')}\`; there are: ${entries.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

mkdirSync(results, { recursive: true })
for (const entry of entries.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.log(`\n${entry.name}: ${entry.about}`)
  const [before = 0] = loadavg()
  const measurements = await entry.run()
  console.log(table(measurements))
  // Processes that wanted a core in the minute before: with more of them than cores the times by the clock say little.
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
    loadBefore: before,
  }
  const result = { name: entry.name, measuredAt: new Date().toISOString(), machine, measurements }
  writeFileSync(`${results}${entry.name}.json`, `${JSON.stringify(result, null, 2)}\n`)
}

function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ what, value, unit, peer, goal }) => [
    what,
    `${amount(value)} ${unit}`.trim(),
    peer ? `${amount(peer.value)} ${unit} ${peer.what}` : '',
    peer ? `${(value / peer.value).toFixed(2)}×` : '',
    goal ? `${goal.isAtMost ? '≤' : '≥'} ${amount(goal.value)} ${isMet(value, goal) ? 'met' : 'MISSED'}` : '',
  ])
  const all = [['what', 'measured', 'beside', 'ratio', 'goal'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

function isMet(value: number, goal: NonNullable<Measurement['goal']>): boolean {
  return goal.isAtMost ? value <= goal.value : value >= goal.value
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })
}
