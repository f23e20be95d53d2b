import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** The groups of what runs now: ended with us when we are told to end. */
const groups = new Set()

/**
 * Runs a program in the repository's root.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ isQuiet?: boolean, env?: Record<string, string>, within?: number }} [options] `isQuiet` keeps the output
 *   for the caller instead of showing it; `within` is a time limit in milliseconds.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { isQuiet = false, env = {}, within } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...(isQuiet ? { NO_COLOR: '1' } : {}), ...env },
      stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
    })
    groups.add(child)
    let output = ''
    const keep = (chunk) => {
      output += String(chunk)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const timer =
      within === undefined
        ? undefined
        : setTimeout(() => {
            keep(`\nNot finished within ${within / 1000} s, ended.\n`)
            console.error(`${command} ${args.join(' ')}: not finished within ${within / 1000} s, ended.`)
            endGroup(child, 'SIGKILL')
          }, within)
    const finish = (code) => {
      clearTimeout(timer)
      groups.delete(child)
      resolve({ code, output: stripVTControlCharacters(output) })
    }
    child.once('error', (error) => {
      keep(String(error))
      finish(127)
    })
    child.once('close', (code) => finish(code ?? 1))
  })
}

/** Runs a script of ours, or of a package, with this very Node. */
export function runNode(args, options) {
  return run(process.execPath, args, options)
}

function endGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It ended in between.
  }
}

/** For scripts that only wait for what they run: a signal ends that, and then the script. @returns undoes it */
export function endChildrenWithUs() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const end = () => {
    stopListening()
    for (const child of groups) endGroup(child, 'SIGTERM')
    setTimeout(() => {
      for (const child of groups) endGroup(child, 'SIGKILL')
      process.exit(130)
    }, 5_000).unref()
    process.exitCode = 130
  }
  const stopListening = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return stopListening
}
