import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockDirectory } from './lock.ts'
import { identifyProcess } from './process-identity.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('lockDirectory', () => {
  test('default: released, nothing is left', () => {
    lockDirectory(directory).release()
    expect(readdirSync(directory)).toEqual([])
  })

  test('behavior: the lock of a process that has died is taken over, aloud', () => {
    writeFileSync(join(directory, 'lock.json'), JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1' }))
    const lines: string[] = []
    lockDirectory(directory, (line) => lines.push(line))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(readFileSync(join(directory, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
    expect(readdirSync(directory)).toEqual(['lock.json'])
  })

  test.runIf(process.platform === 'linux')('behavior: a pid that another process has by now holds nothing', () => {
    writeFileSync(join(directory, 'lock.json'), JSON.stringify({ pid: process.pid, startTime: '1' }))
    expect(() => lockDirectory(directory)).not.toThrow()
  })

  test('behavior: a lock that cannot be read is stale', () => {
    writeFileSync(join(directory, 'lock.json'), '')
    expect(() => lockDirectory(directory)).not.toThrow()
  })

  test('error: DATA_IN_USE', () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })
    try {
      const text = JSON.stringify(identifyProcess(other.pid ?? 0))
      writeFileSync(join(directory, 'lock.json'), text)
      expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'DATA_IN_USE' }))
      expect(readFileSync(join(directory, 'lock.json'), 'utf8')).toBe(text)
      expect(readdirSync(directory)).toEqual(['lock.json'])
    } finally {
      other.kill('SIGKILL')
    }
  })

  test('error: DATA_NOT_WRITABLE', () => {
    expect(() => lockDirectory(join(directory, 'missing'))).toThrow(
      expect.objectContaining({ code: 'DATA_NOT_WRITABLE' }),
    )
  })
})
