import { describe, expect, test } from 'vitest'
import { parseLiveEvent } from './stream.ts'

const safeAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const safeTxHash = `0x${'ab'.repeat(32)}`

describe('parseLiveEvent', () => {
  test('default', () => {
    const event = { kind: 'transaction', chainId: 31337, safeAddress, safeTxHash }
    expect(parseLiveEvent(JSON.stringify(event))).toEqual(event)
  })

  test.each(['', 'null', '{}', '{"kind":"other"}', `{"kind":"safe","chainId":"1","safeAddress":"${safeAddress}"}`])(
    'behavior: %s is no event',
    (data) => expect(parseLiveEvent(data)).toBeUndefined(),
  )
})
