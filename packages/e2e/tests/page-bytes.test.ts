import { afterAll, beforeAll, expect, test } from 'vitest'
import { byteBudgets, measurePageBytes } from '../src/pages/page-bytes.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  // All ways of connecting are offered. Nobody picks one, so the relay is never reached.
  scene = await startScene({
    configuration: {
      walletConnect: { relayUrl: 'ws://127.0.0.1:9' },
      safeApp: { allowedHosts: ['https://app.safe.global'] },
      coinbase: true,
    },
  })
})
afterAll(() => scene?.close())

test('behavior: pages stay within their bytes and requests in every language, and ask no other host', async () => {
  const measured = await measurePageBytes(scene)
  const exceeded = measured.flatMap(({ page, language, foreign, ...fetched }) => {
    const budget = byteBudgets[page]
    const over = (['javascript', 'worker', 'requests'] as const).filter((what) => fetched[what] > budget[what])
    return over.map((what) => `${page}, ${language}: ${what} ${fetched[what]}, budget ${budget[what]}`)
  })
  expect(exceeded).toEqual([])
  expect(measured.filter(({ foreign }) => foreign > 0)).toEqual([])
  expect(measured.find(({ page, language }) => page === 'queue' && language === 'en')?.worker).toBeGreaterThan(0)
})
