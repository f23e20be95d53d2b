import { type ErrorCode, errorTable, errorTexts } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'

export type Announcer = {
  progress(text: string): void
  warn(text: string): void
  /** Words for people, as they are. */
  print(text: string): void
  fail(error: unknown): void
}

/** Writes the launcher's messages to the terminal: to stderr when the logs go to stdout. */
export function createAnnouncer(hasLogsOnStdout: boolean): Announcer {
  // A terminal that was closed is no reason to end without stopping the children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const out = hasLogsOnStdout ? process.stderr : process.stdout
  const elapsed = () => `${(performance.now() / 1000).toFixed(1)} s`.padStart(8)
  return {
    progress: (text) => out.write(`${elapsed()}  ${text}\n`),
    warn: (text) => process.stderr.write(`${elapsed()}  warning: ${text}\n`),
    print: (text) => out.write(`${text}\n`),
    fail: (error) => process.stderr.write(`\n${describeFailure(error)}\n`),
  }
}

/** Code, sentence, hint. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof CountersignError))
    return `INTERNAL  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  const hint = isErrorCode(error.code) ? `\n  ${errorTexts[error.code].hint}` : ''
  return `${error.code}  ${error.message}${hint}`
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}

/** Describes the next steps of a person. */
export function describeNextSteps(facts: {
  url: string
  dataDirectory: string
  databaseDirectory: string | null
  logPath: string | null
  devnet: { rpcUrl: string; chainId: number; owners: string[]; stranger: string | null } | null
}): string {
  const { url, devnet } = facts
  const lines = ['', `Countersign runs at ${url}`, '', `  Data      ${facts.dataDirectory}`]
  if (facts.databaseDirectory) lines.push(`  Database  ${facts.databaseDirectory}`)
  if (facts.logPath) lines.push(`  Log       ${facts.logPath}`)
  if (devnet) {
    lines.push(
      `  Chain     local, id ${devnet.chainId}, ${devnet.rpcUrl}`,
      '',
      'Demo accounts, all in the Demo wallet; never send them anything of value',
    )
    for (const [index, owner] of devnet.owners.entries()) lines.push(`  Owner ${index + 1}   ${owner}`)
    if (devnet.stranger) lines.push(`  Stranger  ${devnet.stranger}`)
    lines.push(
      '',
      'Next',
      `  1. Open ${url}, connect the Demo wallet as owner 1 and verify the account.`,
      '  2. Open the demo Safe. Review the first transaction in the queue, confirm it, execute it.',
      '  3. Open the second one. See why Countersign says: do not sign.',
    )
  } else {
    lines.push('', 'Next', `  1. Open ${url} and connect your wallet.`, '  2. Add your Safe by its address.')
  }
  lines.push('', 'Ctrl-C stops everything.', '')
  return lines.join('\n')
}
