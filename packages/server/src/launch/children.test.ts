import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { identifyProcess, isRunning } from '../postgres/process-identity.ts'
import { ChildRegistry } from './children.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-children-'))
afterAll(() => rmSync(directory, { recursive: true }))
const warn = (line: string) => {
  throw new Error(line)
}

/** Ends the process that a killed run left, recorded with or without its start time. */
async function endLeft(hasStartTime: boolean) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const identity = identifyProcess(child.pid ?? 0)
  new ChildRegistry(directory, warn).add('server', hasStartTime ? identity : { ...identity, startTime: null })
  const said: string[] = []
  await new ChildRegistry(directory, warn).endLeftovers(directory, (line) => said.push(line))
  return { identity, said }
}

describe('endLeftovers', () => {
  test('default: ends the recorded process, and forgets it', async () => {
    const { identity, said } = await endLeft(true)
    expect(isRunning(identity)).toBe(false)
    expect(said).toEqual([`The server of an earlier run (process ${identity.pid}) still runs; stopping it`])
    expect(existsSync(join(directory, 'children.json'))).toBe(false)
  })

  test('behavior: does not end a process that may have reused the ID of the recorded one', async () => {
    const { identity, said } = await endLeft(false)
    expect(isRunning(identity)).toBe(true)
    expect(said).toEqual([])
  })
})
