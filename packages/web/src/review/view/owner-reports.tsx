import type { Reviewed, ReviewReport } from '@countersign/contract'
import { isSameAddress } from '@countersign/safe'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { findingWords } from '../../safe/words/finding-words.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Details, Row, Rows } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'

const verdictTones = {
  matches: 'good',
  'matches-with-warnings': 'warning',
  'cannot-verify': 'warning',
  'do-not-sign': 'danger',
} as const

/** Shows the reports of the reviewers, by their own word: of each signer, of the author and of the executor. */
export function OwnerReports({
  reports,
  signers,
  names,
}: {
  reports: readonly ReviewReport[]
  signers: readonly AddressType[]
  names: Names
}) {
  const others = reports
    .map(({ account }) => account)
    .filter((account) => !signers.some((signer) => isSameAddress(signer, account)))
  const accounts = [...new Set([...signers, ...others])]
  if (accounts.length === 0) return null
  return (
    <Fold title={text('report.title')} result={text('report.result', { count: reports.length })}>
      <p className="mb-2 text-small text-ink-soft">{text('report.aside')}</p>
      <Rows label={text('report.title')}>
        {accounts.map((account) => (
          <Row key={account}>
            <AccountReport
              account={account}
              reports={reports.filter((report) => isSameAddress(report.account, account))}
              names={names}
            />
          </Row>
        ))}
      </Rows>
    </Fold>
  )
}

function AccountReport({
  account,
  reports,
  names,
}: {
  account: AddressType
  reports: readonly ReviewReport[]
  names: Names
}) {
  return (
    <div data-reports={account} className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Address address={account} name={nameOf(account, names)} />
        {reports.length === 0 && <Tag>{text('report.none')}</Tag>}
      </div>
      {reports.length === 0 && <p className="text-small text-ink-soft">{text('report.none.sentence')}</p>}
      {reports.map(({ verb, at, reviewed }) => (
        <div key={verb}>
          <p className="text-small text-ink-soft">
            {text(`report.verb.${verb}`)} <Time value={at} />
          </p>
          <ReportedReview reviewed={reviewed} />
        </div>
      ))}
    </div>
  )
}

/** One report: the verdict with its block, each acknowledgement in its words, the findings folded. */
export function ReportedReview({ reviewed }: { reviewed: Reviewed }) {
  const { verdict, block, grade, policyVersion, findings, acknowledgements, leftOut, pack } = reviewed
  return (
    <div data-reported={verdict} className="mt-1 grid gap-1 text-small">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Tag tone={verdictTones[verdict]}>{text(`report.verdict.${verdict}`)}</Tag>
        <span>{block === null ? text('report.block.none') : text('report.block', { block })}</span>
        <span>{text(`report.grade.${grade}`)}</span>
        {policyVersion !== null && <span>{text('report.policy', { version: policyVersion })}</span>}
      </p>
      {acknowledgements.map(({ key, words, typed, reason }) => (
        <p key={key} data-acknowledged={key} className="wrap-anywhere">
          {text('report.acknowledged', { words: showUntrusted(words, 500) })}
          {typed !== undefined && ` ${text('report.typed', { typed: showUntrusted(typed, 100) })}`}
          {reason !== undefined && ` ${text('report.reason', { reason: showUntrusted(reason, 500) })}`}
        </p>
      ))}
      {findings.length > 0 && (
        <Details hasRule={false} summary={text('report.findings', { count: findings.length })}>
          <ul className="grid gap-1">
            {findings.map(({ id, severity, evidence }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one id can be found several times
              <li key={`${id} ${index}`} className="wrap-anywhere">
                {text(`severity.${severity}`)}: {findingWords(id).title}
                {evidence !== undefined && ` (${showUntrusted(evidence, 300)})`}
              </li>
            ))}
          </ul>
        </Details>
      )}
      {pack && (
        <p data-reported-pack={pack.hash} className="wrap-anywhere">
          {text('report.pack', pack)}
        </p>
      )}
      {leftOut > 0 && <p className="text-ink-soft">{text('report.leftOut', { count: leftOut })}</p>}
    </div>
  )
}
