import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minify } from '@swc/core'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import '../../scripts/testing/map-group-by.mjs'
import { collectModules } from '../../scripts/notices/collect-modules.mjs'
import { compileAbisOfModules } from './compile-abis.mjs'
import { compileTexts } from './compile-texts.mjs'
import { leaveBasesOut, leaveCopiesOut, leaveDescriptionsOut, leaveReasonsOut, leaveSentencesOut } from './leave-out.ts'

const serverUrl = process.env.COUNTERSIGN_SERVER_URL ?? 'http://127.0.0.1:4100'

/** The file that the texts of each area come in, in every language. All other areas: `pages`. */
const languageFiles = {
  // The list of all areas comes with the first of them.
  first: ['areas', 'app', 'first-errors', 'safes', 'wallet', 'landing'],
  dialog: ['wallet-dialog', 'walletconnect', 'safe-app'],
  'my-safes': ['my-safes'],
  safe: ['safe', 'assets', 'workspace', 'titles', 'transactions', 'review'],
  review: ['findings', 'simulation', 'reverts', 'device', 'guide', 'import-signature', 'alive', 'execute'],
  details: ['proposal', 'review-details', 'history'],
  settings: ['settings'],
  // Values come where the operator names a source of prices.
  worth: ['worth'],
  compose: ['compose', 'create'],
  errors: ['errors'],
  // No page that is built asks for it.
  design: ['design'],
}

function languageFile(id: string): string | null {
  const [, language, area = ''] = /text[\\/](\w+)[\\/]([\w-]+)\.(?:json|ts)/.exec(id) ?? []
  if (!language) return null
  const [file = 'pages'] = Object.entries(languageFiles).find(([, areas]) => areas.includes(area)) ?? []
  return `${language}-${file}`
}

/** Modules for signatures, forms and their results. Lists need none of them. */
const writing =
  /src[\\/](?:ui[\\/](?:form[\\/](?:form|file-field|end-field|address-field|typed|parse)|(?:card|check-list|facts|sure-button|external-link|back-button|progress|mark|row[\\/]story|text[\\/]long)\b)|wallet[\\/](?:signing\b|session[\\/](?:signer\b|writing|sent|typed|verify-once)|dialog[\\/]sent)|api[\\/]s(?:ent|ign-in-link)|safe[\\/]safe-events|signing[\\/]signature\.)|@tanstack[\\/].+[\\/](?:mutationObserver|useMutation)|viem[\\/]_esm[\\/](?:accounts|constants[\\/](?:abis|number|solidity)|utils[\\/](?:signature[\\/]recover|unit|encoding[\\/]fromRlp|abi[\\/]decode(?:Event|Error)))/

/** Modules that two pages or more have in common. A group of higher priority takes its modules, with what they need, first. */
const shared = (priority: number) => ({ minShareCount: 2, priority })

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

/** Modules of the first page after sign-in, and its texts. */
const afterSignIn = /src[\\/]features[\\/]home[\\/](?:my-safes|waiting-verdicts)\.tsx$/
const textsAfterSignIn = /^assets\/[a-z]{2}-(?:my-safes|safe|review)-/

