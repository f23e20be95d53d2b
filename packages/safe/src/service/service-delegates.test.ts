import { describe, expect, it } from 'vitest'
import { parseServiceDelegates } from './service-delegates.ts'

const safe = '0x2222222222222222222222222222222222222222'
const [owner, delegate] = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC']
const answered = (fields: object = {}) => ({
  safe,
  delegate,
  delegator: owner,
  label: ' Dave ',
  expiryDate: null,
  ...fields,
})
const read = (value: unknown) => parseServiceDelegates(JSON.stringify(value), safe)

describe('parseServiceDelegates', () => {
  it('reads delegates of the Safe and of all Safes of an owner, each once', () => {
    const until = '2027-01-02T03:04:05Z'
    const { delegates, unusable } = read({
      results: [answered(), answered(), answered({ safe: null, expiryDate: until })],
    })
    expect(unusable).toBe(0)
    expect(delegates).toEqual([
      { safeAddress: safe, delegate, delegator: owner, label: 'Dave', expiryDate: null },
      { safeAddress: null, delegate, delegator: owner, label: 'Dave', expiryDate: until },
    ])
  })

  it('counts what is for another Safe, no address, or has no time', () => {
    const bad = [answered({ safe: owner }), answered({ delegate: 'dave' }), answered({ expiryDate: 'soon' }), 7, null]
    expect(read({ results: bad })).toEqual({ delegates: [], unusable: 5, beyond: 0 })
    expect(read(Array.from({ length: 50_000 }, () => answered()))).toMatchObject({ unusable: 0, beyond: 49_500 })
  })
})
