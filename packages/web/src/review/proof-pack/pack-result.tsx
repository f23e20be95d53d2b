import type { PackDifference } from '@countersign/safe-core'
import { showUntrusted } from '../../text/untrusted.ts'
import { Time } from '../../ui/time.tsx'
import { text } from '../finding-text.ts'
import type { Names } from '../names.ts'
import { failureWords } from '../simulation/failure-words.ts'
import { MovedAssets } from '../simulation/run-moves.tsx'
import type { CheckedPack } from './packs.ts'

/** Lines of one side of a difference; the file has all of them. */
const MAX_LINES = 10

/** Shows what a pack says when it is run again, who names its block, and what is different now. */
export function PackResult({
  checked: { hash, packed, vouching, differences },
  names,
}: {
  checked: CheckedPack
  names: Names
}) {
  const { block, state, confirmations, result } = packed
  const valid = confirmations.filter(({ status }) => status === 'valid').length
  const { threshold, owners, nonce } = state
  return (
    <div className="grid gap-2 text-small" data-pack-vouching={vouching?.status ?? 'unasked'}>
      <p>
        {text('pack.block', { block: block.number })} <Time value={Number(block.timestamp) * 1_000} />
      </p>
      <p className="figures wrap-anywhere">{block.hash}</p>
      <p className={vouching?.status === 'disagree' ? 'font-semibold text-danger' : ''}>
        {vouching === null
          ? text('pack.unasked')
          : text('pack.vouching', { status: vouching.status, count: vouching.count, needed: vouching.needed })}
      </p>
      <p>{text('pack.safe', { threshold, owners: owners.length, nonce })}</p>
      {state.creation !== undefined && <p data-pack-creation>{text('pack.undeployed')}</p>}
      <p>{text('pack.signatures', { valid, count: confirmations.length })}</p>
      {result.status === 'unfinished' ? (
        <p className="font-semibold text-warning">{text('pack.unfinished')}</p>
      ) : result.outcome.kind === 'success' ? (
        <MovedAssets run={{ ...result, outcome: result.outcome }} names={names} />
      ) : (
        <p className="font-semibold text-warning">{failureWords(result.outcome.failure)}</p>
      )}
      <Differences differences={differences} />
      <p className="text-ink-soft wrap-anywhere">{text('pack.hash', { hash })}</p>
    </div>
  )
}

function Differences({ differences }: { differences: readonly PackDifference[] | null }) {
  if (differences === null) return <p data-pack-differences="unknown">{text('pack.not-compared')}</p>
  if (differences.length === 0) return <p data-pack-differences="none">{text('pack.same')}</p>
  return (
    <div data-pack-differences={differences.map(({ part }) => part).join(' ')}>
      <p className="font-semibold text-warning">{text('pack.different')}</p>
      <dl className="grid gap-1">
        {differences.map(({ part, before, now }) => (
          <div key={part}>
            <dt className="font-semibold">{text('pack.part', { part })}</dt>
            <Side label={text('pack.before')} lines={before} />
            <Side label={text('pack.now')} lines={now} />
          </div>
        ))}
      </dl>
    </div>
  )
}

function Side({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <dd className="wrap-anywhere">
      <span className="text-ink-soft">{label}</span>{' '}
      <span className="figures">
        {lines.length === 0
          ? text('pack.nothing')
          : lines
              .slice(0, MAX_LINES)
              .map((line) => showUntrusted(line, 200))
              .join('; ')}
      </span>
    </dd>
  )
}
