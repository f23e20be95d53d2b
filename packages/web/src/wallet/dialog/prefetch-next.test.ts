import { describe, expect, test } from 'vitest'
import { filesAfterSignIn, savesData } from './prefetch-next.ts'

describe('savesData', () => {
  test.each([
    [undefined, false],
    [{}, false],
    [{ saveData: false, effectiveType: '4g' }, false],
    [{ effectiveType: '5g' }, false],
    [{ saveData: true }, true],
    [{ saveData: true, effectiveType: '4g' }, true],
    [{ effectiveType: 'slow-2g' }, true],
    [{ effectiveType: '2g' }, true],
    [{ saveData: false, effectiveType: '3g' }, true],
  ])('behavior: %o: %s', (connection, expected) => expect(savesData(connection ? { connection } : {})).toBe(expected))
})

describe('filesAfterSignIn', () => {
  const pageWith = (content: string | null) => ({
    querySelector: () => (content === null ? null : { getAttribute: () => content }) as Element | null,
  })

  test("default: the code, and the texts of the reader's language alone", () => {
    const named =
      '/assets/my-safes-1.js /assets/safe-2.js /assets/de-safe-3.js /assets/en-safe-4.js /assets/zh-safe-5.js'
    expect(filesAfterSignIn(pageWith(named), 'en')).toEqual([
      '/assets/my-safes-1.js',
      '/assets/safe-2.js',
      '/assets/en-safe-4.js',
    ])
    expect(filesAfterSignIn(pageWith(named), 'zh')).toEqual([
      '/assets/my-safes-1.js',
      '/assets/safe-2.js',
      '/assets/zh-safe-5.js',
    ])
  })

  test.each([null, '', ' ', 'https://evil.example/assets/a-1.js', '//evil.example/assets/a-1.js', '/api/session'])(
    'behavior: `%s` names no file of ours',
    (content) => expect(filesAfterSignIn(pageWith(content), 'en')).toEqual([]),
  )
})
