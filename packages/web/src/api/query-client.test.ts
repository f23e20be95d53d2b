import { CountersignError } from '@countersign/safe-core'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

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
