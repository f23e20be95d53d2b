import type { ChainStatus } from '@countersign/contract'
import { formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { text } from './text.ts'

type Nodes = ChainStatus['nodes']
type Limit = Nodes[number]['limits'][number]

/** Each node of a chain, and what it refuses: what that keeps from being read, and what the operator can do. */
export function NodeLimits({ nodes }: { nodes: Nodes }) {
  return (
    <ul className="grid gap-2">
      {nodes.map(({ name, limits }) => (
        <li key={name} data-node={name}>
          <span className="figures">{showUntrusted(name, 100)}</span>
          {limits.length === 0 ? (
            <span className="text-small text-ink-soft">: {text('chains.nodes.none')}</span>
          ) : (
            <ul className="mt-1 grid gap-2 border-l border-rule pl-3 text-small">
              {limits.map((limit) => (
                <LimitRow key={limit.kind} limit={limit} isAlone={isAlone(nodes, limit)} />
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Whether no other node of the chain stands in: none that is without the same limit. */
function isAlone(nodes: Nodes, { kind }: Limit): boolean {
  return nodes.every(({ limits }) => limits.some((limit) => limit.kind === kind))
}

function LimitRow({ limit: { kind, value, words, learnedAt }, isAlone }: { limit: Limit; isAlone: boolean }) {
  return (
    <li data-limit={kind}>
      <p>{limitText(kind, value ?? 0)}</p>
      <p className="text-ink-soft">
        {text('chains.limit.words', { time: formatTime(new Date(learnedAt)), words: showUntrusted(words, 200) })}
      </p>
      <p className={isAlone ? 'text-warning' : 'text-ink-soft'}>
        {isAlone ? text(`chains.limit.remedy.${kind}`) : text('chains.limit.elsewhere')}
      </p>
    </li>
  )
}

function limitText(kind: Limit['kind'], value: number): string {
  switch (kind) {
    case 'log-range':
    case 'log-results':
    case 'log-addresses':
    case 'log-topics':
    case 'batch':
    case 'rate':
    case 'archive':
      return text(`chains.limit.${kind}`, { value })
    default:
      return text(`chains.limit.${kind}`)
  }
}
