import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { errorSentences, fail } from './error-sentences.ts'
import { errorTexts } from './error-texts.ts'
import { errorTable } from './errors.ts'

describe('errorTable', () => {
  test.each(Object.entries(errorTable))('%s', (code, { status, retry, tone }) => {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(['at-once', 'on-request', 'after-sign-in', 'never']).toContain(retry)
    expect(['failure', 'technical', 'neutral']).toContain(tone)
  })

  test('behavior: an error is made through `fail` alone, so that its code and data are known where it is thrown', () => {
    const thrown = sources().flatMap(([path, source]) =>
      [...source.matchAll(/new CountersignError\(\s*(\S+)/g)].map(([, first]) => `${path}: ${first}`),
    )
    expect(thrown).toEqual([])
  })
})

describe('errorTexts', () => {
  test.each(Object.entries(errorTexts))('%s', (_, { title, hint }) => {
    expect(title, 'a title is a heading').toMatch(/^\p{Lu}.*[^.!]$/u)
    expect(hint, 'a hint is a sentence that says what to do').toMatch(/^\p{Lu}.*\.$/u)
    expect(hint).not.toBe(title)
  })

  test('behavior: hints claim that nothing changed or was sent only where it is certain', () => {
    // Thrown before anything is written or sent, or where all of it is rolled back.
    const certain = [
      'OVERLOADED',
      'DATABASE_READ_ONLY',
      'DISK_FULL',
      'SERVER_UNREACHABLE offline',
      'NODES_DISAGREE',
      'OTHER_SERVICE_FAILED',
      'FIELD_MALFORMED',
      'HISTORY_BEHIND',
      'EXECUTION_REVERTED',
      'EXECUTION_UNDER_WAY',
      'NAME_CHANGED',
      'WALLET_REJECTED',
      'SIGNER_IS_NOT_ACCOUNT',
      'CONFIGURATION_INVALID',
      'BACKUP_INVALID',
    ]
    const said = Object.entries(errorTexts).flatMap(([code, texts]) => [
      [code, texts.hint],
      ...('hints' in texts ? Object.entries(texts.hints).map(([reason, hint]) => [`${code} ${reason}`, hint]) : []),
    ])
    const claiming = said.filter(([, hint = '']) => /nothing was|sent nothing|not changed/i.test(hint))
    expect(claiming.map(([code]) => code).filter((code) => !certain.includes(code ?? ''))).toEqual([])
  })

  test('behavior: no two codes share a title, so that a person can tell them apart', () => {
    const titles = Object.values(errorTexts).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('errorSentences', () => {
  const sentences = Object.entries(errorSentences).flatMap(([code, found]) =>
    typeof found === 'string'
      ? [[code, found]]
      : Object.entries(found).map(([reason, sentence]) => [`${code} ${reason}`, sentence]),
  )

  test.each(sentences)('%s', (_, sentence) => {
    expect(sentence).toMatch(/^[\p{Lu}`{].*\.$|\{remedy\}$/u)
    // The page reads them as ICU messages.
    expect(sentence).not.toMatch(/'|\{\}|\{[^\w]/)
  })
})

describe('fail', () => {
  test('default: the sentence is filled from the data, by its reason', () => {
    expect(fail('SAFE_NOT_FOUND', { address: '0x12', chainId: 1 })).toMatchObject({
      code: 'SAFE_NOT_FOUND',
      message: 'The Safe `0x12` on chain `1` is not in your list.',
      data: { address: '0x12', chainId: 1 },
    })
    expect(fail('TOO_MANY', { reason: 'names', limit: 9n })).toMatchObject({
      message: 'You already have `9` names in the address book of this Safe, which is the limit.',
      data: { reason: 'names', limit: '9' },
    })
  })

  test('behavior: a value cannot end the quotation that it stands in, nor name another value', () => {
    const { message } = fail('SAFE_NOT_FOUND', { address: '`. Send it. `{chainId}', chainId: 1 })
    expect(message).toBe("The Safe `'. Send it. '{chainId}` on chain `1` is not in your list.")
  })

  test('behavior: the compiler asks for the data of the sentence', () => {
    expectTypeOf(fail<'SAFE_NOT_FOUND'>)
      .parameter(1)
      .toExtend<{ address: unknown; chainId: unknown }>()
    // @ts-expect-error: without the chain
    fail('SAFE_NOT_FOUND', { address: '0x12' })
    // @ts-expect-error: no such reason
    fail('TOO_MANY', { reason: 'nothing', limit: 1 })
    // @ts-expect-error: no such code
    expect(() => fail('NO_SUCH_CODE')).not.toThrow()
  })
})

/** Places that make errors themselves: `fail`, errors from the wire, reports of a child process or a Worker. */
const makers = [
  'safe/src/error.ts',
  'contract/src/wire/client.ts',
  'contract/src/wire/unanswered.ts',
  'server/src/launch/parts.ts',
  'web/src/text/fail.ts',
  'web/src/evidence/worker/channel.ts',
  'web/src/evidence/worker/review-worker.ts',
  'simulation/src/test/chain.ts',
]

function sources(): [path: string, source: string][] {
  const packages = fileURLToPath(new URL('../../../', import.meta.url))
  return readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => join(name, 'src', path))
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !makers.includes(path))
      .map((path): [string, string] => [path, readFileSync(join(packages, path), 'utf8')]),
  )
}
