import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { collectModules } from '../../scripts/notices/collect-modules.mjs'
import { compileTexts } from './compile-texts.mjs'

const serverUrl = process.env.COUNTERSIGN_SERVER_URL ?? 'http://127.0.0.1:4100'

/** The file that the texts of each area come in, in every language. All other areas: `pages`. */
const languageFiles = {
  // The list of all areas comes with the first of them.
  first: ['areas', 'app', 'first-errors', 'safes', 'wallet', 'landing'],
  dialog: ['wallet-dialog', 'walletconnect', 'safe-app'],
  safe: ['safe', 'assets', 'bring', 'worth', 'my-safes', 'workspace', 'titles', 'transactions', 'review'],
  review: [
    'acknowledgements',
    'call-findings',
    'findings',
    'simulation',
    'reverts',
    'device',
    'guide',
    'import',
    'alive',
    'execute',
  ],
  compose: ['compose', 'create'],
  errors: ['errors'],
}

function languageFile(id: string): string | null {
  const [, language, area = ''] = /text[\\/](\w+)[\\/]([\w-]+)\.(?:json|ts)/.exec(id) ?? []
  if (!language) return null
  const [file = 'pages'] = Object.entries(languageFiles).find(([, areas]) => areas.includes(area)) ?? []
  return `${language}-${file}`
}

/** Names the code of the first page in index.html: the browser asks for it together with the small file that starts it. */
function nameFirstFile(): Plugin {
  return {
    name: 'name-first-file',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const first = Object.keys(bundle ?? {}).find((file) => /^assets\/first-.*\.js$/.test(file))
        if (bundle && !first) throw new Error('The file of the first page was not built.')
        return first
          ? [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: '', href: `/${first}` }, injectTo: 'head' }]
          : []
      },
    },
  }
}

/** Writes texts into index.html, in every language: what is said there has no script to choose one. */
function writeTexts(): Plugin {
  const folder = join(import.meta.dirname, 'src/text')
  const languages = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'app.json')))
  const textsOf = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(join(folder, language, 'app.json'), 'utf8'))
  return {
    name: 'write-texts',
    transformIndexHtml: (html) =>
      html.replaceAll(/%text:([\w.]+)%/g, (_, key: string) =>
        languages.map((language) => `<p lang="${language}">${textsOf(language)[key]}</p>`).join(''),
      ),
  }
}

export default defineConfig({
  plugins: [
    compileTexts(),
    writeTexts(),
    nameFirstFile(),
    react(),
    tailwindcss(),
    !process.env.COUNTERSIGN_PSEUDO && collectModules('page'),
  ],
  build: {
    outDir: '../../dist/web',
    // scripts/build.mjs empties it. A build that watches must leave the notices, which are written after both builds.
    emptyOutDir: false,
    // The Content-Security-Policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // One file for the first page, and few for each other: what several pages share would come in forty small ones.
    // Modules of one file then run in another order than that of their imports, so the order is kept.
    rolldownOptions: {
      output: {
        strictExecutionOrder: true,
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial'], priority: 7 },
            { name: 'first', test: /src[\\/]app[\\/]start\.tsx/, priority: 4 },
            // A language comes in few files: what the first page says, the wallet dialog, the pages of a Safe, and reviews.
            { name: languageFile, test: /src[\\/]text[\\/]\w+[\\/]/, priority: 6 },
            // The picture of the first page comes alone: its mark would bring the review along.
            {
              name: 'landing',
              test: /src[\\/](?:features[\\/]home[\\/]landing|review[\\/]view[\\/]verdict-mark)/,
              priority: 4,
            },
            // Modules shared by the wallet dialog and pages. In one file with the review's modules, both would come
            // with it.
            {
              name: 'parts',
              test: /src[\\/](?:ui(?![\\/](?:plot|copy[\\/](?:qr-code|shown-once)))|wallet[\\/](?!walletconnect|demo|session-list|safe[\\/])|api[\\/](?:sent|chain-client)|safe-events|review[\\/]findings[\\/]confusables)|node_modules[\\/](?:@tanstack|abitype|viem)/,
              minShareCount: 2,
              priority: 3,
            },
            // A Safe's pages, which are seen most, with all that they need. Then the review that lists need, without its
            // views.
            {
              name: 'safe',
              test: /src[\\/]app[\\/](?:(?:safe-home|queue-page|page-data|shell[\\/](?:side|tab-bar))\.tsx?)/,
              priority: 2,
            },
            // It runs what it reviews: the page's side of the engine comes with it, and nothing of the pages that show runs.
            {
              name: 'verdicts',
              test: /src[\\/](?:review[\\/]use-(?:listed|verdicts)\.ts|simulation[\\/](?:simulate-in-page|run-call)\.ts|features[\\/]queue[\\/]queue-verdicts\.tsx)/,
              priority: 1,
            },
            // Recovery of signatures comes once there are some, for pages and for the wallet dialog alike.
            { name: 'curves', test: /^(?!.*walletconnect).*@noble[\\/]curves/, priority: 3 },
            {
              name: 'shared',
              // Modules of single wallets come when one of them is picked, and never with another page.
              test: (id: string) => !/wallet[\\/]walletconnect[\\/]|@walletconnect/.test(id),
              entriesAware: true,
              entriesAwareMergeThreshold: 300_000,
              minShareCount: 2,
            },
          ],
        },
      },
    },
    // light-dark() must reach the browser untouched: /design shows both themes on one page.
    target: ['chrome123', 'safari17.5', 'firefox128'],
  },
  worker: {
    format: 'es',
    plugins: () => [!process.env.COUNTERSIGN_PSEUDO && collectModules()],
    // The library's loaders ask sites of third parties. Nothing uses them, and so they are left out.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /@shazow[\\/]whatsabi/, sideEffects: false }] },
    },
  },
  server: { proxy: { '/api': serverUrl } },
  // A busy machine is no failure. What the files import keeps no state: it is loaded once, not once for each file.
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['src/test-english.ts'],
  },
})
