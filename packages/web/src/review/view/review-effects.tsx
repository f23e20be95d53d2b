import { executedRun, type Facts, finishedRun, type Review } from '@countersign/review'
import { type ByteRange, isUnlimited } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import type { TeamAbi } from '../../evidence/attribution/team-abis.ts'
import { CallDescription } from '../../evidence/calls/call-description.tsx'
import { CallGivers } from '../../evidence/calls/call-givers.tsx'
import { CallGuesses } from '../../evidence/calls/call-guesses.tsx'
import { CallNumbers } from '../../evidence/calls/call-numbers.tsx'
import { RunApprovals } from '../../evidence/simulation/run-approvals.tsx'
import { RunLine } from '../../evidence/simulation/run-line.tsx'
import { RunMoves } from '../../evidence/simulation/run-moves.tsx'
import { currencyOf, type Names, nameOf, tokenAt } from '../../safe/names/names.ts'
import {
  effectSentence,
  isEverythingTold,
  type Move,
  movesOf,
  unlimitedWords,
} from '../../safe/words/effect-sentence.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Sentence } from '../../safe/words/sentence.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { Fold } from '../../ui/fold.tsx'
import { StoryRow } from '../../ui/row/story-row.tsx'
import { Details } from '../../ui/section.tsx'
import { extentRead, isAllRead } from './is-all-read.ts'

/** Rows that stand open; a longer list unfolds. */
const SHOWN = 6
/** Rows beyond this are drawn when somebody opens them: hundreds of them would keep the page from its verdict. */
const LONG = 20

/** One sentence for each effect, with every address in full. */
export function ReviewEffects({ review, names, isSettled }: { review: Review; names: Names; isSettled: boolean }) {
  const { effects } = review
  const { extent, undecoded } = extentRead(review)
  return (
    <StoryRow title={text(isSettled ? 'review.effects.settled' : 'review.effects')}>
      <EffectList effects={effects.slice(0, SHOWN)} first={0} names={names} />
      {effects.length > SHOWN && (
        <Details
          hasRule={false}
          isLazy={effects.length > LONG}
          summary={text('review.effects.more', { count: effects.length - SHOWN })}
        >
          <EffectList effects={effects.slice(SHOWN)} first={SHOWN} names={names} />
        </Details>
      )}
      <p className={`text-small ${extent === 'all-read' ? 'text-ink-faint' : 'font-semibold text-warning'}`}>
        {text(`review.effects.${extent}`, { count: undecoded })}
        {flattenCalls(review.call).some(({ source }) => source === 'given') && ` ${text('review.effects.given')}`}
      </p>
    </StoryRow>
  )
}

/** A row that is out of sight is not laid out: a batch of 500 stays quick to scroll and to find in. */
const farAway = '[content-visibility:auto] [contain-intrinsic-size:auto_3rem]'

function EffectList({ effects, first, names }: { effects: Review['effects']; first: number; names: Names }) {
  return (
    <ol start={first + 1} className={effects.length > 1 ? 'divide-y divide-rule' : ''}>
      {effects.map((effect, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: effects of one review never move
          key={index}
          data-effect={effect.key}
          className={`${effects.length > 1 ? 'py-1.5' : ''} ${first > 0 ? farAway : ''} ${effect.key === 'foreign-code' ? 'font-semibold text-danger' : ''}`}
        >
          <Sentence parts={effectSentence(effect, names)} names={names} />
        </li>
      ))}
    </ol>
  )
}

/** Every call of the tree with its arguments; long, so it is drawn when somebody opens it. */
export function ReviewCalls({
  review,
  abis,
  names,
}: {
  review: Review
  /** Everybody's, for guesses about what the review does not read. */
  abis: readonly TeamAbi[]
  names: Names
}) {
  const calls = flattenCalls(review.call)
  const { extent, undecoded } = extentRead(review)
  return (
    <Fold
      title={text('review.calls')}
      result={text(`review.calls.${extent}`, { count: calls.length, bytes: undecoded })}
      isLazy={calls.length > LONG}
    >
      <ol className="grid gap-4">
        {calls.map((call) => (
          <CallDetails key={call.path.join('.')} call={call} abis={abis} names={names} />
        ))}
      </ol>
    </Fold>
  )
}

