import { checkIds, type Finding, findingCatalogue, type SubjectReview } from '@countersign/review'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { countInAll, evidenceLines, findingTitle, findingWords } from '../../safe/words/finding-words.ts'
import { VerdictMark } from '../../safe/words/verdict-mark.tsx'
import { Details } from '../../ui/section.tsx'
import { BookLink } from './book-link.tsx'
import { checkText } from './review-checks.tsx'

/** Findings that stand open above everything else that is told. */
function isSerious(finding: Finding): boolean {
  return finding.severity === 'critical' || finding.severity === 'high' || isUnfinished(finding)
}

/** Whether something essential could not be read: that is no warning, and yet nothing to be signed over. */
function isUnfinished({ id, severity }: Finding): boolean {
  const entry = findingCatalogue[id]
  const fails = 'fails' in entry ? entry.fails : undefined
  const checks: Record<string, string> = checkIds
  return severity === 'medium' && fails !== undefined && checks[fails] === 'essential'
}

/** Says what is serious, worst first, then what is missing; what is worth a look stands below, one line each. */
export function ReviewFindings({ review, names }: { review: SubjectReview; names: Names }) {
  const found = review.findings.filter((finding) => !isListed(finding, review))
  const serious = found.filter(isSerious)
  const points = found.filter((finding) => finding.severity === 'medium' && !isSerious(finding))
  const missing = review.checks.filter(({ id, status }) => checkIds[id] === 'essential' && status === 'not-checked')
  const isDanger = serious.some(({ severity }) => severity === 'critical')
  const wash = serious.every(isUnfinished) ? 'bg-unsure-wash' : 'bg-warning-wash'
  return (
    <>
      {serious.length > 0 && (
        <ul
          aria-label={text('review.findings.serious')}
          className={`px-4 py-1.5 ${isDanger ? 'bg-danger-wash' : wash}`}
        >
          {inGroups(serious).map((group) => (
            <SeriousFinding key={groupKey(group[0])} group={group} names={names} />
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <section aria-label={text('review.missing')} className="bg-unsure-wash px-4 py-3">
          <p className="flex gap-x-2.5 font-semibold text-unsure">
            <VerdictMark of="cannot-verify" size={20} />
            {text('review.missing')}
          </p>
          <ul className="mt-1 grid gap-1 pl-7.5">
            {missing.map(({ id }) => (
              <li key={id}>{checkText(id)}</li>
            ))}
          </ul>
        </section>
      )}
      {points.length > 0 && (
        <ul aria-label={text('review.findings.points')}>
          {inGroups(points).map((group) => (
            <li key={groupKey(group[0])} data-finding={group[0].id} data-severity={group[0].severity}>
              <Details summary={<GroupTitle group={group} />}>
                <FindingText group={group} names={names} />
              </Details>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Lists the findings that only complete the picture: in the fold of the checks. */
export function MinorFindings({ review, names }: { review: SubjectReview; names: Names }) {
  const minor = review.findings.filter(
    (finding) => !isListed(finding, review) && (finding.severity === 'low' || finding.severity === 'info'),
  )
  return (
    <ul className="not-empty:mb-4">
      {inGroups(minor).map((group) => (
        <li
          key={groupKey(group[0])}
          data-finding={group[0].id}
          data-severity={group[0].severity}
          className="border-b border-rule py-2.5"
        >
          <p className="font-semibold">
            <GroupTitle group={group} />
          </p>
          <FindingText group={group} names={names} />
        </li>
      ))}
    </ul>
  )
}

/** Whether the list of checks says it. */
function isListed({ id, evidence }: Finding, { checks }: SubjectReview): boolean {
  return id === 'INPUT-MISSING' && checks.some((check) => check.id === evidence.check)
}

/** Findings that say the same of different things; they have one title, and the evidence of each. */
type Group = readonly [Finding, ...Finding[]]

/** Groups in the order of their first findings: worst first, as the review has them. */
function inGroups(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const group = groups.get(groupKey(finding))
    if (group) group.push(finding)
    else groups.set(groupKey(finding), [finding])
  }
  return [...groups.values()]
}

function groupKey(finding: Finding): string {
  return `${finding.id} ${finding.severity} ${isUnfinished(finding)} ${findingTitle(finding)}`
}

function GroupTitle({ group }: { group: Group }) {
  const count = countInAll(group)
  return (
    <>
      {findingTitle(group[0])}
      {count > 1 && (
        <span className="ml-2 inline-block font-normal text-ink-soft">{text('review.findings.times', { count })}</span>
      )}
    </>
  )
}

function SeriousFinding({ group, names }: { group: Group; names: Names }) {
  const [first] = group
  const isDanger = first.severity === 'critical'
  return (
    <li
      data-finding={first.id}
      data-severity={first.severity}
      className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2.5 py-2.5 not-first:border-t not-first:border-rule"
    >
      <span className={isDanger ? 'text-danger' : isUnfinished(first) ? 'text-unsure' : 'text-warning'}>
        <VerdictMark
          of={isDanger ? 'do-not-sign' : isUnfinished(first) ? 'cannot-verify' : 'matches-with-warnings'}
          size={20}
        />
      </span>
      <div className="min-w-0">
        <h2 className="font-semibold leading-[1.375rem]">
          <span className="sr-only">{text(`severity.${first.severity}`)}: </span>
          <GroupTitle group={group} />
        </h2>
        <FindingText group={group} names={names} />
      </div>
    </li>
  )
}

/** Evidence that stands open; that of more findings of one group unfolds. */
const SHOWN = 3

/** Says what follows from the findings of a group, what to do, and the values at fault of each. */
function FindingText({ group, names }: { group: Group; names: Names }) {
  const [{ id, severity }] = group
  const { meaning, action } = findingWords(id)
  const unnamed = countInAll(group) - group.length
  return (
    <>
      <p>{meaning}</p>
      <p className={severity === 'critical' ? 'mt-1 font-semibold' : 'mt-1 text-ink-soft'}>
        {text('review.action')} {action}
      </p>
      <FoundValues findings={group.slice(0, SHOWN)} names={names} />
      {group.length > SHOWN && (
        <Details isLazy hasRule={false} summary={text('review.findings.more', { count: group.length - SHOWN })}>
          <FoundValues findings={group.slice(SHOWN)} names={names} />
        </Details>
      )}
      {unnamed > 0 && <p className="mt-1">{text('review.findings.unnamed', { count: unnamed })}</p>}
      <p className="figures mt-1 text-small text-ink-faint">{id}</p>
    </>
  )
}

function FoundValues({ findings, names }: { findings: readonly Finding[]; names: Names }) {
  return findings.map((finding, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: findings of one review never move
      key={index}
      className="not-first:mt-3 not-first:border-t not-first:border-rule not-first:pt-1.5"
    >
      <BookLink finding={finding} names={names} />
      <Evidence finding={finding} names={names} />
    </div>
  ))
}

function Evidence({ finding, names }: { finding: Finding; names: Names }) {
  const lines = evidenceLines(finding, names)
  if (lines.length === 0) return null
  return (
    <div className="@container">
      <dl
        aria-label={text('review.evidence')}
        className="mt-1.5 grid gap-x-3 gap-y-1 text-small @min-[12rem]:grid-cols-[5.5rem_minmax(0,1fr)] @md:grid-cols-[8rem_minmax(0,1fr)] @md:gap-x-4"
      >
        {lines.map(({ name, label, value }) => (
          <div key={name} className="contents" data-evidence={name}>
            <dt className="text-ink-faint">{label}</dt>
            <dd className="figures min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
