import { fail } from '@countersign/contract'
import type { Steps } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { usualAdmission } from '../http/admission.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { createSlices, SLICE_BLOCKS } from './slices.ts'
import { workOf } from './work.ts'

/** Says which client's work each turn did, and how much of it. */
function newTurns() {
  const turns: { client: string; begin: () => void }[] = []
  return {
    take: (client: string, begin: () => void) => void turns.push({ client, begin }),
    /** One turn of the event loop; null: nothing waits. */
    next() {
      const turn = turns.shift()
      turn?.begin()
      return turn?.client ?? null
    },
  }
}

function* stepsOf(costs: readonly number[], did: number[] = []): Steps<number> {
  let sum = 0
  for (const cost of costs) {
    yield cost
    did.push(cost)
    sum += cost
  }
  return sum
}

const ones = (count: number) => Array.from({ length: count }, () => 1)

describe('createSlices', () => {
  test.each<[string, number[], number]>([
    ['nothing', [], 1],
    ['less than a slice', ones(SLICE_BLOCKS - 1), 1],
    ['a slice', ones(SLICE_BLOCKS), 2],
    ['ten slices', ones(10 * SLICE_BLOCKS), 11],
    ['one long step', [5_000], 2],
    ['long steps among short ones', [1, 5_000, 1, 5_000], 3],
    ['3,000 texts of a list', ones(6_000), 94],
  ])('behavior: %s', async (_name, costs, slices) => {
    const turns = newTurns()
    const result = createSlices(turns).run('a', stepsOf(costs))
    let taken = 0
    while (turns.next() !== null) taken += 1
    expect(taken).toBe(slices)
    expect(await result).toBe(costs.reduce((sum, cost) => sum + cost, 0))
  })

  test('behavior: a slice runs at most its blocks and one step', () => {
    const turns = newTurns()
    const did: number[] = []
    void createSlices(turns).run('a', stepsOf([...ones(200)], did))
    let before = 0
    while (turns.next() !== null) {
      expect(did.length - before).toBeLessThanOrEqual(SLICE_BLOCKS)
      before = did.length
    }
  })

  test('error: rethrows the error of the work', async () => {
    const turns = newTurns()
    const result = createSlices(turns).run('a', failing())
    while (turns.next() !== null);
    await expect(result).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  })
})

function* failing(): Steps<never> {
  yield SLICE_BLOCKS
  throw fail('NOT_SIGNED_IN')
}

describe('workOf', () => {
  const clock = () => new Date(0)
  const newAdmission = (rate = usualAdmission.rates.work) => {
    const limit = createRateLimit({ ...rate, clock })
    const take = (_name: string, key: string, cost?: number) => limit.take(key, cost)
    const giveBack = (_name: string, key: string, cost: number) => limit.giveBack(key, cost)
    return { take, giveBack, slices: createSlices({ take: (_client, begin) => queueMicrotask(begin) }) }
  }

  test('error: RATE_LIMITED before anything is computed, and not for other accounts', async () => {
    const admission = newAdmission({ burst: 100, perSecond: 1 })
    const did: number[] = []
    await workOf(admission, 'a').run(90, stepsOf(ones(90), did))
    expect(did).toHaveLength(90)
    await expect(workOf(admission, 'a').run(11, stepsOf(ones(11), did))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(did).toHaveLength(90)
    expect(await workOf(admission, 'b').run(100, stepsOf(ones(100)))).toBe(100)
  })

  test.each<[string, (admission: ReturnType<typeof newAdmission>) => Promise<unknown>]>([
    ['cost less than was said', (admission) => workOf(admission, 'a').run(100, stepsOf(ones(10)))],
    [
      'failed early',
      (admission) =>
        workOf(admission, 'a')
          .run(100, failing())
          .catch(() => null),
    ],
  ])('behavior: what %s gives the rest back', async (_name, use) => {
    const admission = newAdmission({ burst: 100, perSecond: 1 })
    await use(admission)
    expect(await workOf(admission, 'a').run(30, stepsOf(ones(30)))).toBe(30)
  })
})
