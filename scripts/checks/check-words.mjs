import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../run.mjs'

/** Words of the column Avoid of GLOSSARY.md that mean nothing else in this code, so that no name may hold them. */
const avoided = [
  'quorum',
  'metatx',
  'safetransactiondata',
  'txhashdata',
  'executionhash',
  'batcher',
  'remainder',
  'vote',
  'checkpoint',
  'drift',
  'whitelist',
  'spam',
  'contributor',
  'guest',
  'tenant',
  'bridge',
  'testnet',
  'dapp',
]
/** Openings of a limit's name that is not `MAX_…`. */
const limits = new Set(['MOST', 'LONGEST', 'LARGEST'])
/** A comment names its subject first. */
const opening = /^(?:Of|Who|Whoever|What|So many|The same)\b/
/** A slow or busy machine must not fail a test. */
const assertsTime = /(?:performance\.now|cpuUsage).*\.toBeLess\w*\(\d[\d_]*\)/

/** Lists the names of a file that break the rules, and the comments that begin as none should. */
function look(path, source) {
  const lines = source.split('\n')
  const faults = []
  let before = ''
  for (const [index, line] of lines.entries()) {
    const isComment = /^\s*(?:\/\/|\/\*|\*)/.test(line)
    if (isComment) {
      const begins =
        /^\s*\/\*/.test(line) || (/^\s*\/\//.test(line) && !/^\s*\/\//.test(before)) || before.trim() === '/**'
      const text = line.replace(/^\s*(?:\/\/|\/\*+|\*)\s*/, '')
      if (begins && opening.test(text)) faults.push(`${path}:${index + 1}: a comment names its subject first: ${text}`)
    } else for (const fault of faultsOfNames(path, line)) faults.push(`${path}:${index + 1}: ${fault}`)
    if (assertsTime.test(line))
      faults.push(`${path}:${index + 1}: a test asserts no time: assert what was asked, read or computed, or a ratio`)
    before = line
  }
  return faults
}

/** Lists what is wrong with the names in a line of code, without what stands in quotes and in a comment behind it. */
function faultsOfNames(path, line) {
  const code = line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''").replace(/\s\/\/.*$/, '')
  return (code.match(/[A-Za-z_$][\w$]*/g) ?? []).flatMap((name) => {
    if (limits.has(name.split('_')[0])) return [`${name} is a limit: MAX_…`]
    if (/(?:^|_)MILLISECONDS$/.test(name)) return [`${name} is a duration: …_MS`]
    // Tests speak of what others wrote, too.
    if (/\.test\.tsx?$/.test(path)) return []
    const parts = name.split(/(?<=[a-z\d])(?=[A-Z])|_/).map((part) => part.toLowerCase())
    const found = avoided.find((word) => parts.includes(word) || name.toLowerCase() === word)
    return found ? [`${name} holds "${found}", which GLOSSARY.md avoids`] : []
  })
}

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist', 'vectors'].includes(entry.name) ? [] : filesBelow(path)
    return /\.(?:tsx?|mjs)$/.test(entry.name) && !/\.(?:data|d)\.m?ts$/.test(entry.name) ? [path] : []
  })
}

function check() {
  const faults = ['packages', 'bench/src', 'scripts']
    .flatMap((name) => filesBelow(join(root, name)))
    .flatMap((path) => look(relative(root, path), readFileSync(path, 'utf8')))
  const glossary = readFileSync(join(root, 'GLOSSARY.md'), 'utf8').toLowerCase()
  for (const word of avoided) if (!glossary.includes(word)) faults.push(`GLOSSARY.md does not avoid "${word}"`)
  return faults
}

function selfTest() {
  const limit = `const ${'MOST'}_PAGES = 1`
  const duration = `const PAUSE_${'MILLISECONDS'} = 1`
  const cases = [
    [limit, 1],
    [`const ${'LARGEST'} = 1`, 1],
    [duration, 1],
    ['const isContributor = true', 1],
    ['/** Who signed. */', 1],
    ['/**\n * So many that it ends.\n */', 1],
    ['// Says this.\n// What follows is no opening.', 0],
    ["const MAX_PAGES = 'MOST_PAGES' // MOST_PAGES", 0],
    [`expect(performance.${'now'}() - began).toBeLessThan(1_000)`, 1],
    [`expect(process.cpu${'Usage'}(began).user).toBeLessThanOrEqual(5_000)`, 1],
  ]
  return cases.flatMap(([source, count]) =>
    look('planted.ts', source).length === count ? [] : [`Not found as planted: ${source}`],
  )
}

const faults = process.argv.includes('--self-test') ? selfTest() : check()
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
