import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { gatherWrites } from './gather-writes.ts'

/** A stream, and what reached its other end by each call. */
function open(): { stream: Duplex; calls: string[] } {
  const calls: string[] = []
  const stream = new Duplex({
    read() {},
    write(chunk, _, done) {
      calls.push(String(chunk))
      done()
    },
    writev(chunks, done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  gatherWrites(stream)
  return { stream, calls }
}

describe('gatherWrites', () => {
  test('default: what is written before the program waits goes out together, in order', async () => {
    const { stream, calls } = open()
    stream.write('begin;')
    await Promise.resolve()
    stream.write('select 1;')
    await new Promise((resolve) => setImmediate(resolve))
    stream.write('commit;')
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).toEqual(['begin;select 1;', 'commit;'])
  })

  test('behavior: keeps what the writer corks itself, and says when it was written', async () => {
    const { stream, calls } = open()
    let isWritten = false
    stream.cork()
    stream.write('bind;')
    stream.write('execute;', () => {
      isWritten = true
    })
    stream.uncork()
    expect(calls).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect([calls, isWritten]).toEqual([['bind;execute;'], true])
  })

  test('behavior: a stream that was destroyed meanwhile stays so', async () => {
    const { stream, calls } = open()
    stream.on('error', () => {})
    stream.write('lost;')
    stream.destroy(new Error('PostgreSQL does not answer'))
    await new Promise((resolve) => setImmediate(resolve))
    expect([calls, stream.destroyed]).toEqual([[], true])
  })
})
