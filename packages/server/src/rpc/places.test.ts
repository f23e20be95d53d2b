import { describe, expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const settings = { atOnce: 4, atOnceOfOne: 2 }

/** Requests a place, and records when it gets one. */
function ask(places: ReturnType<typeof createPlaces>, key: string, began: string[], signal?: AbortSignal) {
  return places.take({ key, signal }).then((done) => {
    began.push(key)
    return done
  })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('createPlaces', () => {
  test('default: one client has its share, and another begins at once', async () => {
    const began: string[] = []
    const places = createPlaces(settings)
    for (let at = 0; at < 6; at += 1) void ask(places, 'mallory', began)
    void ask(places, 'anna', began)
    await settled()
    expect(began).toEqual(['mallory', 'mallory', 'anna'])
  })

  test('behavior: of many clients, the one with the least recent use is next, not the first to arrive', async () => {
    const began: string[] = []
    let now = 0
    const places = createPlaces({ atOnce: 2, atOnceOfOne: 1 }, () => now)
    const first = await Promise.all([ask(places, 'm1', began), ask(places, 'm2', began)])
    const waiting = ['m1', 'm2', 'm3'].map((key) => ask(places, key, began))
    void ask(places, 'anna', began)
    now = 6_000
    for (const done of first) done()
    await settled()
    expect(began.slice(2)).toEqual(['m3', 'anna'])
    expect(waiting).toHaveLength(3)
  })

  test('behavior: a client that leaves takes no place and does not delay the clients behind it', async () => {
    const began: string[] = []
    const places = createPlaces({ atOnce: 1, atOnceOfOne: 1 })
    const done = await ask(places, 'mallory', began)
    const left = new AbortController()
    const given = ask(places, 'gone', began, left.signal)
    const next = ask(places, 'anna', began)
    left.abort(new Error('left'))
    await expect(given).rejects.toThrow('left')
    done()
    await next
    expect(began).toEqual(['mallory', 'anna'])
    await expect(ask(places, 'late', began, left.signal)).rejects.toThrow('left')
  })

  test('behavior: a cancelled request keeps a place of its own client only', async () => {
    const began: string[] = []
    const places = createPlaces({ atOnce: 2, atOnceOfOne: 1 })
    const done = await ask(places, 'mallory', began)
    done(60_000)
    done()
    void ask(places, 'mallory', began)
    for (const key of ['anna', 'bruno']) void ask(places, key, began)
    await settled()
    expect(began).toEqual(['mallory', 'anna', 'bruno'])
  })
})
