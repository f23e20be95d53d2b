import type { ApprovalChange, ExecutedRun } from '@countersign/review'
import { isSameAddress, isUnlimited } from '@countersign/safe'
import { type Names, nameOf, tokenAt } from '../../safe/names/names.ts'
import { unlimitedWords } from '../../safe/words/effect-sentence.ts'
import { text } from '../../safe/words/finding-text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { StoryRow } from '../../ui/row/story-row.tsx'

/** Rights to take assets of the Safe that are otherwise after the run. That there are none is said too. */
export function RunApprovals({ run, names }: { run: ExecutedRun; names: Names }) {
  const own = run.approvals.filter(({ owner }) => isSameAddress(owner, names.safeAddress))
  const isComplete = !run.gaps.includes('approvals')
  return (
    <StoryRow title={text('run.approvals')}>
      {own.length === 0 ? (
        <p data-run-approvals={isComplete ? 'none' : 'unknown'}>
          {text(isComplete ? 'run.approvals.none' : 'run.approvals.unknown')}
        </p>
      ) : (
        <ul className="grid gap-2" data-run-approvals={own.length}>
          {own.map((approval) => (
            <Approval
              key={`${approval.token} ${approval.spender} ${approval.tokenId}`}
              approval={approval}
              names={names}
            />
          ))}
        </ul>
      )}
    </StoryRow>
  )
}

function Approval({ approval, names }: { approval: ApprovalChange; names: Names }) {
  const { token, spender, standard, after, tokenId } = approval
  const known = tokenAt(token, names.chain)
  return (
    <li className="grid gap-0.5">
      {after === null ? (
        <span className="font-semibold text-warning">{text('run.approvals.unread')}</span>
      ) : after === 0n ? (
        <span>{text('run.approvals.ended')}</span>
      ) : standard === 'operator' ? (
        <span className="font-semibold">{text('run.approvals.all')}</span>
      ) : isUnlimited(after) ? (
        <span className="font-semibold">{unlimitedWords(token, names)}</span>
      ) : tokenId === null ? (
        <Amount
          value={after}
          decimals={known?.decimals ?? 0}
          symbol={known ? showUntrusted(known.symbol, 20) : text('effect.baseUnits')}
        />
      ) : (
        <span>{text('run.moves.item', { tokenId })}</span>
      )}
      {!known && <Address address={token} name={nameOf(token, names)} hasAvatar={false} isCopyable={false} />}
      <span className="flex flex-wrap gap-x-2">
        <span className="text-small text-ink-faint">{text('review.moves.spender')}</span>
        <Address address={spender} name={nameOf(spender, names)} hasAvatar={false} isCopyable={false} />
      </span>
    </li>
  )
}
