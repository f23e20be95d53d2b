import { CountersignError } from '@countersign/safe'
import { describe, expect, test, vi } from 'vitest'
import { isProvider, tameProvider } from './tame-provider.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Request = (args: { method: string; params?: unknown }) => Promise<unknown>
const ask = (answer: unknown, method: string) => requestOf({ request: () => answer })({ method })
const requestOf = (foreign: object) => tameProvider(foreign, 'Fox').request as Request

const throwing = () => {
  throw new Error('mine')
}

describe('isProvider', () => {
  test.each([
    ['null', null],
    ['a text', 'ethereum'],
    ['an object without request', {}],
    ['a request that is no function', { request: true }],
    ['a proxy that throws', new Proxy({}, { get: throwing, has: throwing })],
    ['a list', [{ request: async () => null }]],
  ])('default: %s is none', (_, value) => expect(isProvider(value)).toBe(false))

  test('default: whatever can be asked is one', () => {
    expect(isProvider({ request: async () => null })).toBe(true)
    expect(isProvider(Object.assign(() => {}, { request: async () => null }))).toBe(true)
  })
})

describe('tameProvider', () => {
  test('behavior: accounts are addresses, each once, promised or not', async () => {
    expect(await ask([anna.toLowerCase(), anna, 'x'], 'eth_requestAccounts')).toEqual([anna])
    expect(await ask(Promise.resolve([anna]), 'eth_accounts')).toEqual([anna])
    expect(await ask({ length: 1 }, 'eth_accounts')).toEqual([])
  })

  test('error: WALLET_LOCKED, when it answers with an empty list', async () =>
    await expect(ask([], 'eth_requestAccounts')).rejects.toMatchObject({ code: 'WALLET_LOCKED' }))

  test.each([['no address'], [null], [[null]], [[{}]]])(
    'error: WALLET_FAILED, when %s is all the accounts',
    async (answer) => await expect(ask(answer, 'eth_requestAccounts')).rejects.toMatchObject({ code: 'WALLET_FAILED' }),
  )

  test.each([
    [31337, '0x7a69'],
    ['31337', '0x7a69'],
    ['0x7A69', '0x7a69'],
  ])('behavior: the chain id %s is %s', async (answer, chainId) =>
    expect(await ask(answer, 'eth_chainId')).toBe(chainId),
  )

  test.each([[Number.NaN], ['NaN'], [null], [{}], ['0x'], [2 ** 60]])(
    'error: WALLET_FAILED, when the chain id is %s',
    async (answer) =>
      await expect(ask(answer, 'eth_chainId')).rejects.toMatchObject({
        code: 'WALLET_FAILED',
        data: { reason: 'no-chain', wallet: 'Fox' },
      }),
  )

  test.each([[undefined], ['signed'], [{ signature: '0x' }], [7]])(
    'error: WALLET_FAILED, when the signature is %s',
    async (answer) => await expect(ask(answer, 'personal_sign')).rejects.toMatchObject({ code: 'WALLET_FAILED' }),
  )

  test.each([
    ['thrown at once', throwing, undefined],
    ['rejected with nothing', () => Promise.reject(undefined), undefined],
    ['rejected with a text', () => Promise.reject('no'), undefined],
    ['rejected with a code as text', () => Promise.reject({ code: '4001' }), 4001],
    ['rejected with an object that throws', () => Promise.reject(new Proxy({}, { get: throwing })), undefined],
  ])('behavior: what is %s rejects with an Error', async (_, request, code) => {
    const error: unknown = await requestOf({ request })({ method: 'eth_accounts' }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect((error as { code?: unknown }).code).toBe(code)
  })

  test('behavior: an error of ours stays as it is', async () => {
    const error = new CountersignError('WALLET_POPUP_CLOSED', 'x')
    await expect(requestOf({ request: () => Promise.reject(error) })({ method: 'eth_accounts' })).rejects.toBe(error)
  })

  test('behavior: a wallet without events, or whose events throw, works without them', () => {
    for (const events of [{}, { on: 'no', removeListener: null }, { on: throwing, removeListener: throwing }]) {
      const provider = tameProvider(Object.freeze({ request: async () => null, ...events }), 'Fox')
      const listener = () => {}
      provider.on('accountsChanged', listener)
      provider.removeListener('accountsChanged', listener)
    }
  })

  test('behavior: events tell what they should, and nothing any more after they were left', () => {
    const heard: Record<string, (value: unknown) => void> = {}
    // It has no way to stop telling.
    const foreign = {
      request: async () => null,
      on: (event: string, listener: (value: unknown) => void) => {
        heard[event] = listener
      },
    }
    const provider = tameProvider(foreign, 'Fox')
    const accounts = vi.fn()
    const chain = vi.fn()
    provider.on('accountsChanged', accounts)
    provider.on('chainChanged', chain)
    heard.accountsChanged?.([anna.toLowerCase(), 'x'])
    heard.accountsChanged?.(undefined)
    heard.chainChanged?.(Number.NaN)
    heard.chainChanged?.(31337)
    expect(accounts.mock.calls).toEqual([[[anna]], [[]]])
    expect(chain.mock.calls).toEqual([['0x7a69']])
    provider.removeListener('accountsChanged', accounts)
    heard.accountsChanged?.([anna])
    expect(accounts).toHaveBeenCalledTimes(2)
  })
})
