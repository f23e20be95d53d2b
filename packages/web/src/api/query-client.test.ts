import { CountersignError } from '@countersign/safe'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient, fetchAnew } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

describe('createQueryClient', () => {
  test('behavior: a write without a network fails at once, and is not sent when the network is back', async () => {
    const client = createQueryClient({ onSessionEnded: () => {} })
    const send = vi.fn(() =>
      Promise.reject(new CountersignError('SERVER_UNREACHABLE', 'The server cannot be reached.')),
    )
    onlineManager.setOnline(false)
    const write = client.getMutationCache().build(client, { mutationFn: send })
    await expect(write.execute(undefined)).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
    onlineManager.setOnline(true)
    await client.resumePausedMutations()
    expect(send).toHaveBeenCalledTimes(1)
  })
})

describe('fetchAnew', () => {
  test('behavior: an answer that left before it was asked does not do, nor does the failure of one', async () => {
    const client = createQueryClient({ onSessionEnded: () => {} })
    let now = 1
    for (const isLost of [false, true]) {
      let arrive = () => {}
      const queryFn = () => {
        const left = now
        return new Promise<number>((resolve, reject) => {
          arrive = () => (isLost && left === 1 ? reject(new Error('lost')) : resolve(left))
        })
      }
      now = 1
      const query = { queryKey: ['something', isLost], queryFn, retry: false }
      const before = client.fetchQuery(query).catch(() => null)
      now = 2
      const anew = fetchAnew(client, query)
      arrive()
      await before
      await vi.waitFor(() => expect(client.isFetching({ queryKey: query.queryKey })).toBe(1))
      arrive()
      expect(await anew).toBe(2)
    }
  })

  test('behavior: a clock that was set back makes nothing new', async () => {
    const client = createQueryClient({ onSessionEnded: () => {} })
    let answers = 0
    const query = { queryKey: ['something'], queryFn: async () => ++answers }
    expect(await fetchAnew(client, query)).toBe(1)
    const earlier = Date.now() - 60_000
    vi.spyOn(Date, 'now').mockReturnValue(earlier)
    try {
      expect(await fetchAnew(client, query)).toBe(2)
    } finally {
      vi.restoreAllMocks()
    }
  })
})
