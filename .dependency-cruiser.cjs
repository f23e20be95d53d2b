// Who may import whom: ARCHITECTURE.md. Its self-test is scripts/checks/check-boundaries.mjs.

const tests = '(\\.test\\.tsx?$|/src/test/|/src/test-[^/]+\\.ts$|/vitest\\.[^/]+\\.ts$)'

/** A package may import itself, `allowed` packages, and what its package.json names. */
function packageDirection(name, allowed, options = {}) {
  const own = [name, ...allowed].join('|')
  return {
    name: `package-${name}`,
    comment: `${name} imports, of ours, ${allowed.length === 0 ? 'nothing' : allowed.join(', ')} only`,
    severity: 'error',
    from: { path: `^packages/${name}/src/`, ...(options.exceptTests ? { pathNot: tests } : {}) },
    to: { path: '^(packages/[^/]+|bench)/', pathNot: `^packages/(${own})/` },
  }
}

function serverFolder(name, from, forbidden) {
  return {
    name: `server-${name}`,
    severity: 'error',
    from: { path: `^packages/server/src/${from}`, pathNot: tests },
    to: { path: `^packages/server/src/(${forbidden})` },
  }
}

function webFolder(name, from, forbidden, rest = {}) {
  return {
    name: `web-${name}`,
    severity: 'error',
    from: { path: `^packages/web/src/${from}`, pathNot: tests },
    to: { path: `^packages/web/src/(${forbidden})`, ...rest },
  }
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    packageDirection('safe', []),
    packageDirection('review', ['safe']),
    packageDirection('contract', ['safe', 'review']),
    packageDirection('server', ['contract', 'safe', 'review'], { exceptTests: true }),
    packageDirection('simulation', ['safe', 'review'], { exceptTests: true }),
    packageDirection('web', ['contract', 'safe', 'review', 'simulation'], { exceptTests: true }),
    packageDirection('devnet', ['contract', 'safe', 'review']),
    packageDirection('e2e', ['contract', 'devnet', 'safe', 'review']),
    {
      name: 'tests-of-server-and-web',
      comment: 'tests of server, simulation and web may also use devnet',
      severity: 'error',
      from: { path: '^packages/(server|simulation|web)/', pathNot: '^$' },
      to: { path: '^packages/', pathNot: '^packages/($1|contract|safe|review|simulation|devnet)/' },
    },
    {
      name: 'nothing-imports-e2e',
      comment: 'only the benchmarks drive the product with the means of e2e',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/e2e/' },
      to: { path: '^(packages/e2e|bench)/' },
    },
    {
      name: 'safe-needs-viem-alone',
      severity: 'error',
      from: { path: '^packages/(safe|review)/src/', pathNot: tests },
      to: { pathNot: '^(packages/(safe|review)/|node_modules/(viem|ox|abitype|@noble)/)' },
    },
    {
      name: 'public-face-of-a-package',
      comment: 'a package is imported through its name, not through its files',
      severity: 'error',
      // A benchmark starts the same PostgreSQL a second time, without the product around it.
      from: { path: '^(packages/[^/]+|bench)/', pathNot: '^bench/src/chain/own-postgres\\.ts$' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: [
          '^$1/',
          '^packages/([^/]+/src/index|devnet/src/scripted-wallet)\\.ts$',
          '^packages/safe/src/(calls|compose|service)/index\\.ts$',
        ],
      },
    },

    // server: main → app → features → {indexer, outbox, safes, signatures, rpc, db, live} → context; http serves routes and app
    {
      name: 'server-tx-service-is-a-leaf',
      comment: 'the second transport is mounted by app.ts, and only tests know it besides',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/(app\\.ts$|tx-service/)', tests] },
      to: { path: '^packages/server/src/tx-service/' },
    },
    serverFolder('tx-service', 'tx-service/', '(main|server)\\.ts|app\\.ts|launch/|postgres/'),
    serverFolder('app', 'app\\.ts', '(main|server)\\.ts|launch/|postgres/'),
    serverFolder('features', 'features/', '(main|server)\\.ts|app\\.ts|launch/|postgres/'),
    serverFolder(
      'ground',
      '(db|rpc|signatures|safes|indexer|live|outbox)/',
      '(main|server)\\.ts|app\\.ts|features/|http/|tx-service/|launch/|postgres/',
    ),
    serverFolder('rpc', 'rpc/', 'signatures/|safes/|indexer/|live/|outbox/'),
    serverFolder('signatures', 'signatures/', 'safes/|indexer/|live/|outbox/'),
    serverFolder('safes', 'safes/', 'live/|outbox/'),
    serverFolder('outbox', 'outbox/', 'indexer/'),
    serverFolder('http', 'http/', '(main|server)\\.ts|app\\.ts|launch/|postgres/'),
    serverFolder('context', '(context\\.ts|config/)', '(main|server)\\.ts|app\\.ts|features/|http/|launch/|postgres/'),
    serverFolder(
      'launch',
      'launch/',
      '(main|server)\\.ts|app\\.ts|features/|http/|db/|rpc/|signatures/|safes/|indexer/|live/',
    ),
    serverFolder(
      'postgres',
      'postgres/',
      '(main|server)\\.ts|app\\.ts|features/|http/|db/|rpc/|signatures/|safes/|indexer/|live/|launch/',
    ),
    {
      name: 'server-main-is-not-the-launcher',
      severity: 'error',
      from: { path: '^packages/server/src/(main|server|app)\\.ts$' },
      to: { path: '^packages/server/src/(launch|postgres)/' },
    },
    {
      name: 'server-verbs-know-no-http',
      comment: 'of a feature, routes.ts alone speaks HTTP',
      severity: 'error',
      from: { path: '^packages/server/src/features/', pathNot: ['/routes\\.ts$', tests] },
      to: { path: ['^packages/server/src/http/', '^node_modules/(hono|@hono)/'] },
    },
    {
      name: 'server-feature-uses-no-routes',
      severity: 'error',
      from: { path: '^packages/server/src/(features|tx-service)/', pathNot: tests },
      to: { path: '^packages/server/src/features/[^/]+/routes\\.ts$' },
    },

    // web: app → features → review → evidence → safe → {wallet, api} → {device, ui, text}
    {
      name: 'web-features-are-independent',
      comment: 'pages in app/ compose features',
      severity: 'error',
      from: { path: '^packages/web/src/features/([^/]+)/' },
      to: { path: '^packages/web/src/features/', pathNot: '^packages/web/src/features/$1/' },
    },
    webFolder('features', 'features/', 'app/|main\\.tsx'),
    webFolder('review', 'review/', 'app/|features/|main\\.tsx'),
    webFolder('evidence', 'evidence/', 'app/|features/|review/|main\\.tsx'),
    webFolder('safe', 'safe/', 'app/|features/|review/|evidence/|main\\.tsx'),
    webFolder('wallet', 'wallet/', 'app/|features/|review/|evidence/|safe/|main\\.tsx'),
    webFolder('api', 'api/', 'app/|features/|review/|evidence/|safe/|wallet/|main\\.tsx'),
    webFolder('ui', 'ui/', 'app/|features/|review/|evidence/|safe/|wallet/|api/|device/|main\\.tsx'),
    webFolder('device', 'device/', 'app/|features/|review/|evidence/|safe/|wallet/|api/|ui/|text/|main\\.tsx'),
    webFolder('text', 'text/', 'app/|features/|review/|evidence/|safe/|wallet/|api/|device/|ui/|main\\.tsx'),
    {
      name: 'web-wallet-through-its-index',
      comment: 'index.ts, and signing.ts for pages that ask the wallet',
      severity: 'error',
      from: { path: '^packages/web/src/', pathNot: ['^packages/web/src/wallet/', tests] },
      to: { path: '^packages/web/src/wallet/', pathNot: '^packages/web/src/wallet/(index|signing)\\.tsx?$' },
    },

    {
      name: 'no-cycles',
      comment: 'imports of types count, too',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser can use: without this it cruises nothing and finds nothing.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The apps of comparison live by packages that are not installed here.
    exclude: { path: '(^|/)dist/|^bench/(rainbowkit|ponder)/' },
    tsPreCompilationDeps: true,
    builtInModules: { add: ['node:sqlite'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
