import { byteBudgets, measurePageBytes, startScene } from '@countersign/e2e'
import type { Entry } from '../entry.ts'

/** Prints the bytes that `page-bytes.test.ts` holds to their budgets. */
export const javascript: Entry = {
  name: 'javascript',
  about: 'JavaScript fetched by the first page, the wallet dialog, and queue and Home of a team, in each language',
  async run() {
    const scene = await startScene({
      configuration: {
        walletConnect: { relayUrl: 'ws://127.0.0.1:9' },
        safeApp: { allowedHosts: ['https://app.safe.global'] },
        coinbase: true,
      },
    })
    try {
      const measured = await measurePageBytes(scene)
      return measured.flatMap(({ page, language, ...fetched }) => {
        const budget = byteBudgets[page]
        const line = (what: string, value: number, goal: number, unit = 'B') => ({
          what: `${page}, ${language}: ${what}`,
          value,
          unit,
          goal: { value: goal, isAtMost: true },
        })
        return [
          line('JavaScript, gzip', fetched.javascript, budget.javascript),
          line('Workers, gzip', fetched.worker, budget.worker),
          line('requests', fetched.requests, budget.requests, ''),
          line('requests to other hosts', fetched.foreign, 0, ''),
        ]
      })
    } finally {
      await scene.close()
    }
  },
}
