import { type ReactNode, useState } from 'react'
import { fail } from '../text/fail.ts'
import { formatTime } from '../text/locale.ts'
import { needTexts, text } from '../text/text.ts'
import { Address, Hash } from '../ui/address.tsx'
import { Amount, ShortAmount } from '../ui/amount/amount.tsx'
import { formatAmount } from '../ui/amount/format-amount.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field, SelectField } from '../ui/form/field.tsx'
import { Loading, Skeleton } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { StepPlot } from '../ui/plot/step-plot.tsx'
import { Problem } from '../ui/problem.tsx'
import { Tag } from '../ui/tag.tsx'
import { Time } from '../ui/text/time.tsx'
import { DesignActs, DesignFrames, DesignMarks } from './design-parts.tsx'

needTexts('design')

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const hash = '0x5f1bdc5a0a5f94f4a1f0c0b1d9f7c9e1a36cbd3c4f6a4c7b6f3f8bd7c6de0a91'
const failure = fail('SAFE_TX_HASH_MISMATCH', { reason: 'served', received: '0x5f1b…', expected: '0x91aa…' })
const plotSteps = [1_250n, 4_000n, 3_400n, 5_100n, 900n, 2_150n].map((value, index) => ({
  at: Date.UTC(2026, 2, 1 + 5 * index),
  value,
  isMarked: index === 4,
}))
const colours = [
  'bg-paper',
  'bg-raised',
  'bg-sunk',
  'bg-rule',
  'bg-rule-strong',
  'bg-ink-faint',
  'bg-ink-soft',
  'bg-ink',
  'bg-accent',
  'bg-accent-wash',
  'bg-warning',
  'bg-warning-wash',
  'bg-danger',
  'bg-danger-wash',
  'bg-unsure',
  'bg-unsure-wash',
  'bg-stop',
  'bg-done',
]

/** Every part of the design system, in both themes, in use. */
export function DesignPage() {
  return (
    <>
      <PageHead title={text('design.title')} />
      <div className="grid gap-12">
        <Sheet theme="light" title={text('design.light')} />
        <Sheet theme="dark" title={text('design.dark')} />
      </div>
    </>
  )
}

function Sheet({ theme, title }: { theme: 'light' | 'dark'; title: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section
      data-theme={theme}
      aria-label={title}
      className="-mx-4 min-w-0 border-y border-rule bg-paper px-4 py-8 text-ink sm:mx-0 sm:border-x sm:px-8"
    >
      <h2 className="mb-8 text-title font-semibold">{title}</h2>
      <div className="grid gap-10">
        <Part title={text('design.type')}>
          <p className="text-display font-semibold tracking-tight">{text('design.type.display')}</p>
          <p className="mt-2 max-w-prose">{text('design.type.body')}</p>
        </Part>
        <Part title={text('design.colours')}>
          <ul className="grid grid-cols-2 gap-2 sm:grid-cols-7">
            {colours.map((colour) => (
              <li key={colour}>
                <span className={`block h-10 border border-rule ${colour}`} />
                <code className="figures text-small text-ink-soft">{colour.slice(3)}</code>
              </li>
            ))}
          </ul>
        </Part>
        <Part title={text('design.buttons')}>
          <div className="flex flex-wrap gap-2">
            <Button variant="primary">{text('design.button.primary')}</Button>
            <Button>{text('design.button.secondary')}</Button>
            <Button variant="quiet">{text('design.button.quiet')}</Button>
            <Button variant="danger">{text('design.button.danger')}</Button>
            <Button disabled>{text('design.button.disabled')}</Button>
            <Button variant="primary" busy={text('design.button.busy')} />
          </div>
        </Part>
        <Part title={text('design.facts')}>
          <SheetFacts />
        </Part>
        <Part title={text('design.notices')}>
          <SheetNotices />
        </Part>
        <Part title={text('design.fields')}>
          <div className="grid max-w-md gap-5">
            <Field
              label={text('design.field.amount')}
              hint={text('design.field.amount.hint')}
              defaultValue="1,250"
              inputMode="decimal"
              suffix="TUSD"
            />
            <Field
              label={text('design.field.recipient')}
              error={text('design.field.recipient.error')}
              defaultValue={owner.slice(0, -2)}
              isFigures
            />
            <SelectField label={text('design.field.token')}>
              <option>ETH</option>
              <option>TUSD</option>
            </SelectField>
          </div>
        </Part>
        <Part title={text('design.marks')}>
          <DesignMarks owner={owner} />
        </Part>
        <Part title={text('design.frames')}>
          <DesignFrames of={title} />
        </Part>
        <Part title={text('design.acts')}>
          <DesignActs of={title} hash={hash} owner={owner} />
        </Part>
        <Part title={text('design.plot')}>
          <StepPlot
            label={text('design.plot')}
            steps={plotSteps}
            end={Date.UTC(2026, 2, 30)}
            decimals={0}
            stepText={({ at, value }) =>
              text('design.plot.step', { amount: formatAmount(value, 0), time: formatTime(new Date(at)) })
            }
          />
        </Part>
        <Part title={text('design.states')}>
          <Loading label={text('app.loading')} />
          <Skeleton label={text('app.loading')} />
          <div className="mt-6">
            <Empty title={text('design.empty')}>{text('design.empty.sentence')}</Empty>
          </div>
        </Part>
        <Part title={text('design.dialog')}>
          <Button onClick={() => setIsOpen(true)}>{text('design.dialog.open')}</Button>
          <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={text('design.dialog')}>
            <p>{text('design.dialog.sentence')}</p>
          </Dialog>
        </Part>
      </div>
    </section>
  )
}

function SheetFacts() {
  return (
    <Facts>
      <Fact label={text('design.address')}>
        <Address address={owner} name={text('design.owner')} />
      </Fact>
      <Fact label={text('design.amount')}>
        <Amount value={1_250_000_000n} decimals={6} symbol="TUSD" isLarge />
        <br />
        <Amount value={10n ** 19n + 1n} decimals={18} symbol="ETH" />
        <br />
        <ShortAmount value={9_999_812_345_678_901_234n} decimals={18} symbol="ETH" />
      </Fact>
      <Fact label={text('design.hash')}>
        <Hash hash={hash} />
      </Fact>
      <Fact label={text('design.time')}>
        <Time value="2026-03-01T09:30:00Z" />
      </Fact>
      <Fact label={text('design.tags')}>
        <span className="flex flex-wrap gap-2">
          <Tag>{text('design.tag.neutral')}</Tag>
          <Tag tone="good">{text('design.tag.good')}</Tag>
          <Tag tone="warning">{text('design.tag.warning')}</Tag>
          <Tag tone="danger">{text('design.tag.danger')}</Tag>
        </span>
      </Fact>
    </Facts>
  )
}

function SheetNotices() {
  return (
    <div className="grid gap-4">
      <Notice title={text('design.notice.info')}>{text('design.notice.info.sentence')}</Notice>
      <Notice tone="good" title={text('design.notice.good')}>
        {text('design.notice.good.sentence')}
      </Notice>
      <Notice tone="warning" title={text('design.notice.warning')}>
        {text('design.notice.warning.sentence')}
      </Notice>
      <Notice tone="danger" title={text('design.notice.danger')}>
        {text('design.notice.danger.sentence')}
      </Notice>
      <Problem error={failure} onRetry={() => {}} />
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="label mb-2">{title}</h3>
      {children}
    </div>
  )
}
