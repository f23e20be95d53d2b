import type { ReviewList } from '@countersign/contract'
import { zeroAddress } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { askReviewList } from './review-lists.ts'

const lists = {
  claims: { proposals: [], others: [], deleted: [] },
  abis: { abis: [], nextCursor: null },
  policy: { inForce: null, proposed: null },
}
const other = '0x00000000000000000000000000000000000000A1'

/** Answers with what is asked for, but for one list that is left out. Gives what was asked for. */
function serve(leftOut?: ReviewList): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://page.test')
    const names = (searchParams.get('lists') ?? '').split(',')
    asked.push(`${pathname.split('/').at(-2)} ${names.join(',')}`)
    const said = Object.entries(lists).filter(([name]) => names.includes(name) && name !== leftOut)
    return Response.json(Object.fromEntries(said))
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('askReviewList', () => {
  test('default: lists of one tick travel together, of each Safe', async () => {
    const asked = serve()
    const answers = await Promise.all([
      askReviewList(1, zeroAddress, 'claims'),
      askReviewList(1, zeroAddress, 'policy'),
      askReviewList(1, other, 'abis'),
    ])
    expect(answers).toEqual([lists.claims, lists.policy, lists.abis])
    expect(asked).toEqual([`${zeroAddress} claims,policy`, `${other} abis`])
  })

  test('behavior: what is asked while a question is on its way is asked anew', async () => {
    const asked = serve()
    const first = askReviewList(1, zeroAddress, 'policy')
    await new Promise((resolve) => setTimeout(resolve, 0))
    await Promise.all([first, askReviewList(1, zeroAddress, 'policy')])
    expect(asked).toEqual([`${zeroAddress} policy`, `${zeroAddress} policy`])
  })

  test('error: INTERNAL, where the server leaves a list out; the others are there', async () => {
    serve('policy')
    const [abis, policy] = await Promise.allSettled([
      askReviewList(1, zeroAddress, 'abis'),
      askReviewList(1, zeroAddress, 'policy'),
    ])
    expect(abis).toEqual({ status: 'fulfilled', value: lists.abis })
    expect(policy).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL' } })
  })
})
