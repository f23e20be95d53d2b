import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '../packages/contract/src/index.ts'
import { writeOpenApi } from '../packages/server/src/http/openapi.ts'
import { root } from './run.mjs'

// Run with `node --import tsx`. With --check nothing is written; what differs is named.
const endpoints = Object.values(contract)
  .filter((value) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value)
  .sort((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const documents = {
  'docs/openapi.json': `${JSON.stringify(writeOpenApi(endpoints, version), null, 2)}\n`,
  'docs/errors.md': writeErrors(contract.errorTable, contract.errorTexts),
}

function writeErrors(table, texts) {
  const rows = Object.entries(table).map(
    ([code, { status, retry }]) =>
      `| \`${code}\` | ${status} | ${retry} | ${cell(texts[code].title)} | ${cell(texts[code].hint)} |`,
  )
  return `# Errors

Generated from \`packages/contract/src/errors.ts\` by \`scripts/generate-docs.mjs\`; edit there.

An error is a problem document (RFC 9457, \`application/problem+json\`) with its code, a sentence that names the value at
fault, and a hint. The code is what programs compare. The status has no meaning for errors of the browser and of the start.

| Code | Status | Send it again | What it means | What to do |
|---|---|---|---|---|
${rows.join('\n')}
`
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
