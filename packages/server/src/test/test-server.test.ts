import { describe, expect, test } from 'vitest'
import { eventually } from './test-server.ts'

describe('eventually', () => {
  test('error: ends in time, though a question hangs or is never true', async () => {
    for (const ask of [() => new Promise<boolean>(() => {}), async () => false])
      await expect(eventually(ask, 120)).rejects.toThrow('in time')
  })
})
