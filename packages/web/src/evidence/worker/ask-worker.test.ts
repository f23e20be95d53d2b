import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChannelMessage } from './channel.ts'

/** A Worker that answers what the test tells it to. */
class ScriptedWorker {
  static opened: ScriptedWorker[] = []
  onmessage: ((event: { data: ChannelMessage[] }) => void) | null = null
  onerror: ((event: { message: string }) => void) | null = null
  isEnded = false
  readonly asked: ChannelMessage[] = []

  constructor() {
    ScriptedWorker.opened.push(this)
  }
  postMessage(messages: ChannelMessage[]): void {
    this.asked.push(...messages)
  }
  terminate(): void {
    this.isEnded = true
  }
  answer(output: unknown): void {
    const { id = 0 } = this.asked.at(-1) ?? {}
    this.onmessage?.({ data: [{ kind: 'answer', id, output }] })
  }
  failTo(message: string): void {
    const { id = 0 } = this.asked.at(-1) ?? {}
    this.onmessage?.({ data: [{ kind: 'failure', id, error: { name: 'TypeError', message } }] })
  }
}

const place = { chainId: 1, sources: { needed: 1, wallet: null, maxBlocksBehind: 25 } }
let ask: () => Promise<bigint>
let holdBlock: (chainId: number) => () => Promise<void>
const settle = () => vi.advanceTimersByTimeAsync(0)
const last = () => ScriptedWorker.opened.at(-1) as ScriptedWorker

beforeEach(async () => {
  // Tests of other files share the module, and may have opened its Worker.
  vi.resetModules()
  const module = await import('./ask-worker.ts')
  ask = () => module.askWorker('newestBlock', place)
  holdBlock = module.holdBlock
  vi.useFakeTimers()
  vi.stubGlobal('Worker', ScriptedWorker)
})
afterEach(async () => {
  ScriptedWorker.opened = []
  onlineManager.setOnline(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  // The next file must not ask the Worker of this one.
  vi.resetModules()
})

describe('askWorker', () => {
  test('default: one Worker answers every question', async () => {
    const first = ask()
    await settle()
    last().answer(7n)
    expect(await first).toBe(7n)
    const second = ask()
    await settle()
    last().answer(8n)
    expect(await second).toBe(8n)
    expect(ScriptedWorker.opened).toHaveLength(1)
  })

  test('error: a Worker that ends fails what was asked, and the next question starts another', async () => {
    const asked = expect(ask()).rejects.toMatchObject({
      code: 'REVIEW_INCOMPLETE',
      data: { reason: 'worker' },
      cause: new Error('out of memory'),
    })
    await settle()
    last().onerror?.({ message: 'out of memory' })
    await asked
    expect(last().isEnded).toBe(true)
    const again = ask()
    await settle()
    last().answer(9n)
    expect(await again).toBe(9n)
    expect(ScriptedWorker.opened).toHaveLength(2)
  })

  test('error: a Worker that falls silent is ended', async () => {
    const asked = expect(ask()).rejects.toMatchObject({
      code: 'REVIEW_INCOMPLETE',
      cause: new Error('The Worker does not answer.'),
    })
    await vi.advanceTimersByTimeAsync(60_000)
    await asked
    expect(last().isEnded).toBe(true)
  })

  test('behavior: a Worker that answers pings is waited for', async () => {
    const asked = ask()
    await settle()
    const { id } = last().asked[0] as ChannelMessage
    for (let pings = 0; pings < 10; pings++) {
      await vi.advanceTimersByTimeAsync(15_000)
      last().answer(undefined)
    }
    last().onmessage?.({ data: [{ kind: 'answer', id, output: 3n }] })
    expect(await asked).toBe(3n)
  })

  test('error: code that did not load ends the Worker, which would remember the failed import', async () => {
    const asked = expect(ask()).rejects.toThrow(TypeError)
    await settle()
    last().failTo('Failed to fetch dynamically imported module: /assets/policy-worker.js')
    await asked
    expect(last().isEnded).toBe(true)
  })

  test('error: SERVER_UNREACHABLE without a network, and no Worker is started', async () => {
    onlineManager.setOnline(false)
    await expect(ask()).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' })
    expect(ScriptedWorker.opened).toHaveLength(0)
  })
})

describe('holdBlock', () => {
  const released = (worker: ScriptedWorker) =>
    worker.asked.filter((message) => message.kind === 'ask' && message.name === 'releaseBlock')

  test('default: releases the block once', async () => {
    const release = holdBlock(1)
    await settle()
    last().answer(undefined)
    const releasing = release()
    await settle()
    last().answer(undefined)
    await releasing
    expect(released(last())).toMatchObject([{ input: 1 }])
  })

  test('behavior: a Worker that was started after its end is not asked to release the block', async () => {
    const release = holdBlock(1)
    await settle()
    last().answer(undefined)
    await settle()
    last().onerror?.({ message: 'out of memory' })
    const asked = ask()
    const releasing = release()
    await settle()
    expect(ScriptedWorker.opened).toHaveLength(2)
    expect(released(last())).toEqual([])
    last().answer(9n)
    await Promise.all([asked, releasing])
  })
})
