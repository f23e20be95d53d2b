import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLogFile } from './log-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-log-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('openLogFile', () => {
  test('behavior: a file that cannot be written is said once, and written when it can be', async () => {
    const path = join(directory, 'server.log')
    mkdirSync(path)
    const warnings: string[] = []
    const log = openLogFile(path, (line) => warnings.push(line), 0)
    log.write('lost')
    await expect.poll(() => warnings, { timeout: 60_000 }).toEqual([expect.stringContaining('EISDIR')])
    rmSync(path, { recursive: true })
    await expect
      .poll(
        () => {
          log.write('kept')
          return statSync(path, { throwIfNoEntry: false })?.size ?? 0
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
    await log.close()
    expect(readFileSync(path, 'utf8')).toMatch(/^(kept\n)+$/)
    expect(warnings).toHaveLength(1)
  })
})