/** Lists the files for the page after sign-in in index.html. They are fetched once the wallet dialog is shown. */
function nameLaterFiles(): Plugin {
  return {
    name: 'name-later-files',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const files = Object.values(bundle ?? {}).flatMap((file) => (file.type === 'chunk' ? [file] : []))
        const withNeeded = (names: readonly string[], found = new Set<string>()): Set<string> => {
          for (const name of names) {
            if (found.has(name)) continue
            found.add(name)
            withNeeded(files.find(({ fileName }) => fileName === name)?.imports ?? [], found)
          }
          return found
        }
        const filesOf = (isOne: (id: string) => boolean) =>
          files.filter(({ moduleIds }) => moduleIds.some(isOne)).map(({ fileName }) => fileName)
        const there = withNeeded([
          ...files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
          ...filesOf((id) =>
            /src[\\/](?:app[\\/]start|wallet[\\/]dialog[\\/](?:connect|profile)-screen)\.tsx$/.test(id),
          ),
        ])
        const later = [...withNeeded(filesOf((id) => afterSignIn.test(id)))].filter((name) => !there.has(name))
        if (bundle && later.length === 0) throw new Error('The files of what comes after signing in were not built.')
        const texts = files.map(({ fileName }) => fileName).filter((name) => textsAfterSignIn.test(name))
        const content = [...later, ...texts].map((name) => `/${name}`).join(' ')
        return bundle ? [{ tag: 'meta', attrs: { name: 'after-sign-in', content }, injectTo: 'head' }] : []
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

/**
 * Refuses files that need each other in a circle: in one that is reached first, modules would run before those that they
 * import.
 */
function refuseCircles(): Plugin {
  return {
    name: 'refuse-circles',
    generateBundle(_options, bundle) {
      const done = new Set<string>()
      const visit = (file: string, way: readonly string[]): void => {
        if (way.includes(file)) this.error(`These files need each other: ${[...way, file].join(' → ')}`)
        if (done.has(file)) return
        const found = bundle[file]
        for (const needed of found?.type === 'chunk' ? found.imports : []) visit(needed, [...way, file])
        done.add(file)
      }
      for (const file of Object.keys(bundle)) visit(file, [])
    },
  }
}

/** Makes each dynamic import fetch its files first. With Vite's own preloading, the browser remembers a failed import. */
function importParts(): Plugin {
  const part = join(import.meta.dirname, 'src/ui/part/import-part.ts')
  return {
    name: 'import-parts',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js'
        ? `export { importPart as __vitePreload } from ${JSON.stringify(part.replaceAll('\\', '/'))}`
        : null,
  }
}

/** Makes files smaller than Vite's own way does: 4 kB less in a queue. */
function makeSmall(): Plugin {
  return {
    name: 'make-small',
    apply: 'build',
    renderChunk: {
      order: 'post',
      handler: async (code) => {
        const options = { module: true, mangle: true, compress: { passes: 3, ecma: 2022 } } as const
        // Names of one letter are given anew by how often they stand in what is left.
        return minify((await minify(code, options)).code, options)
      },
    },
  }
}

export default defineConfig({
  plugins: [
    compileTexts(),
    compileAbisOfModules(),
    leaveSentencesOut(),
    leaveReasonsOut(),
    leaveBasesOut(),
    leaveDescriptionsOut(),
    writeTexts(),
    nameFirstFile(),
    nameLaterFiles(),
    importParts(),
    refuseCircles(),
    makeSmall(),
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
    // `makeSmall` does it.
    minify: false,
    cssMinify: 'lightningcss',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...needed])] : needed,
    },
    chunkSizeWarningLimit: 700,
    // One file for the first page, and few for each other: what several pages share would come in forty small ones.
    // `refuseCircles` holds that none of these files needs itself, or modules would run before what they import.
    rolldownOptions: {
      // It only passes names on: who takes one of them needs nothing of the others.
      treeshake: { moduleSideEffects: [{ test: /src[\\/]wallet[\\/]signing\.ts/, sideEffects: false }] },
      output: {
        minify: false,
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial'], priority: 70 },
            // The mark of a verdict is in the picture of the first page, and in the rows of lists.
            {
              name: 'first',
              test: /src[\\/](?:app[\\/]start\.tsx|features[\\/]home[\\/]landing|safe[\\/]words[\\/]verdict-mark)/,
              priority: 40,
            },
            // A language comes in few files: what the first page says, the wallet dialog, the pages of a Safe, and reviews.
            { name: languageFile, test: /src[\\/]text[\\/]\w+[\\/]/, priority: 60 },
            // Modules shared by the wallet dialog and pages. In one file with the review's modules, both would come with it.
            {
              name: 'parts',
              test: (id: string) =>
                !writing.test(id) &&
                /src[\\/](?:ui[\\/](?!plot|copy[\\/](?:qr-code|shown-once)|form[\\/]use-written|screen[\\/]use-(?:focus|is-wide)|fold)|wallet[\\/](?!connectors[\\/](?:walletconnect|demo)|dialog[\\/]session-list|text|safe[\\/])|device[\\/]guarded-storage|api[\\/]chain-client|findings[\\/]addresses[\\/]confusables|abi[\\/]abi-word|same-address)|node_modules[\\/](?:@tanstack|abitype|viem)/.test(
                  id,
                ),
              minShareCount: 2,
              priority: 30,
            },
            { name: 'writing', test: writing, minShareCount: 2, priority: 29 },
            // The most visited pages of a Safe with their dependencies, and the lists with the code that asks the Worker for
            // verdicts. Without the review and its views.
            {
              name: 'safe',
              test: /src[\\/](?:app[\\/](?:(?:queue-page|safe-home|page-data|feedback[\\/]activity-toasts|shell[\\/](?:side|tab-bar))\.tsx?)|evidence[\\/]policy[\\/]served-policy|review[\\/]use-(?:listed|verdicts)\.ts|features[\\/]queue[\\/]queue-verdicts)|contract[\\/]src[\\/]\w+[\\/](?:policy|review-lists|prices)\.ts|safe[\\/]src[\\/]chain[\\/]codes\.ts/,
              priority: 20,
            },
            // Modules that ask for texts, by the file of the texts: in a file with others, they would bring texts of pages
            // that are not open.
            {
              name: 'asks-reviews',
              test: /src[\\/](?:safe[\\/]words[\\/]finding-text|evidence[\\/]page-text|features[\\/](?:alive|transaction)[\\/]text)\.ts/,
              ...shared(10),
            },
            { name: 'asks-compose', test: /src[\\/]features[\\/](?:compose|create)[\\/]text\.ts/, ...shared(10) },
            { name: 'asks-pages', test: /src[\\/]features[\\/](?!assets)\w+[\\/]text\.ts/, ...shared(9) },
            { name: 'asks-errors', test: /src[\\/]text[\\/]errors\.ts/, ...shared(10) },
            // A phone scans it for WalletConnect, and to read a proposal: the dialog needs nothing else of that page.
            { name: 'qr-code', test: /src[\\/]ui[\\/]copy[\\/]qr-code|node_modules[\\/]uqr/, priority: 9 },
            // Modules of single wallets come when one of them is picked, and never with another page.
            {
              name: 'wallet',
              test: /src[\\/](?:wallet[\\/](?!connectors[\\/]walletconnect)|device[\\/]guarded-storage)/,
              ...shared(8),
            },
            // History, assets and settings of a Safe have these; Home and the queue have none of them. With what other pages of a
            // Safe ask for at once (`more-page-data.ts`): none of them waits for a review because of it.
            {
              name: 'lists',
              test: /web[\\/]src[\\/](?:safe[\\/](?:worth[\\/](?!listed-tokens)|names[\\/](?:named-owners|use-safe-name)|safe-page-head|items[\\/]about|delegates|team-change|spending-limits)|features[\\/](?:assets|settings|history[\\/]history-query|chains[\\/]chain-status|(?:activity|alive|book|messages|team|webhooks)[\\/]queries))|contract[\\/]src/,
              ...shared(15),
            },
            { name: 'chains', test: /src[\\/]features[\\/]chains/, ...shared(7) },
            // Code that applies a policy comes where a team has one.
            {
              name: 'policy',
              test: /review[\\/]src[\\/]policy[\\/](?:executions-of-period|period-logs)\.ts/,
              priority: 8,
            },
            // Code that looks for subjects in other Safes comes where one is approved there.
            { name: 'nested', test: /src[\\/]review[\\/]nested[\\/]collect-nested/, priority: 7 },
            // The views of a review, for the pages of what is signed and of what is written.
            {
              name: 'reviews',
              test: /web[\\/]src[\\/](?:(?:review|evidence|features[\\/](?:alive|transaction|compose))[\\/]|safe[\\/](?!names[\\/](?:team-names|endorsement)|worth[\\/](?:prices|listed-tokens)|execution[\\/]data-fee|safe(?:s|-state)?\.ts|delegates|demo-safe|other-service|spending-limits|team-change))|packages[\\/](?:safe|review)[\\/]src[\\/](?:compose|effects|alive)/,
              ...shared(6),
            },
            { name: 'messages', test: /src[\\/]features[\\/]messages/, ...shared(5) },
            { name: 'creation', test: /src[\\/]features[\\/]create/, ...shared(5) },
            {
              name: 'shared',
              test: (id: string) => !/@walletconnect|wallet[\\/]connectors[\\/]walletconnect/.test(id),
              ...shared(4),
            },
          ],
        },
      },
    },
    // These have light-dark(), which reaches them untouched.
    target: ['chrome123', 'safari17.5', 'firefox128'],
  },
  worker: {
    format: 'es',
    plugins: () => [
      compileAbisOfModules(),
      leaveSentencesOut(),
      leaveReasonsOut(),
      leaveBasesOut(),
      leaveCopiesOut(),
      makeSmall(),
      !process.env.COUNTERSIGN_PSEUDO && collectModules(),
    ],
    // The library's loaders ask sites of third parties. Nothing uses them, and so they are left out.
    rolldownOptions: {
      output: {
        minify: false,
        chunkFileNames: 'assets/[name]-worker-[hash].js',
        codeSplitting: {
          groups: [
            // Most reviews recover signatures and many verify a policy, so this code comes with the review.
            {
              name: 'code',
              test: /worker[\\/]review-worker|@noble[\\/]curves[\\/]esm[\\/]secp256k1|review[\\/]src[\\/]policy/,
              priority: 1,
            },
          ],
        },
      },
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
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: ['src/**/*.test.ts'], setupFiles: ['src/test-english.ts'] },
      },
      // Component tests, in a DOM without layout: see src/test.
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.tsx'],
          environment: 'happy-dom',
          // The devnet's node has a different origin.
          environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
          globalSetup: ['../../scripts/testing/own-directory.mjs', 'src/test/set-up.ts'],
        },
      },
    ],
  },
})
