import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { median } from '../entry.ts'

export type Core = typeof import('@countersign/safe') &
  typeof import('@countersign/safe/calls') &
  typeof import('@countersign/review')

const packages = ['@countersign/safe', '@countersign/safe/calls', '@countersign/review']

/** The code as a page gets it: bundled and minified. */
export async function loadBundled(): Promise<Core> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const file = join(folder, 'core.mjs')
  writeFileSync(file, await bundle(packages.map((name) => `export * from '${name}'`).join('\n')))
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const blocks = 9

/**
 * Milliseconds of processor time for each, once: what else the machine does does not count, as it does by the clock.
 * The median of several blocks of runs, taken in turns.
 */
export async function timeEach(what: readonly (() => unknown)[], runs: number): Promise<number[]> {
  const times: number[][] = what.map(() => [])
  for (let block = -1; block < blocks; block++) {
    for (const [index, measured] of what.entries()) {
      const before = process.cpuUsage()
      for (let run = 0; run < runs; run++) await measured()
      const { user, system } = process.cpuUsage(before)
      // The first block warms up.
      if (block >= 0) times[index]?.push((user + system) / 1000 / runs)
    }
  }
  return times.map(median)
}

/** JavaScript of an entry with everything that it needs, as a browser gets it. */
export async function bundle(source: string): Promise<string> {
  const { output } = await build({
    input: 'entry',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === 'entry' ? `${import.meta.dirname}/entry-of-bundle.js` : null),
        load: (id: string) => (id.endsWith('/entry-of-bundle.js') ? source : null),
      },
    ],
    output: { minify: true, codeSplitting: false },
  })
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}
