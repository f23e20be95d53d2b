import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileMessage, valuesOf } from '../packages/web/compile-texts.mjs'
import { root } from './run.mjs'

const folder = join(root, 'packages/web/src/text')
const file = join(folder, 'keys.gen.ts')

/** Writes the keys of the page's texts and the values that each takes, by which the compiler knows them. */
export function writeTextKeys() {
  const keys = keysModule()
  if (!existsSync(file) || readFileSync(file, 'utf8') !== keys) writeFileSync(file, keys)
}

function keysModule() {
  const files = readdirSync(join(folder, 'en'))
    .filter((name) => name.endsWith('.json'))
    .sort()
  const texts = files
    .flatMap((name) => Object.entries(JSON.parse(readFileSync(join(folder, 'en', name), 'utf8'))))
    // Those of errors are looked up by their code alone.
    .filter(([key]) => !key.startsWith('error.') && !key.startsWith('revert.'))
    .map(([key, text]) => [key, Object.entries(valuesOf(compileMessage(text)))])
  const plain = texts.filter(([, values]) => values.length === 0).map(([key]) => `  | '${key}'`)
  const filled = texts
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => {
      const types = values.map(([name, what]) => `${name}: ${what === 'count' ? 'Count' : 'Value'}`)
      return `  '${key}': { ${types.join('; ')} }`
    })
  return `// Written by \`scripts/write-text-keys.mjs\` from the texts in \`en\`. Not versioned.
type Value = string | number | bigint
type Count = number | bigint

/** Areas of texts: each has a file in every language. */
export type Area =
${files.map((name) => `  | '${name.slice(0, -5)}'`).join('\n')}

/** Keys of texts without values. */
export type PlainKey =
${plain.join('\n')}

/** Keys of texts with values, and these values. */
export type TextValues = {
${filled.join('\n')}
}
`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeTextKeys()
