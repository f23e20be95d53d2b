import { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { errorSentenceText } from '../../text/error-text.ts'
import { toWalletError } from './wallet-errors.ts'

describe('toWalletError', () => {
  test.each([
    ['WALLET_REJECTED', { code: 4001 }],
    ['WALLET_REJECTED', { code: 5000 }],
    ['WALLET_REJECTED', new Error('wrapped', { cause: { code: 4001 } })],
    ['WALLET_BUSY', { code: -32002 }],
    ['CHAIN_NOT_IN_WALLET', { code: 4902 }],
    ['CHAIN_NOT_IN_WALLET', { code: -32603, data: { originalError: { code: 4902 } } }],
    ['WALLET_LOCKED', { code: 4100 }],
    ['WALLET_NOT_AVAILABLE', { code: 4900 }],
    ['WALLET_METHOD_UNSUPPORTED', { code: 4200 }],
    ['WALLET_METHOD_UNSUPPORTED', { code: -32601 }],
    ['WALLET_FAILED', { code: -32603, message: 'Internal' }],
    ['WALLET_FAILED', 'just text'],
    ['WALLET_FAILED', undefined],
    ['WALLET_REJECTED', { code: '4001' }],
    ['WALLET_BUSY', { code: '-32002' }],
    ['WALLET_FAILED', { code: 'ACTION_REJECTED' }],
  ])('error: %s', (code, thrown) => {
    expect(toWalletError(thrown, 'Demo wallet').code).toBe(code)
  })

  test('behavior: what a wallet says cannot reorder what stands beside it', () => {
    expect(errorSentenceText(toWalletError({ code: 1, message: 'no\u202Eyes' }, 'Fox'))).toContain('no[U+202E]yes')
  })

  test('behavior: an error of ours stays as it is', () => {
    const error = new CountersignError('CHAIN_SWITCH_FAILED', 'x')
    expect(toWalletError(error, 'Demo wallet')).toBe(error)
  })

  test('behavior: an error that contains itself ends', () => {
    const error: { code: number; cause?: unknown } = { code: 1 }
    error.cause = error
    expect(toWalletError(error, 'Demo wallet').code).toBe('WALLET_FAILED')
  })

  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('mine')
      },
      getPrototypeOf: () => {
        throw new Error('mine')
      },
    },
  )
  test.each([
    ['a TypeError', new TypeError('u.on is not a function')],
    ['one inside an RPC error', { code: -32603, message: "Cannot read properties of undefined (reading 'x')" }],
    ['one in other words', new Error('undefined is not an object (evaluating "a.b")')],
    ['an object', { reason: 'none' }],
    ['nothing', null],
    ['a symbol', Symbol('s')],
    ['an object that throws', throwing],
    ['an object without prototype', Object.create(null)],
  ])('behavior: %s is no sentence for a person', (_, thrown) => {
    const error = toWalletError(thrown, 'Fox')
    expect(error.code).toBe('WALLET_FAILED')
    expect(errorSentenceText(error)).toBe('Fox failed and did not say why.')
  })

  test('behavior: what a wallet says in words of its own is quoted', () =>
    expect(errorSentenceText(toWalletError(new Error('Ledger device is locked'), 'Fox'))).toBe(
      'Fox answered: “Ledger device is locked”.',
    ))
})
