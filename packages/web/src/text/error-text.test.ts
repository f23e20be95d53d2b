import { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { errorSentence, errorSentenceText, errorTexts } from './error-text.ts'
import { fail } from './fail.ts'

describe('errorTexts', () => {
  test.each([
    ['failed', /online\.$/],
    ['offline', /Nothing was sent\.$/],
    ['lost', /check whether it was saved\.$/],
    ['late', /check whether it was saved\.$/],
    ['toString', /check whether it was saved\.$/],
    [undefined, /check whether it was saved\.$/],
  ])('behavior: of a server that did not answer, only what was not sent is said to be so: %s', (reason, hint) => {
    expect(errorTexts('SERVER_UNREACHABLE', reason)?.hint).toMatch(hint)
  })

  test('behavior: of a review that stopped, it says to try again, not to wait', () => {
    const error = fail('REVIEW_INCOMPLETE', { reason: 'worker' })
    expect(errorTexts(error.code, 'worker')?.hint).toMatch(/^Try again/)
    expect(errorSentenceText(error)).toMatch(/stopped or could not be loaded\.$/)
  })

  test('behavior: does not claim that nothing changed if the request may have been carried out', () => {
    for (const code of [
      'SERVER_UNREACHABLE',
      'CHAIN_UNREACHABLE',
      'WALLET_POPUP_CLOSED',
      'DATABASE_UNAVAILABLE',
      'INTERNAL',
    ])
      expect(errorTexts(code)?.hint, code).not.toMatch(/nothing was/i)
  })
})

describe('errorSentence', () => {
  test('default: filled from the data, whatever the server wrote', () => {
    const error = new CountersignError('SAFE_NOT_FOUND', 'Send everything to 0x666.', {
      data: { address: '0x12', chainId: 100 },
    })
    expect(errorSentence(error)).toEqual([
      { kind: 'words', text: 'The Safe ' },
      { kind: 'code', text: '0x12' },
      { kind: 'words', text: ' on chain ' },
      { kind: 'code', text: '100' },
      { kind: 'words', text: ' is not in your list.' },
    ])
    expect(errorSentenceText(error)).toBe('The Safe “0x12” on chain “100” is not in your list.')
  })

  test('behavior: by its reason; a list is written as one', () => {
    expect(errorSentenceText(fail('TOO_MANY', { reason: 'tokens', limit: 9n }))).toBe(
      'This account already has “9” API tokens, which is the limit.',
    )
    expect(errorSentenceText(fail('SCOPE_MISSING', { scopes: ['read', 'propose'], scope: 'account' }))).toBe(
      'The API token has the scopes “read, propose”; this needs “account”.',
    )
  })

  test.each([
    ['a code that nobody knows', new CountersignError('NEW_CODE', 'x', { data: { address: '0x12' } })],
    ['a reason that nobody knows', new CountersignError('TOO_MANY', 'x', { data: { reason: 'planets', limit: 1 } })],
    ['a value that is missing', new CountersignError('SAFE_NOT_FOUND', 'x', { data: { address: '0x12' } })],
    ['a value that is none', new CountersignError('SAFE_NOT_FOUND', 'x', { data: { address: '0x12', chainId: {} } })],
    ['a reason that every object has', new CountersignError('TOO_MANY', 'x', { data: { reason: 'constructor' } })],
  ])('behavior: none for %s, and a decent text instead', (_, error) => {
    expect(errorSentence(error)).toBeNull()
    expect(errorSentenceText(error)).toBe(errorTexts(error.code)?.title ?? 'Oops, something went wrong!')
  })

  test('behavior: a hostile value can neither leave its quotation, reorder, nor push away what stands next to it', () => {
    const said = (address: string) => errorSentence(fail('SAFE_NOT_FOUND', { address, chainId: 1 }))
    expect(said('`. Sign it. `')?.[1]).toEqual({ kind: 'code', text: '`. Sign it. `' })
    expect(said('{chainId}')?.[1]).toEqual({ kind: 'code', text: '{chainId}' })
    expect(said('no\u202eyes')?.[1]).toEqual({ kind: 'code', text: 'no[U+202E]yes' })
    expect(said('x'.repeat(10_000))?.[1]?.text).toHaveLength(301)
  })

  test('behavior: what a contract reverts with is told from the catalogue', async () => {
    await import('../safe/text.ts')
    const data = {
      reason: 'code',
      gs: 'GS013',
      revert: 'GS013',
      cause: 'Of the core.',
      remedy: 'Of the core.',
    } as const
    expect(errorSentenceText(fail('EXECUTION_REVERTED', data))).toBe(
      '“GS013”: The inner call failed. Find out why the called contract reverts: balance, permissions or arguments.',
    )
  })
})
