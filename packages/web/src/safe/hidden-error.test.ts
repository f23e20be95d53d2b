import { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { isHiddenFromAccount } from './hidden-error.ts'

describe('isHiddenFromAccount', () => {
  test.each([
    ['a transaction', new CountersignError('TRANSACTION_NOT_FOUND', 'x'), true],
    [
      'a transaction, by its reason',
      new CountersignError('TRANSACTION_NOT_FOUND', 'x', { data: { reason: 'y' } }),
      true,
    ],
    ['a message', new CountersignError('MESSAGE_NOT_FOUND', 'x'), true],
    ['a Safe', new CountersignError('SAFE_NOT_FOUND', 'x'), true],
    ['a Safe in the list, of another team', new CountersignError('NOT_A_MEMBER', 'x'), true],
    ['nobody is signed in', new CountersignError('NOT_SIGNED_IN', 'x'), false],
    ['a server that does not answer', new CountersignError('SERVER_UNREACHABLE', 'x'), false],
    ['a chain that is not configured', new CountersignError('CHAIN_NOT_CONFIGURED', 'x'), false],
    ['an action of owners', new CountersignError('NOT_AN_OWNER', 'x'), false],
    ['an error of the page', new Error('TRANSACTION_NOT_FOUND'), false],
    ['no error', null, false],
  ])('behavior: %s', (_, error, isHidden) => {
    expect(isHiddenFromAccount(error)).toBe(isHidden)
  })
})
