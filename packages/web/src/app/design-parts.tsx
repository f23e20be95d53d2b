import { type ReactNode, useState } from 'react'
import { VerdictMark } from '../safe/words/verdict-mark.tsx'
import { text } from '../text/text.ts'
import { Avatar } from '../ui/avatar/avatar.tsx'
import { BackButton } from '../ui/back-button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card, CardFold, CardPart } from '../ui/card.tsx'
import { CheckList } from '../ui/check-list.tsx'
import { CopyButton } from '../ui/copy/copy-button.tsx'
import { QrCode } from '../ui/copy/qr-code.tsx'
import { ExternalLink } from '../ui/external-link.tsx'
import { Fold } from '../ui/fold.tsx'
import { AddressField } from '../ui/form/address-field.tsx'
import { TextField } from '../ui/form/field.tsx'
import { Mark } from '../ui/mark.tsx'
import { Progress } from '../ui/progress.tsx'
import { StoryRow } from '../ui/row/story-row.tsx'
import { Details, Row, Rows } from '../ui/section.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { Age } from '../ui/text/age.tsx'
import { LongText } from '../ui/text/long-text.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { Icon, iconNames } from './shell/icons.tsx'
import { Waiting } from './shell/waiting.tsx'

const verdicts = [
  ['matches', 'text-accent'],
  ['matches-one-node', 'text-ink-soft'],
  ['matches-with-warnings', 'text-warning'],
  ['cannot-verify', 'text-unsure'],
  ['do-not-sign', 'text-danger'],
  ['checking', 'text-ink-faint'],
] as const
const now = Date.UTC(2026, 2, 1, 12)

/** Marks and drawings: none of them says anything alone. */
export function DesignMarks({ owner }: { owner: string }) {
  return (
    <div className="grid gap-4">
      <ul className="flex flex-wrap gap-4">
        {verdicts.map(([of, look]) => (
          <li key={of} className={`grid justify-items-center gap-1 ${look}`}>
            <VerdictMark of={of} />
            <code className="figures text-small text-ink-soft">{of}</code>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-4">
        {iconNames.map((name) => (
          <li key={name} className="grid justify-items-center gap-1">
            <Icon of={name} />
            <code className="figures text-small text-ink-soft">{name}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-4">
        <Mark kind="tick" />
        <Mark kind="cross" />
        <Avatar address={owner} />
        <Waiting count={3} />
        <Age value="2026-03-01T09:30:00Z" now={now} />
      </div>
    </div>
  )
}

/** Parts that hold others: rows, folds, cards. `of` is the sheet, by which the names of two are told apart. */
export function DesignFrames({ of }: { of: string }) {
  const named = (part: string) => `${part} · ${of}`
  const sentence = text('design.empty.sentence')
  return (
    <div className="grid gap-6">
      <Rows label={named(text('design.frames'))}>
        <Row>{text('design.empty')}</Row>
        <Row>{sentence}</Row>
      </Rows>
      <Fold title={named(text('design.frames'))} result={text('design.tag.good')}>
        {sentence}
      </Fold>
      <Details summary={text('design.button.quiet')}>{sentence}</Details>
      <StoryRow title={named(text('design.time'))}>{sentence}</StoryRow>
      <Card label={named(text('design.notice.good'))}>
        <CardPart title={named(text('design.facts'))} aside={text('design.tag.neutral')}>
          {sentence}
        </CardPart>
        <CardFold title={named(text('design.states'))}>{sentence}</CardFold>
      </Card>
    </div>
  )
}

/** Parts that are pressed, typed into, ticked, copied or waited for, besides buttons and fields. */
export function DesignActs({ of, hash, owner }: { of: string; hash: string; owner: string }) {
  const [ticked, setTicked] = useState<readonly ('one' | 'two')[]>(['one'])
  const options = [
    { value: 'one', label: text('design.tag.good'), what: text('design.notice.good.sentence') },
    { value: 'two', label: text('design.tag.warning'), what: text('design.notice.warning.sentence') },
  ] as const
  return (
    <div className="grid max-w-md gap-5">
      <AddressField label={text('design.address')} defaultValue={owner} />
      <TextField label={text('design.type')} rows={3} defaultValue={text('design.empty.sentence')} />
      <CheckList legend={text('design.tags')} options={options} value={ticked} onChange={setTicked} error={undefined} />
      <Line>
        <CopyButton value={hash} label={text('design.hash')} />
        <ButtonLink to="/">{text('design.title')}</ButtonLink>
        <SureButton
          label={text('design.button.danger')}
          name={text('design.button.danger')}
          sentence={text('design.notice.danger.sentence')}
          yes={text('design.button.danger')}
          no={text('design.button.quiet')}
          busy={undefined}
          error={null}
          onSure={() => {}}
        />
      </Line>
      <Line>
        <TextLink to="/">{text('design.title')}</TextLink>
        <ExternalLink href="https://eips.ethereum.org/EIPS/eip-712">{text('design.title')}</ExternalLink>
        <BackButton onClick={() => {}}>{text('design.title')}</BackButton>
      </Line>
      <Progress percent={43} label={text('app.loading')} />
      <LongText label={`${text('design.type')} · ${of}`} words={text('design.type.body')} />
      <div className="max-w-40">
        <QrCode value={hash} label={text('design.hash')} />
      </div>
    </div>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>
}
