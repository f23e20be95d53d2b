import { describe, expect, test } from 'vitest'
import { createRequestTurns, type Sender } from './turns.ts'

const stranger = (network: string): Sender => ({ network, account: null })
const known = (account: string, network = 'home'): Sender => ({ network, account })
const strangers = (count: number) => Array.from({ length: count }, (_, at) => stranger(`n${at}`))
const times = (count: number, one: Sender) => Array.from({ length: count }, () => one)

/** Lets these ask at once behind one that has just begun. @returns who began, in order */
async function orderOf(senders: readonly Sender[]): Promise<string[]> {
  const turns = createRequestTurns()
  const order: string[] = []
  await new Promise<void>((resolve) => {
    turns.take(stranger('first'), () => {})
    for (const { network, account } of senders)
      turns.take({ network, account }, () => {
        order.push(account ?? network)
        if (order.length === senders.length) resolve()
      })
  })
  return order
}

describe('the order in which requests begin', () => {
  test.each<[string, Sender[], string, number]>([
    ['a thousand networks of strangers', strangers(1_000), 'alice', 1],
    ['one network that asks a thousand times', times(1_000, stranger('n')), 'alice', 1],
    ['strangers of its own network', times(1_000, stranger('home')), 'alice', 1],
    ['another account that asks a thousand times', times(1_000, known('mallory', 'm')), 'alice', 1],
    [
      'another account that asks from a thousand networks',
      strangers(1_000).map(({ network }) => known('mallory', network)),
      'alice',
      1,
    ],
    [
      'a thousand accounts of one other network',
      strangers(1_000).map(({ network }) => known(`account of ${network}`, 'm')),
      'alice',
      1,
    ],
    ['another account of its own network', times(1_000, known('mallory')), 'alice', 1],
    [
      'strangers of a thousand networks and another account',
      [...strangers(1_000), ...times(1_000, known('mallory', 'm'))],
      'alice',
      3,
    ],
  ])('behavior: a known account waits for few of %s', async (_, others, account, most) => {
    const order = await orderOf([...others, known(account)])
    expect(order.indexOf(account)).toBeLessThanOrEqual(most)
    expect(order).toHaveLength(others.length + 1)
  })

  test('behavior: strangers get every second turn while known accounts wait, and every turn afterwards', async () => {
    expect(await orderOf([...strangers(4), ...times(2, known('alice'))])).toEqual([
      'n0',
      'alice',
      'n1',
      'alice',
      'n2',
      'n3',
    ])
  })

  test('behavior: strangers wait for at most one known account', async () => {
    const order = await orderOf([...times(1_000, known('alice')), stranger('n')])
    expect(order.indexOf('n')).toBe(1)
  })

  test('behavior: networks of strangers take turns', async () => {
    expect(await orderOf([...times(3, stranger('loud')), stranger('quiet')])).toEqual(['loud', 'quiet', 'loud', 'loud'])
  })

  test('behavior: requests of one account begin in order, whatever networks they come from', async () => {
    const turns = createRequestTurns()
    const order: number[] = []
    await new Promise<void>((resolve) => {
      for (const at of [0, 1, 2, 3])
        turns.take(known('alice', `n${at}`), () => {
          order.push(at)
          if (at === 3) resolve()
        })
    })
    expect(order).toEqual([0, 1, 2, 3])
  })
})
