import { afterEach, describe, expect, test, vi } from 'vitest'
import { withLock } from './tab-lock.ts'

afterEach(() => vi.unstubAllGlobals())

type Request = (name: string, options: unknown, run: (lock: object | null) => unknown) => Promise<unknown>
const withRequest = (request: Request) => vi.stubGlobal('navigator', { locks: { request } })
const say = async (isFree: boolean) => (isFree ? 'free' : 'taken')

describe('withLock', () => {
  test('default: it says whether another tab holds the lock', async () => {
    withRequest(async (_name, _options, run) => run({}))
    expect(await withLock('a', say)).toBe('free')
    withRequest(async (_name, _options, run) => run(null))
    expect(await withLock('a', say)).toBe('taken')
  })

  test('behavior: it is free where the browser has no locks, or gives none', async () => {
    vi.stubGlobal('navigator', {})
    expect(await withLock('a', say)).toBe('free')
    withRequest(() => Promise.reject(new DOMException('Access is denied for this document.', 'SecurityError')))
    expect(await withLock('a', say)).toBe('free')
  })

  test('behavior: what ran is not run again, whatever it threw', async () => {
    withRequest(async (_name, _options, run) => run({}))
    const run = vi.fn(() => Promise.reject(new DOMException('', 'SecurityError')))
    await expect(withLock('a', run)).rejects.toThrow()
    expect(run).toHaveBeenCalledOnce()
  })
})
