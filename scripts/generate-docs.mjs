import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '../packages/contract/src/index.ts'
import { describeRevertReason, revertReasons } from '../packages/safe/src/index.ts'
import { writeOpenApi } from '../packages/server/src/http/openapi.ts'
import { writeKnownChains } from '../packages/server/src/rpc/write-known-chains.ts'
import { root } from './run.mjs'

// Run with `node --import tsx`. With --check nothing is written; what differs is named.
const endpoints = Object.values(contract)
  .filter((value) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value)
  .sort((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Errors that can keep the texts of others from coming: theirs come with the first page. */
const firstErrors = ['SERVER_UNREACHABLE', 'INTERNAL', 'OVERLOADED', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE']
const errorTexts = Object.entries(contract.errorTexts).flatMap(writeErrorTexts)
const isFirst = ([key]) => firstErrors.includes(key.split('.')[1])
const areas = {
  errors: errorTexts.filter((text) => !isFirst(text)),
  'first-errors': errorTexts.filter(isFirst),
  reverts: revertReasons.map(describeRevertReason).flatMap(({ id, cause, remedy }) => [
    [`revert.${id}.cause`, cause],
    [`revert.${id}.remedy`, remedy],
  ]),
}

const documents = {
  ...Object.fromEntries(
    Object.entries(areas).map(([area, texts]) => [
      `packages/web/src/text/en/${area}.json`,
      `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`,
    ]),
  ),
  'docs/openapi.json': `${JSON.stringify(writeOpenApi(endpoints, version), null, 2)}\n`,
  'docs/errors.md': writeErrors(contract.errorTable, contract.errorTexts),
  'packages/server/src/rpc/known-chains.data.ts': writeKnownChains(),
}

function writeErrors(table, texts) {
  const rows = Object.entries(table).map(
    ([code, { status, retry }]) =>
      `| \`${code}\` | ${status} | ${retry} | ${cell(texts[code].title)} | ${cell(texts[code].hint)} |`,
  )
  return `# Errors

Generated from \`packages/contract/src/errors/errors.ts\` by \`scripts/generate-docs.mjs\`; edit there.

An error is a problem document (RFC 9457, \`application/problem+json\`) with its code, a sentence that names the value at
fault, and a hint. The code is what programs compare. The status has no meaning for errors of the browser and of the start.

| Code | Status | Send it again | What it means | What to do |
|---|---|---|---|---|
${rows.join('\n')}
`
}

/** Title, hints and sentences of an error as page texts. `hints` replace the hint for some reasons. */
function writeErrorTexts([code, { title, hint, hints = {} }]) {
  const sentences = contract.errorSentences[code] ?? {}
  return [
    [`error.${code}.title`, title],
    [`error.${code}.hint`, hint],
    ...Object.entries(hints).map(([reason, words]) => [`error.${code}.${reason}.hint`, words]),
    ...(typeof sentences === 'string'
      ? [[`error.${code}`, sentences]]
      : Object.entries(sentences).map(([reason, sentence]) => [`error.${code}.${reason}`, sentence])),
  ]
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

const differing = Object.entries(documents).filter(([path, text]) => {
  const file = join(root, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})
if (process.argv.includes('--check')) {
  for (const [path] of differing) {
    console.error(`${path} is not what the sources say. Write it anew: node --import tsx scripts/generate-docs.mjs`)
  }
  process.exitCode = differing.length === 0 ? 0 : 1
} else {
  mkdirSync(join(root, 'docs'), { recursive: true })
  for (const [path, text] of differing) {
    writeFileSync(join(root, path), text)
    console.log(`${path} written`)
  }
}
