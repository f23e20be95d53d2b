import { describe, expect, test } from 'vitest'
import { createLane } from './lane.ts'

/** Work that ends when it is told to. */
function newWork() {
  const ends: (() => void)[] = []
  const started: string[] = []
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const endNext = async () => {
    await settle()
    ends.shift()?.()
    await settle()
  }
  return { work, started, endNext, settle }
}

const settings = { atOnce: 2, atOnceOfOne: 1, waiting: 8, milliseconds: 60_000 }

describe('createLane', () => {
  test('default: so many run at a time, the others wait for their turn', async () => {
    const { work, started, endNext, settle } = newWork()
    const lane = createLane({ ...settings, atOnceOfOne: 2 })
    const done = ['1', '2', '3'].map((name) => lane.run('one', work(name)))
    await settle()
    expect(started).toEqual(['1', '2'])
    expect([lane.running(), lane.waiting()]).toEqual([2, 1])
    await endNext()
    expect(started).toEqual(['1', '2', '3'])
    await endNext()
    await endNext()
    expect(await Promise.all(done)).toEqual(['1', '2', '3'])
    expect([lane.running(), lane.waiting()]).toEqual([0, 0])
  })

  test('behavior: who asks takes turns with the others, however many requests one has waiting', async () => {
    const { work, started, endNext } = newWork()
    const lane = createLane({ ...settings, atOnce: 1, waiting: 40 })
    for (let at = 0; at < 10; at += 1) void lane.run('flood', work(`flood ${at}`))
    void lane.run('other', work('other'))
    void lane.run('third', work('third'))
    for (let at = 0; at < 3; at += 1) await endNext()
    expect(started).toEqual(['flood 0', 'flood 1', 'other', 'third'])
  })

  test('behavior: requests about one chain leave places to those about others, of the same client, too', async () => {
    const { work, started, endNext, settle } = newWork()
    const lane = createLane({ ...settings, atOnce: 3, atOnceOfOne: 3, atOnceOfChain: 1 })
    for (const name of ['away 1', 'away 2', 'away 3']) void lane.run('one', work(name), 'away')
    void lane.run('one', work('well 1'), 'well')
    void lane.run('other', work('well 2'), 'well')
    void lane.run('other', work('none'))
    await settle()
    expect(started).toEqual(['away 1', 'well 1', 'none'])
    await endNext()
    expect(started.slice(3)).toEqual(['away 2'])
    await endNext()
    expect(started.slice(4)).toEqual(['well 2'])
  })

  test('behavior: one alone takes neither all places to run nor all places to wait', async () => {
    const { work, started, settle } = newWork()
    const lane = createLane(settings)
    const flood = Array.from({ length: 20 }, (_, at) =>
      lane.run('flood', work(`flood ${at}`)).catch(({ code }) => code),
    )
    void lane.run('other', work('other'))
    await settle()
    expect(started).toEqual(['flood 0', 'other'])
    void lane.run('other', work('other 2'))
    expect(lane.waiting()).toBe(3)
    expect(await Promise.race(flood.slice(3))).toBe('OVERLOADED')
  })

  test('error: OVERLOADED: when all places to wait are taken, and after the longest wait', async () => {
    const { work } = newWork()
    const lane = createLane({ ...settings, waiting: 4, milliseconds: 20 })
    for (const key of ['a', 'b']) void lane.run(key, work(key))
    const waiting = ['c', 'd', 'e', 'f'].map((key) => lane.run(key, work(key)))
    await expect(lane.run('g', work('g'))).rejects.toMatchObject({ code: 'OVERLOADED', data: { retryAfterSeconds: 2 } })
    for (const place of waiting) await expect(place).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect([lane.running(), lane.waiting()]).toEqual([2, 0])
  })

  test('behavior: one that ends makes room for another of its client, and for another about its chain', async () => {
    const { work, started, endNext } = newWork()
    const lane = createLane({ ...settings, atOnce: 8, atOnceOfChain: 1 })
    void lane.run('one', work('a'), '1')
    void lane.run('one', work('b'), '10')
    void lane.run('two', work('c'), '1')
    await endNext()
    expect(started).toEqual(['a', 'b', 'c'])
    await endNext()
    await endNext()
    expect([lane.running(), lane.waiting()]).toEqual([0, 0])
  })

  test('behavior: what fails gives its place back, and what is left twice gives back one', async () => {
    const lane = createLane(settings)
    await expect(lane.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(lane.running()).toBe(0)
    const leave = await lane.enter('one')
    const leaveOther = await lane.enter('other')
    leave()
    leave()
    expect(lane.running()).toBe(1)
    leaveOther()
  })
})
