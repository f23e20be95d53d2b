import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { install } from './install.mjs'
import { endChildrenWithUs, root, runNode } from './run.mjs'

const packages = ['safe', 'review', 'contract', 'simulation', 'devnet', 'server', 'web', 'e2e'].map(
  (name) => `packages/${name}`,
)

const steps = [
  { name: 'format and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  ...[...packages, 'bench']
    .filter((path) => existsSync(join(root, path, 'tsconfig.json')))
    .map((path) => ({
      name: `types of ${path}`,
      args: ['node_modules/typescript/bin/tsc', '--project', path, ...kept(path)],
    })),
  { name: 'import boundaries', args: ['scripts/checks/check-boundaries.mjs'] },
  { name: 'import boundaries, self-test', args: ['scripts/checks/check-boundaries.mjs', '--self-test'] },
  { name: 'dead code and dependencies', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'packages that are installed', args: ['scripts/checks/check-packages.mjs'] },
  { name: 'texts of the screen', args: ['scripts/checks/check-texts.mjs'] },
  { name: 'texts of the screen, self-test', args: ['scripts/checks/check-texts.mjs', '--self-test'] },
  { name: 'keys of queries', args: ['scripts/checks/check-query-keys.mjs'] },
  { name: 'keys of queries, self-test', args: ['scripts/checks/check-query-keys.mjs', '--self-test'] },
  { name: 'words of the code', args: ['scripts/checks/check-words.mjs'] },
  { name: 'words of the code, self-test', args: ['scripts/checks/check-words.mjs', '--self-test'] },
  { name: 'subjects of commits', args: ['scripts/checks/check-subjects.mjs'] },
  { name: 'subjects of commits, self-test', args: ['scripts/checks/check-subjects.mjs', '--self-test'] },
  { name: 'measures of the code', args: ['scripts/checks/check-measures.mjs'] },
  { name: 'measures of the code, self-test', args: ['scripts/checks/check-measures.mjs', '--self-test'] },
  { name: 'paths named in documents', args: ['scripts/checks/check-doc-paths.mjs'] },
  { name: 'generated documents', args: ['--import', 'tsx', 'scripts/generate-docs.mjs', '--check'] },
]

/** Lets the compiler keep what it found, so that the next check looks at what has changed and what rests on it alone. */
function kept(path) {
  return ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${path.replace('/', '-')}.tsbuildinfo`]
}

/** Runs every step, also after one has failed; two at a time, as many run on one core alone. */
export async function check({ print = console.log, env = {} } = {}) {
  const counts = { passed: 0, failed: 0 }
  const waiting = [...steps]
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const started = performance.now()
      const { code, output } = await runNode(step.args, { isQuiet: true, within: 300_000, env })
      const took = `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7)
      print(`${took}  ${code === 0 ? 'passed' : 'FAILED'}  ${step.name}`)
      if (code === 0) counts.passed++
      else {
        counts.failed++
        print(output.replace(/^/gm, '    ').trimEnd())
      }
    }
  }
  await Promise.all([work(), work()])
  return counts
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  endChildrenWithUs()
  await install()
  if (process.argv[2] === 'measures') await (await import('./checks/measures.mjs')).printMeasures(console.log)
  else if ((await check()).failed > 0) process.exitCode = 1
}
