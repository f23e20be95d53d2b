import type { CrossCheck, FactGrade, FinishedSimulation } from '@countersign/review'
import type { ReactNode } from 'react'
import { text } from '../../safe/words/finding-text.ts'

/** One sign for each grade; what it means stands beside it in words. */
export const gradeMarks: Record<FactGrade, string> = { proved: '◉', 'one-node': '◐', unknown: '◌' }

/** The node's own word on a run: not said where nobody would ask it. */
export type NodeWord = CrossCheck['status'] | undefined

/** Grade of a run, the one block on whose state it was made, and what the node says of the same. */
export function RunLine({ run, node, children }: { run: FinishedSimulation; node?: NodeWord; children?: ReactNode }) {
  return (
    <p
      className="mt-1 text-small text-ink-faint"
      data-run-grade={run.grade}
      data-run-block={run.block.number.toString()}
      data-run-node={node}
    >
      {children}
      <span aria-hidden>{gradeMarks[run.grade]} </span>
      {text('run.grade', { grade: run.grade === 'one-node' ? 'oneNode' : run.grade, block: run.block.number })}
      {` ${
        run.otherMachine === null
          ? text('run.rules', { name: nameOfRules(run.hardfork) })
          : text('run.other-machine', { name: run.otherMachine })
      }`}
      {node && ` ${text('run.node', { status: node })}`}
      {run.assumed.nonce && ` ${text('run.assumed.nonce', { nonce: run.assumed.nonce.assumed })}`}
    </p>
  )
}

/** Forks of the library are words in small letters, or the short form of "blob parameters only". */
function nameOfRules(hardfork: string): string {
  return hardfork.startsWith('bpo')
    ? hardfork.toUpperCase()
    : `${hardfork.slice(0, 1).toUpperCase()}${hardfork.slice(1)}`
}
