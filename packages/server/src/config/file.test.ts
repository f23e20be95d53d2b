import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { configurationFile } from './file.ts'

const document = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')

/** Lists the names of all settings below a part of a JSON Schema. */
function namesBelow(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...namesBelow(value),
  ])
}

test('default: docs/configuration.md names every setting', () => {
  const names = new Set(namesBelow(z.toJSONSchema(configurationFile, { io: 'input', unrepresentable: 'any' })))
  expect(names).toContain('maxBlocksBehind')
  expect([...names].filter((name) => !new RegExp(`[\`.]${name}[\`.]`).test(document))).toEqual([])
})

test('default: docs/configuration.md names every variable', () => {
  const sources = ['./environment.ts', './wallet-connect.ts', '../launch/settings.ts']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n')
  const variables = [...new Set(sources.match(/\bCOUNTERSIGN_[A-Z_]*[A-Z]\b/g))]
  // Set by the launcher, not by people.
  const own = /_(?:DEVNET|WEB|MIGRATIONS|WALLETCONNECT)$|_DEVNET_/
  expect(variables).toContain('COUNTERSIGN_TRUSTED_PROXIES')
  expect(variables.filter((name) => !own.test(name) && !document.includes(`\`${name}\``))).toEqual([])
})
