import { describe, expect, test } from 'vitest'
import { eventually } from './test-server.ts'

describe('eventually', () => {
  test('error: ends in time if the callback hangs or never returns a value', async () => {
    for (const ask of [() => new Promise<boolean>(() => {}), async () => false])
      await expect(eventually(ask, 120)).rejects.toThrow('in time')
  })
})
