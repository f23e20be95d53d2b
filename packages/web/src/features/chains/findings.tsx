import { examineInstallation, type Finding } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { text } from './text.ts'

const MAX_WORDS = 1_000
const tones = { good: 'good', notice: 'warning', fault: 'danger' } as const

/** For admins of this installation: what the server stands on, what of it is wrong, and what to do. */
export function Findings() {
  const look = useMutation({ mutationFn: () => api(examineInstallation, {}) })
  const findings = look.data?.findings ?? null
  // Faults come first: they are to be mended.
  const sorted = findings?.toSorted((one, other) => rankOf(one) - rankOf(other))
  return (
    <Section title={text('chains.findings')}>
      <div className="grid gap-3" data-findings={look.status}>
        <p className="max-w-prose text-ink-soft">{text('chains.findings.what')}</p>
        <div>
          <Button onClick={() => look.mutate()} busy={look.isPending ? text('chains.findings.busy') : undefined}>
            {text('chains.findings.button')}
          </Button>
        </div>
        {sorted && (
          <>
            <p role="status">
              {text('chains.findings.count', {
                faults: sorted.filter(({ level }) => level === 'fault').length,
                notices: sorted.filter(({ level }) => level === 'notice').length,
              })}
            </p>
            <Rows label={text('chains.findings')}>
              {sorted.map((finding) => (
                <Row key={`${finding.about} ${finding.says}`}>
                  <FindingRow finding={finding} />
                </Row>
              ))}
            </Rows>
          </>
        )}
        {look.error && <Problem error={look.error} />}
      </div>
    </Section>
  )
}

function FindingRow({ finding: { level, about, says, remedy } }: { finding: Finding }) {
  return (
    <div className="grid gap-1" data-finding={level}>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 wrap-anywhere">
        <Tag tone={tones[level]}>{text(`chains.findings.${level}`)}</Tag>
        <span lang="en">
          {showUntrusted(about, MAX_WORDS)}: {showUntrusted(says, MAX_WORDS)}
        </span>
      </p>
      {remedy !== null && (
        <p className="max-w-prose text-ink-soft wrap-anywhere" lang="en">
          {showUntrusted(remedy, MAX_WORDS)}
        </p>
      )}
    </div>
  )
}

function rankOf({ level }: Finding): number {
  return { fault: 0, notice: 1, good: 2 }[level]
}
