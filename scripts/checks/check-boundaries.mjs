import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as swcVisitor from '@swc/core/Visitor.js'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { root } from '../run.mjs'

// The visitor that dependency-cruiser reads files with does not know `using` yet, and gives the whole run up.
const prototype = (swcVisitor.Visitor ?? swcVisitor.default.Visitor ?? swcVisitor.default).prototype
const visitStatement = prototype.visitStatement
prototype.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}

// By its API: the command refuses Node 20, on which it works.
const options = await extractOptions(join(root, '.dependency-cruiser.cjs'))

async function check(directory, paths) {
  process.chdir(directory)
  const all = { ...options, validate: true, outputType: 'json', baseDir: directory }
  const { output } = await cruise(paths, all, options.enhancedResolveOptions)
  return JSON.parse(output)
}

function sourcesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist', 'vectors'].includes(entry.name) ? [] : sourcesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path.replaceAll('\\', '/')] : []
  })
}

/** The rules on the repository, and proof that every file was looked at. */
async function checkRepository() {
  process.chdir(root)
  const roots = ['packages', 'bench'].filter((path) => existsSync(path))
  const { summary, modules } = await check(root, roots)
  const seen = new Set(modules.map(({ source }) => source))
  return [
    ...summary.violations.map(({ rule, from, to, cycle }) => {
      const target = cycle ? cycle.map(({ name }) => name).join(' > ') : to
      return `${rule.name}: ${from} imports ${target}`
    }),
    ...roots
      .flatMap(sourcesIn)
      // The app of comparison lives by packages that are not installed here.
      .filter((path) => !seen.has(path) && !path.startsWith('bench/ponder/'))
      .map((path) => `${path} was not looked at.`),
  ]
}

/** Files that each break one rule, in a small copy of the layout. */
const planted = [
  ['package-safe', 'packages/safe/src/a.ts', "export { index } from '@countersign/contract'"],
  ['safe-needs-viem-alone', 'packages/safe/src/b.ts', "export { z } from 'zod'"],
  ['package-contract', 'packages/contract/src/a.ts', "export { index } from '@countersign/server'"],
  ['package-simulation', 'packages/simulation/src/a.ts', "export { index } from '@countersign/contract'"],
  ['package-server', 'packages/server/src/a.ts', "export { index } from '@countersign/devnet'"],
  ['package-web', 'packages/web/src/a.ts', "export { index } from '@countersign/devnet'"],
  ['package-devnet', 'packages/devnet/src/a.ts', "export { index } from '@countersign/server'"],
  ['tests-of-server-and-web', 'packages/web/src/a.test.ts', "export { index } from '@countersign/server'"],
  ['nothing-imports-e2e', 'packages/devnet/src/b.ts', "export { index } from '@countersign/e2e'"],
  ['public-face-of-a-package', 'packages/web/src/b.ts', "export * from '../../contract/src/target.ts'"],
  ['server-app', 'packages/server/src/app.ts', "export * from './launch/target.ts'"],
  [
    'server-tx-service-is-a-leaf',
    'packages/server/src/features/safes/c.ts',
    "export * from '../../tx-service/target.ts'",
  ],
  ['server-tx-service', 'packages/server/src/tx-service/a.ts', "export * from '../app.ts'"],
  ['server-ground', 'packages/server/src/db/a.ts', "export * from '../http/target.ts'"],
  ['server-rpc', 'packages/server/src/rpc/a.ts', "export * from '../indexer/target.ts'"],
  ['server-signatures', 'packages/server/src/signatures/a.ts', "export * from '../indexer/target.ts'"],
  ['server-safes', 'packages/server/src/safes/a.ts', "export * from '../live/target.ts'"],
  ['server-http', 'packages/server/src/http/a.ts', "export * from '../app.ts'"],
  ['server-launch', 'packages/server/src/launch/a.ts', "export * from '../db/target.ts'"],
  ['server-postgres', 'packages/server/src/postgres/a.ts', "export * from '../launch/target.ts'"],
  ['server-verbs-know-no-http', 'packages/server/src/features/safes/a.ts', "export { Hono } from 'hono'"],
  ['server-feature-uses-no-routes', 'packages/server/src/features/safes/b.ts', "export * from '../session/routes.ts'"],
  ['web-features-are-independent', 'packages/web/src/features/safes/a.ts', "export * from '../session/target.ts'"],
  ['web-features', 'packages/web/src/features/safes/b.ts', "export * from '../../app/target.ts'"],
  ['web-review', 'packages/web/src/review/a.ts', "export * from '../features/session/target.ts'"],
  ['web-evidence', 'packages/web/src/evidence/a.ts', "export * from '../review/target.ts'"],
  ['web-safe', 'packages/web/src/safe/a.ts', "export * from '../evidence/target.ts'"],
  ['web-wallet', 'packages/web/src/wallet/a.ts', "export * from '../safe/target.ts'"],
  ['web-api', 'packages/web/src/api/a.ts', "export * from '../wallet/target.ts'"],
  ['web-device', 'packages/web/src/device/a.ts', "export * from '../ui/target.ts'"],
  ['web-ui', 'packages/web/src/ui/a.ts', "export * from '../api/target.ts'"],
  ['web-text', 'packages/web/src/text/a.ts', "export * from '../ui/target.ts'"],
  ['web-wallet-through-its-index', 'packages/web/src/app/a.ts', "export * from '../wallet/target.ts'"],
  ['no-cycles', 'packages/contract/src/b.ts', "import './c.ts'"],
  ['no-cycles', 'packages/contract/src/e.ts', "import type { planted as other } from './f.ts'"],
  ['resolves', 'packages/contract/src/d.ts', "export * from './nowhere.ts'"],
]
const others = [
  ['packages/contract/src/c.ts', "import './b.ts'"],
  ['packages/contract/src/f.ts', "import type { planted as other } from './e.ts'"],
  ['packages/contract/src/using.ts', 'using file = open()\n'],
  ...[
    ...['launch', 'http', 'db', 'tx-service', 'indexer', 'live'].map((folder) => `server/src/${folder}`),
    'contract/src',
  ].map((path) => [`packages/${path}/target.ts`, '']),
  ...['features/session', 'api', 'app', 'evidence', 'review', 'safe', 'ui', 'wallet'].map((path) => [
    `packages/web/src/${path}/target.ts`,
    '',
  ]),
  ['packages/server/src/features/session/routes.ts', ''],
]

