import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'

const setupUrl = new URL('../../../scripts/testing/own-directory.mjs', import.meta.url).href

/** Tests of a package as Vitest runs them: one process, and one that it started, which writes to the same pipe. */
const run = `
  import { spawn } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { setup } from '${setupUrl}'
  setup()
  writeFileSync(tmpdir() + '/file', '')
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  console.log(tmpdir())
  setInterval(() => {}, 1000)
`

describe('setup', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('behavior: %s leaves neither a folder nor a process', async (signal) => {
    // Outside of the directory that these tests have themselves.
    const [outside = tmpdir()] = tmpdir().split('countersign-tests-')
    const env = { ...process.env, TMPDIR: outside, TEMP: outside, TMP: outside }
    const child = spawn(process.execPath, ['--input-type=module', '-e', run], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const directory = String(line).trim()
    expect(directory).toContain('countersign-tests-')
    expect(existsSync(`${directory}/file`)).toBe(true)
    child.kill(signal)
    // The pipe closes when the last process that writes to it has ended.
    await once(child, 'close')
    expect(existsSync(directory)).toBe(false)
  })
})
