import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asRefusal, findRefusal, findShortage } from './refusal.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-refusal-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function failureOf(work: () => void): Error & { code?: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it did not fail')
}

describe('asRefusal', () => {
  test('error: DISK_FULL', () => {
    // On Linux the device that is always full says it itself.
    const full = existsSync('/dev/full')
      ? failureOf(() => writeFileSync('/dev/full', 'a line'))
      : Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    expect(asRefusal(directory, full)).toMatchObject({
      code: 'DISK_FULL',
      data: { path: directory, systemError: 'ENOSPC' },
    })
  })

  test('error: DATA_NOT_WRITABLE names a read-only file system', () => {
    const cause = Object.assign(new Error('EROFS'), { code: 'EROFS' })
    const refusal = asRefusal(directory, cause)
    expect(refusal.code).toBe('DATA_NOT_WRITABLE')
    expect(refusal.message).toBe(
      `The data directory \`${directory}\` cannot be written: its file system is mounted read-only (EROFS).`,
    )
  })

  test('error: DATA_NOT_WRITABLE for a directory that cannot be made, by what refuses it', () => {
    writeFileSync(join(directory, 'file'), '')
    const path = join(directory, 'file', 'data')
    const cause = failureOf(() => mkdirSync(path, { recursive: true }))
    expect(asRefusal(path, cause)).toMatchObject({
      code: 'DATA_NOT_WRITABLE',
      data: { directory: path, systemError: 'ENOTDIR' },
    })
  })
})

describe('findRefusal', () => {
  test('error: DISK_FULL of a write, which names no path', () => {
    const full = existsSync('/dev/full')
      ? failureOf(() => writeFileSync('/dev/full', 'a line'))
      : Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
    expect(full).not.toHaveProperty('path')
    expect(findRefusal(directory, full)).toMatchObject({ code: 'DISK_FULL', data: { path: directory } })
  })

  test('behavior: a connection that breaks is no word of the file system', () => {
    const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    expect(findRefusal(directory, broken)).toBeNull()
    expect(findRefusal(directory, new Error('anything else'))).toBeNull()
  })
})

describe('findShortage', () => {
  test('error: DISK_FULL with what is left and what is needed, of a directory that is not there yet, too', () => {
    const path = join(directory, 'not', 'yet')
    const shortage = findShortage(path, Number.MAX_SAFE_INTEGER)
    expect(shortage).toMatchObject({ code: 'DISK_FULL', data: { path } })
    expect(shortage?.message).toMatch(/has `\d+` MiB left; Countersign needs `\d+` MiB/)
    expect(findShortage(path, 0)).toBeNull()
  })
})