async function testItself() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-boundaries-')))
  try {
    const put = (path, text) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), `${text}\nexport const planted = 1\n`)
    }
    for (const [, path, text] of planted) put(path, text)
    for (const [path, text] of others) put(path, text)
    mkdirSync(join(directory, 'node_modules/@countersign'), { recursive: true })
    for (const name of ['safe', 'review', 'contract', 'simulation', 'server', 'web', 'devnet', 'e2e']) {
      put(`packages/${name}/src/index.ts`, 'export const index = 1')
      const manifest = { name: `@countersign/${name}`, type: 'module', exports: { '.': './src/index.ts' } }
      writeFileSync(join(directory, `packages/${name}/package.json`), JSON.stringify(manifest))
      symlinkSync(join(directory, 'packages', name), join(directory, 'node_modules/@countersign', name), 'junction')
    }
    // Stand-ins: the rules look at where a package is, not at what is in it.
    for (const name of ['zod', 'hono']) {
      put(`node_modules/${name}/index.js`, '')
      const manifest = { name, version: '0.0.0', type: 'module', exports: './index.js' }
      writeFileSync(join(directory, `node_modules/${name}/package.json`), JSON.stringify(manifest))
    }
    const { summary } = await check(directory, ['packages'])
    const isFound = (rule, path) => summary.violations.some((found) => found.rule.name === rule && found.from === path)
    return planted
      .filter(([rule, path]) => !isFound(rule, path))
      .map(([rule, path]) => `The planted violation of ${rule} in ${path} was not found.`)
  } finally {
    process.chdir(root)
    rmSync(directory, { recursive: true, force: true })
  }
}

const problems = process.argv.includes('--self-test') ? await testItself() : await checkRepository()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
