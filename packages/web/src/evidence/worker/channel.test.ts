import { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { type ChannelMessage, openChannel } from './channel.ts'

type Calls = {
  double(value: number): Promise<number>
  refuse(reason: string): Promise<never>
  listen(nothing: null): Promise<() => void>
}
const answers: Calls = {
  double: async (value) => value * 2,
  refuse: async (reason) => {
    throw reason === ''
      ? new TypeError('no reason')
      : new CountersignError('RPC_ERROR', 'refused', { data: { reason } })
  },
  listen: async () => () => {},
}

/** Two sides between which every message is cloned, as between a page and its Worker. */
function connect() {
  const posted: number[] = []
  const clone = (messages: readonly ChannelMessage[]) => structuredClone([...messages])
  const page = openChannel<Calls, Record<never, never>>((messages) => {
    const arriving = clone(messages)
    posted.push(arriving.length)
    worker.receive(arriving)
  }, {})
  const worker = openChannel<Record<never, never>, Calls>((messages) => page.receive(clone(messages)), answers)
  return { page, posted }
}

describe('openChannel', () => {
  test('default: each question gets its answer, and those of one turn travel together', async () => {
    const { page, posted } = connect()
    expect(await Promise.all([page.ask('double', 1), page.ask('double', 2)])).toEqual([2, 4])
    expect(posted).toEqual([2])
    expect(page.isIdle()).toBe(true)
  })

  test('error: an error keeps its code and data, or its class', async () => {
    const { page } = connect()
    const refused = await page.ask('refuse', 'node').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(CountersignError)
    expect(refused).toMatchObject({ code: 'RPC_ERROR', message: 'refused', data: { reason: 'node' } })
    await expect(page.ask('refuse', '')).rejects.toThrow(new TypeError('no reason'))
  })

  test('error: only the message that cannot be cloned fails', async () => {
    const { page } = connect()
    const asked = [page.ask('listen', null), page.ask('double', (() => 1) as never), page.ask('double', 3)]
    const settled = await Promise.allSettled(asked)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(page.isIdle()).toBe(true)
  })

  test('error: a side that ends rejects its open questions', async () => {
    const page = openChannel<Calls, Record<never, never>>(() => {}, {})
    const asked = page.ask('double', 1)
    expect(page.isIdle()).toBe(false)
    page.end(new Error('The Worker ended.'))
    await expect(asked).rejects.toThrow('The Worker ended.')
    expect(page.isIdle()).toBe(true)
  })
})
