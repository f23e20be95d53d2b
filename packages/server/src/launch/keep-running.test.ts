import { spawn } from 'node:child_process'
import type { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { createPart, type Patience, type Running } from './keep-running.ts'

const patience: Patience = { mostEnds: 3, steadyMilliseconds: 60_000, firstPause: 10, longestPause: 20 }

/** A real process; ready as soon as it has written a line. */
function run(script: string): Running<number> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = Promise.race([
    new Promise<number>((resolve) => child.stdout.once('data', () => resolve(child.pid ?? 0))),
    exited.then(() => {
      throw new Error('it ended before it was ready')
    }),
  ])
  return {
    ready,
    exited: exited.then((code) => ({ code, lastLines: [] })),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
    kill: () => child.kill('SIGKILL'),
  }
}

const lives = `console.log('ready'); setInterval(() => {}, 1000)`
const dies = `console.log('ready'); setTimeout(() => process.exit(3), 20)`
const refuses = 'process.exit(4)'

function part(scripts: string[]) {
  const said: string[] = []
  const ready: number[] = []
  let givenUp: (error: CountersignError) => void = () => {}
  const end = new Promise<CountersignError>((resolve) => {
    givenUp = resolve
  })
  const made = createPart<number>({
    name: 'The part',
    spawn: () => run(scripts.shift() ?? lives),
    untilPossible: async () => {},
    onReady: (pid) => ready.push(pid),
    onGivenUp: givenUp,
    announcer: { warn: (text) => said.push(text), progress: (text) => said.push(text) },
    patience,
  })
  return { ...made, said, readyPids: ready, end }
}

describe('createPart', () => {
  test('default: started again when it ends, and it is said', async () => {
    const kept = part([dies, refuses, lives])
    await kept.start()
    await expect.poll(() => kept.readyPids.length, { timeout: 60_000 }).toBe(2)
    expect(kept.said.join('\n')).toMatch(/The part ended with exit code 3\.\s+It is started again in 0\.0 s/)
    expect(kept.said.at(-1)).toBe('The part runs again')
    await kept.stop()
  })

  test('error: PART_ENDED after too many ends in a row', async () => {
    const kept = part([dies, refuses, dies])
    await kept.start()
    expect(await kept.end).toMatchObject({ code: 'PART_ENDED', data: { part: 'The part', ends: 3 } })
  })

  test('error: the first start fails as a whole', async () => {
    await expect(part([refuses]).start()).rejects.toThrow('before it was ready')
  })

  test('behavior: let end and started with what has changed, which is no failure', async () => {
    const kept = part([lives, lives, lives, lives])
    await kept.start()
    for (let count = 2; count <= 4; count += 1) {
      await kept.restart()
      await expect.poll(() => kept.readyPids.length, { timeout: 60_000 }).toBe(count)
    }
    await kept.stop()
    expect(kept.said.join('\n')).not.toContain('started again in')
  })

  test('behavior: nothing is started after it was stopped', async () => {
    const kept = part([dies])
    await kept.start()
    await kept.stop()
    await kept.ready()
    expect(kept.readyPids).toHaveLength(1)
  })
})
