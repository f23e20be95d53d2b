import { execFileSync } from 'node:child_process'
import { root } from '../run.mjs'

// Checks the length of the subjects of the newest commits. Without git, or without a history, there is nothing to check.

const MAX_SUBJECT = 72
/** Older commits are not rewritten. */
const COMMITS = 20

/** @returns an error message for the subject of a commit, or null */
function faultOf(commit, subject) {
  const { length } = [...subject]
  if (length <= MAX_SUBJECT) return null
  return `commit ${commit}: the subject has ${length} characters, more than ${MAX_SUBJECT}: shorten it with \`git commit --amend\` or \`git rebase -i\`: ${subject}`
}

function check() {
  const args = ['log', `--max-count=${COMMITS}`, '--no-merges', '--format=%h %s']
  try {
    const lines = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return lines
      .split('\n')
      .map((line) => faultOf(...(line.match(/^(\S+) (.*)$/)?.slice(1) ?? ['', ''])))
      .filter((fault) => fault !== null)
  } catch {
    return []
  }
}

function selfTest() {
  const isFound =
    faultOf('abc', 'a'.repeat(MAX_SUBJECT + 1)) !== null && faultOf('abc', 'é'.repeat(MAX_SUBJECT)) === null
  return isFound ? [] : ['A subject that is too long is not found as planted.']
}

const faults = process.argv.includes('--self-test') ? selfTest() : check()
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
