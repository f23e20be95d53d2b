import { newSafeTx, type SafeState } from '@countersign/safe'
import { QueryClient } from '@tanstack/react-query'
import { type Address, encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { SameThreadWorker } from '../../test/same-thread-worker.ts'
import { provedPayeesQuery } from './proved-payees.ts'

const [safeAddress, payee, other] = ['e5', 'f6', 'a7'].map((byte) => getAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
]
const safeTx = newSafeTx({ to: payee, value: 1n, nonce: 3n })
const subject = { kind: 'transaction', chainId: 1, safeAddress, safeTx } as const
const state = { owners: [other], threshold: 1, nonce: 3n } as unknown as SafeState

function asked(...lists: [paid: readonly Address[] | null | undefined, isPaidWhole?: boolean]): readonly Address[] {
  const [paid, isPaidWhole] = lists
  const { enabled, queryKey } = provedPayeesQuery(subject, { paid, isPaidWhole }, state)
  const payees = [payee, other].filter((account) => String(queryKey[1]).includes(`"payees":["${account}"]`))
  expect(enabled).toBe(payees.length > 0)
  return payees
}

describe('provedPayeesQuery', () => {
  test('default: asks about the payees of the transaction that the server lists as paid', () => {
    expect(asked([other, payee], true)).toEqual([payee])
    expect(asked([other], true)).toEqual([])
    expect(asked([], true)).toEqual([])
  })

  test('behavior: asks about all payees of the transaction if the list is not whole', () => {
    expect(asked([other], false)).toEqual([payee])
  })

  test('behavior: asks nothing if the server did not say whom the Safe has paid', () => {
    expect(asked(null)).toEqual([])
    expect(asked(undefined)).toEqual([])
  })
})

describe('what the server answers', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, 1n] })
  const transfer = { ...subject, safeTx: newSafeTx({ to: payee, data, nonce: 3n }) }
  const ask = () =>
    new QueryClient().fetchQuery(provedPayeesQuery(transfer, { paid: [payee, other], isPaidWhole: false }, state))
  /** Answers a question about these accounts, in the order in which they come. */
  const answerWith = (answerTo: (payees: readonly Address[], tries: number) => Response) => {
    let tries = 0
    vi.stubGlobal('Worker', SameThreadWorker)
    vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
      tries += 1
      return answerTo(JSON.parse(String(body)).payees, tries)
    })
    return () => tries
  }
  const none = (isWhole: boolean) => Response.json({ executions: [], isWhole })
  const limited = (retryAfterSeconds: number) =>
    Response.json(
      {
        type: 'about:blank',
        title: 'Too many requests',
        status: 429,
        detail: 'Too many requests',
        hint: 'Wait',
        code: 'RATE_LIMITED',
        data: { retryAfterSeconds },
        requestId: 'a',
      },
      { status: 429, headers: { 'content-type': 'application/problem+json' } },
    )

  afterEach(() => vi.unstubAllGlobals())

  test('behavior: a rate-limited question is asked once more, after the time that the server names', async () => {
    const triesOf = answerWith((_, tries) => (tries === 1 ? limited(1) : none(true)))
    expect(await ask()).toEqual({ payees: [], isWhole: true })
    expect(triesOf()).toBe(2)
  })

  test('behavior: it is not asked a third time, and not if the server names a long time', async () => {
    const triesOf = answerWith(() => limited(1))
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(triesOf()).toBe(2)
    const triesOfLong = answerWith(() => limited(60))
    await expect(ask()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(triesOfLong()).toBe(1)
  })

  test('behavior: an answer about some of the accounts is not whole', async () => {
    answerWith(([first, second]) => (second || first !== other ? none(second === undefined) : limited(60)))
    expect(await ask()).toEqual({ payees: [], isWhole: false })
  })
})
