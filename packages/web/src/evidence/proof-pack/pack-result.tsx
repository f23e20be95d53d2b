import type { PackDifference } from '@countersign/review'
import type { Names } from '../../safe/names/names.ts'
import { failureWords } from '../../safe/words/failure-words.ts'
import { text } from '../../safe/words/finding-text.ts'
import { verdictTitle } from '../../safe/words/verdict-words.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Time } from '../../ui/text/time.tsx'
import { MovedAssets } from '../simulation/run-moves.tsx'
import type { CheckedPack } from './checked-pack.ts'

/** Lines of one side of a difference; the file has all of them. */
const MAX_LINES = 10

/** Shows what a pack says when it is run again, who names its block, and what is different now. */
export function PackResult({
  checked: { hash, packed, claimed, vouching, differences },
  names,
}: {
  checked: CheckedPack
  names: Names
}) {
  const { block, state, confirmations, result, review } = packed
  // Proofs are worthless without a block that enough sources confirm.
  const hasEnoughSources = vouching?.status === 'enough'
  const warnings = review.findings.filter(({ severity }) => severity === 'high').length
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
      <p data-pack-verdict={review.verdict}>
        {text('pack.review', { verdict: verdictTitle({ ...review, warnings, hasEnoughSources }) })}{' '}
        {review.policyHash === null ? text('pack.no-policy') : text('pack.policy', { hash: review.policyHash })}
      </p>
      {claimed !== null && claimed.length > 0 && (
        <div data-pack-claimed={claimed.map(({ part }) => part).join(' ')}>
          <p className="font-semibold text-danger">{text('pack.claims-otherwise')}</p>
          <Parts differences={claimed} before={text('pack.written')} now={text('pack.computed')} />
        </div>
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
      <Parts differences={differences} before={text('pack.before')} now={text('pack.now')} />
    </div>
  )
}

/** Parts of which two sides differ, each side in its own line. */
function Parts({ differences, ...labels }: { differences: readonly PackDifference[]; before: string; now: string }) {
  return (
    <dl className="grid gap-1">
      {differences.map(({ part, before, now }) => (
        <div key={part}>
          <dt className="font-semibold">{text('pack.part', { part })}</dt>
          <Side label={labels.before} lines={before} />
          <Side label={labels.now} lines={now} />
        </div>
      ))}
    </dl>
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
        {lines.length > MAX_LINES && ` ${text('pack.more', { count: lines.length - MAX_LINES })}`}
      </span>
    </dd>
  )
}
