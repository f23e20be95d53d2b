import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { byIdentity, computedQuery } from './computed-query.ts'

describe('computedQuery', () => {
  test('default: every part of the input is part of the key', async () => {
    const compute = vi.fn(
      async ({ nonce }: { nonce: bigint; signatures: Record<string, boolean | undefined> }) => nonce,
    )
    const client = new QueryClient()
    const ask = (nonce: bigint, signatures: Record<string, boolean | undefined>) =>
      client.fetchQuery(computedQuery('sum', { nonce, signatures }, compute))
    await ask(1n, { '0xa': undefined })
    await ask(1n, { '0xa': undefined })
    expect(compute).toHaveBeenCalledTimes(1)
    await ask(1n, { '0xa': false })
    await ask(1n, { '0xa': true })
    await expect(ask(2n, { '0xa': true })).resolves.toBe(2n)
    expect(compute).toHaveBeenCalledTimes(4)
  })

  test('behavior: a number is neither its text nor another kind of number', () => {
    const keys = [1n, 1, '1', { bigint: 1 }].map((value) => computedQuery('x', { value }, () => null).queryKey[1])
    expect(new Set(keys).size).toBe(4)
  })

  test('behavior: what is compared by identity is another one once it is replaced', () => {
    const [one, same] = [byIdentity([1, 2]), byIdentity([1, 2])]
    const keyOf = (list: number[]) => computedQuery('x', { list }, () => null).queryKey[1]
    expect(keyOf(one)).toBe(keyOf(byIdentity(one)))
    expect(keyOf(one)).not.toBe(keyOf(same))
  })
})