function CallDetails({ call, abis, names }: { call: Call; abis: readonly TeamAbi[]; names: Names }) {
  const currency = currencyOf(names.chain)
  return (
    <li className={`border-l-2 border-rule pl-3 ${farAway}`}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
        <span className="figures">{call.path.length === 0 ? '·' : call.path.map((index) => index + 1).join('.')}</span>
        <span className={call.operation === 1 ? 'font-semibold text-danger' : ''}>
          {text(`call.operation.${call.operation}`)}
        </span>
        <span className="figures wrap-anywhere">{call.name ?? text('call.noName')}</span>
      </p>
      <div className="mt-1">
        <Address address={call.to} name={nameOf(call.to, names)} hasAvatar={false} />
      </div>
      <CallDescription call={call} names={names} />
      <dl className="mt-1 grid gap-x-4 gap-y-1 text-small sm:grid-cols-[10rem_minmax(0,1fr)]">
        {call.value > 0n && (
          <>
            <dt className="text-ink-faint">{text('call.value')}</dt>
            <dd>
              <Amount value={call.value} {...currency} />
            </dd>
          </>
        )}
        {call.args.map((argument, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments of one call never move
          <div key={index} className="contents">
            <dt className="figures min-w-0 text-ink-faint wrap-anywhere">
              {argument.name} {argument.type}
            </dt>
            <dd className="figures max-h-40 min-w-0 overflow-y-auto wrap-anywhere">
              {showUntrusted(argument.value, 10_000)}
            </dd>
          </div>
        ))}
      </dl>
      <CallNumbers call={call} names={names} />
      <CallCommands call={call} />
      {call.implementation && (
        <div className="mt-1 text-small text-ink-soft">
          {text('call.implementation')} <Address address={call.implementation.address} hasAvatar={false} />
        </div>
      )}
      <CallIssues call={call} />
      <CallGivers call={call} abis={abis} names={names} />
      <CallGuesses call={call} abis={abis} names={names} />
    </li>
  )
}

/** Steps that the contract is told to take. */
function CallCommands({ call: { commands = [] } }: { call: Call }) {
  if (commands.length === 0) return null
  return (
    <ol className="mt-1 grid gap-1 text-small" data-call-commands={commands.length}>
      {commands.map(({ name, args, mayFail }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: commands of one call never move
        <li key={index} className="figures max-h-40 overflow-y-auto wrap-anywhere">
          {showUntrusted(name, 100)}
          {mayFail && ` (${text('call.command.mayFail')})`}{' '}
          {showUntrusted(args.map((argument) => `${argument.name}: ${argument.value}`).join(', '), 2_000)}
        </li>
      ))}
    </ol>
  )
}

/** Places in the bytes that are listed one by one; the rest is counted. */
const MAX_PLACES = 8

/** Shows the source of the function's name, the bytes that were not decoded, and the oddities of the others. */
function CallIssues({ call }: { call: Call }) {
  const { alternatives, issues, undecoded, undecodedBytes } = call
  const signatures = alternatives.map(({ signature }) => signature).join(', ')
  const more = issues.length - MAX_PLACES
  if (call.source !== 'given' && signatures === '' && issues.length === 0 && undecodedBytes === 0) return null
  return (
    <div className="mt-1 grid gap-1 text-small text-warning" data-call-doubts>
      {call.source === 'given' && <p>{text('call.given')}</p>}
      {signatures !== '' && (
        <p className="wrap-anywhere">{text('call.alternatives', { functions: showUntrusted(signatures, 500) })}</p>
      )}
      {undecodedBytes > 0 && (
        <p className="font-semibold">
          {text('review.effects.undecoded', { count: undecodedBytes })}{' '}
          <span className="figures font-normal">{undecoded.slice(0, MAX_PLACES).map(placeOf).join(', ')}</span>
          {undecoded.length > MAX_PLACES && ' …'}
        </p>
      )}
      {issues.length > 0 && (
        <ul className="grid gap-1">
          {issues.slice(0, MAX_PLACES).map((issue, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: issues of one call never move
            <li key={index} data-call-issue={issue.id}>
              {text(`call.issue.${issue.id}`)} <span className="figures">{placeOf(issue)}</span>
            </li>
          ))}
          {more > 0 && <li>{text('call.issues.more', { count: more })}</li>}
        </ul>
      )}
    </div>
  )
}

