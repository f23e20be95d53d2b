import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leaveDescriptionsOut, leaveReasonsOut } from '../leave-out.ts'

const packages = join(import.meta.dirname, '../..')

function left(plugin: ReturnType<typeof leaveReasonsOut>, file: string): string {
  const { transform } = plugin
  if (typeof transform !== 'object' || !('handler' in transform)) throw new Error('It has a handler.')
  const path = join(packages, file)
  const code = readFileSync(path, 'utf8')
  const { filter } = transform as { filter?: { id?: RegExp } }
  // The build passes no other file to the handler.
  expect(path).toMatch(filter?.id ?? /never/)
  const handler = transform.handler as unknown as (code: string) => { code: string }
  return handler(code).code
}

describe('what a page leaves out', () => {
  test('default: of an operation how it is called and what it answers stay', () => {
    const code = left(leaveDescriptionsOut(), 'contract/src/team/address-book.ts')
    expect(code).not.toMatch(/summary:|errors:|session:|name: '/)
    expect(code).toMatch(/endpoint\(\{\s+method: 'GET',\s+path: '[^']+\/names',\s+params: safeParams,/)
    expect(code).toMatch(/scope: 'propose',/)
    expect(code).toMatch(/namedAddress = z\.object\(\{\s+address,\s+name: line\(60\)/)
  })

  test('default: of a revert code its releases stay, in their places', () => {
    const code = left(leaveReasonsOut(), 'safe/src/safe/gs-codes.ts')
    expect(code).toMatch(/GS002: \['', '', '1\.4\.1'\]/)
    expect(code).not.toMatch(/The threshold is zero/)
    const sentences = left(leaveReasonsOut(), 'safe/src/safe/revert-reasons.ts')
    expect(sentences).toMatch(/'Domain Separator already set!': \['', '', OLD\]/)
    expect(sentences).toMatch(/'Could not finish initialization': \['GS000', OLD\]/)
  })
})
