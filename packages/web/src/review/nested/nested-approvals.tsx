import { approvedHash, type Finding, type NestedReview, type SubjectReview } from '@countersign/review'
import { describeTypedData, isSameAddress, type MessageContent } from '@countersign/safe'
import { cowSettlement } from '@countersign/safe/calls'
import { type Hex, isHex } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { namesIn, titleOfNested } from '../../safe/title/transaction-title.ts'
import { effectSentence } from '../../safe/words/effect-sentence.ts'
import { Sentence } from '../../safe/words/sentence.tsx'
import { VerdictMark } from '../../safe/words/verdict-mark.tsx'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { verdictTitle } from '../../safe/words/verdict-words.ts'
import { Address } from '../../ui/address.tsx'
import { StoryRow } from '../../ui/row/story-row.tsx'
import { LongText } from '../../ui/text/long-text.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { ReviewFields } from '../view/review-fields.tsx'
import { GiveApproved } from './give-approved.tsx'
import { GiveOrder } from './give-order.tsx'

/** Shows what is approved in other Safes with its own review, or asks for it where nobody has it. */
export function NestedApprovals({ review, chainId, names }: { review: SubjectReview; chainId: number; names: Names }) {
  const missing = missingHashes(review)
  const orders = missingOrders(review)
  if (review.nested.length + missing.size + orders.length === 0) return null
  return (
    <StoryRow title={text('nested.title')}>
      <div className="grid gap-6">
        {review.nested.map((approved) => (
          <ApprovedSubject key={approved.review.hash} nested={approved} chainId={chainId} names={names} />
        ))}
        {[...missing].map(([hash, isMessage]) => (
          <GiveApproved key={hash} chainId={chainId} hash={hash} isMessage={isMessage} />
        ))}
        {orders.map((digest) => (
          <GiveOrder key={digest} chainId={chainId} digest={digest} />
        ))}
      </div>
    </StoryRow>
  )
}

function ApprovedSubject({ nested, chainId, names }: { nested: NestedReview; chainId: number; names: Names }) {
  const { review, safeTx, content, safeAddress } = nested
  const within = namesIn(nested, names)
  const isOwn = isSameAddress(safeAddress, names.safeAddress)
  return (
    <section data-nested={review.hash} data-nested-verdict={review.verdict} className="grid gap-2">
      <p className="text-small text-ink-soft">
        {isOwn ? (
          text('nested.own')
        ) : (
          <>
            {text(safeTx ? 'nested.what' : 'nested.message')} {nameOf(safeAddress, names)}{' '}
            <Address address={safeAddress} hasAvatar={false} />
          </>
        )}
      </p>
      {safeTx && <p className="text-lead font-semibold">{titleOfNested(nested, safeTx, names)}</p>}
      {content && (
        <div data-nested-words>
          <LongText label={text('nested.words')} words={wordsOf(content)} />
        </div>
      )}
      <p className="flex items-center gap-x-2 text-small">
        <VerdictMark of={review.verdict} size={18} />
        <span>
          {text('nested.itsReview')}: {verdictTitle(summarizeVerdict(review))}
        </span>
      </p>
      {review.kind === 'transaction' && (
        <ol aria-label={text('nested.changes')}>
          {review.effects.map((effect, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: effects of one review never move
            <li key={index} data-nested-effect={effect.key} className="py-1">
              <Sentence parts={effectSentence(effect, within)} names={within} />
            </li>
          ))}
        </ol>
      )}
      {safeTx && (
        <>
          <ReviewFields safeTx={safeTx} names={within} title={text('nested.fields')} />
          <p>
            <TextLink
              to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
              params={{ chainId, safeAddress, safeTxHash: review.hash }}
            >
              {text('nested.open')}
            </TextLink>
          </p>
        </>
      )}
      {review.nested.map((approved) => (
        <div key={approved.review.hash} className="border-l border-rule pl-4">
          <ApprovedSubject nested={approved} chainId={chainId} names={within} />
        </div>
      ))}
    </section>
  )
}

/** The words of a message, or the fields of typed data that are signed, one a line: read here or nowhere. */
function wordsOf(content: MessageContent): string {
  if (content.encoding === 'EIP191_TEXT') return content.text
  if (content.encoding !== 'EIP712') return content.bytes
  const { fields } = describeTypedData(content.typedData)
  return [content.typedData.primaryType, ...fields.map(({ path, value }) => `${path}: ${value ?? ''}`)].join('\n')
}

/** Hashes that nothing was found for, of what is signed here and of what that approves; true where a message may have it. */
function missingHashes({ kind, findings }: SubjectReview): Map<Hex, boolean> {
  const found = new Map<Hex, boolean>()
  for (const finding of findings) {
    const bytes = bareBytes(finding)
    const hash = isHex(bytes) ? approvedHash(bytes) : null
    // The Safe signs it on the chain: other bytes of the kind are words of nobody.
    const isMessage = kind === 'transaction' && finding.id === 'MSG-RAW-HASH' && finding.evidence.function === undefined
    if (hash !== null) found.set(hash, found.get(hash) === true || isMessage)
  }
  return found
}

/** The bytes that a finding is about, and that nothing was found for; undefined where it is about nothing of the kind. */
function bareBytes(finding: Finding): string | undefined {
  const { id, evidence } = finding
  if (id === 'NESTED-APPROVE') return evidence.unresolved === 'missing' ? evidence.hash : undefined
  return (id === 'MSG-RAW-HASH' || id === 'MSG-IS-TX') && !isOrder(finding) ? evidence.message : undefined
}

/** Digests of orders that nobody gave. */
function missingOrders({ findings }: SubjectReview): Hex[] {
  const found = findings.flatMap((finding) =>
    finding.id === 'MSG-RAW-HASH' && isOrder(finding) && isHex(finding.evidence.message)
      ? [finding.evidence.message]
      : [],
  )
  return [...new Set(found)]
}

function isOrder({ id, evidence }: Finding): boolean {
  const isSigned = id === 'MSG-RAW-HASH' && evidence.function === 'setPreSignature(bytes,bool)'
  return isSigned && evidence.to !== undefined && isSameAddress(evidence.to, cowSettlement)
}