/** Bytes as people count them on the page of raw data: both ends included. */
function placeOf({ start, end }: ByteRange): string {
  return end > start ? text('call.bytes', { start, end: end - 1 }) : text('call.bytes.none')
}

/** Assets that move in the run; without one, what leaves by the call data, and nothing reassuring is said then. */
export function ReviewMoves({
  review,
  facts,
  names,
  isSettled,
}: {
  review: Review
  facts: Facts
  names: Names
  /** It was executed: nobody has to be told that it was not tried out before. */
  isSettled: boolean
}) {
  const moves = movesOf(review.effects, names.safeAddress)
  const isForeign = review.effects.some(({ key }) => key === 'foreign-code')
  const isRead = isAllRead(review)
  const node = isSettled ? undefined : facts.simulation?.crossCheck.status
  const run = executedRun(facts)
  if (run)
    return (
      <>
        <RunMoves run={run} names={names} node={node} />
        <RunApprovals run={run} names={names} />
      </>
    )
  const failed = finishedRun(facts)
  if (failed)
    return (
      <StoryRow title={text('run.moves')}>
        <p className="font-semibold" data-run-moves="fails">
          {text('run.moves.fails')}
        </p>
        <RunLine run={failed} node={node} />
      </StoryRow>
    )
  return (
    <StoryRow title={text(isSettled ? 'review.moves.settled' : 'review.moves')}>
      {!isSettled && <p className="font-semibold text-warning">{text('run.not-seen')}</p>}
      {isForeign ? (
        <p className="font-semibold text-danger">{text('review.moves.unknown')}</p>
      ) : moves.length === 0 ? (
        isRead && <p>{text(isEverythingTold(review.effects) ? 'review.moves.none' : 'review.moves.untold')}</p>
      ) : (
        <MoveList moves={moves} names={names} />
      )}
      {!isForeign && !isRead && <p className="font-semibold text-warning">{text('review.moves.unread')}</p>}
      {isSettled && <p className="text-small text-ink-faint">{text('review.moves.by-data')}</p>}
    </StoryRow>
  )
}

function MoveList({ moves, names }: { moves: readonly Move[]; names: Names }) {
  const list = (part: readonly Move[]) => (
    <ul className="grid gap-1.5">
      {part.map((move, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: moves of one review never move
        <li key={index} className="grid gap-x-4 sm:grid-cols-[5.5rem_1fr]">
          <span className="text-small text-ink-faint">{text(`review.moves.${move.kind}`)}</span>
          <MoveLine move={move} names={names} />
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {list(moves.slice(0, SHOWN))}
      {moves.length > SHOWN && (
        <Details
          hasRule={false}
          isLazy={moves.length > LONG}
          summary={text('review.moves.more', { count: moves.length - SHOWN })}
        >
          {list(moves.slice(SHOWN))}
        </Details>
      )}
    </>
  )
}

function MoveLine({ move, names }: { move: Move; names: Names }) {
  if (move.kind === 'item') return <Address address={move.collection} name={nameOf(move.collection, names)} />
  const token = move.token === null ? currencyOf(names.chain) : tokenAt(move.token, names.chain)
  return (
    <div className="grid gap-0.5">
      {move.kind === 'allowance' && isUnlimited(move.value) ? (
        <span className="font-semibold">{unlimitedWords(move.token, names)}</span>
      ) : (
        <Amount
          value={move.value}
          decimals={token?.decimals ?? 0}
          symbol={token ? showUntrusted(token.symbol, 20) : text('effect.baseUnits')}
        />
      )}
      {/* A listed one is named by its symbol; its address stands among those who take part. */}
      {move.token !== null && !token && (
        <Address address={move.token} name={nameOf(move.token, names)} hasAvatar={false} isCopyable={false} />
      )}
      {move.kind === 'allowance' && (
        <div className="flex flex-wrap gap-x-2">
          <span className="text-small text-ink-faint">{text('review.moves.spender')}</span>
          <Address address={move.spender} name={nameOf(move.spender, names)} hasAvatar={false} isCopyable={false} />
        </div>
      )}
    </div>
  )
}
