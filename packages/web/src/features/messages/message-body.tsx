import {
  describeTypedData,
  type MessageContent,
  type MessageTypedData,
  type TypedDataField,
} from '@countersign/safe-core'
import type { ReactNode } from 'react'
import { isAddress } from 'viem'
import { type Names, nameOf } from '../../review/names.ts'
import { showUntrusted, showValue } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Details, Section } from '../../ui/section.tsx'
import { MessageDescription } from './message-description.tsx'
import { text } from './text.ts'

const MAX_FIELDS = 400
const indents = ['', 'pl-4', 'pl-8', 'pl-12', 'pl-16', 'pl-20']

/** Shows the signed content in full: the text, or every field that the types declare. */
export function MessageBody({ content, json, names }: { content: MessageContent; json: string; names: Names }) {
  return (
    <Section title={text('message.content')}>
      {content.encoding === 'EIP712' ? (
        <>
          <MessageDescription typedData={content.typedData} names={names} />
          <TypedData typedData={content.typedData} names={names} />
        </>
      ) : (
        <Words words={content.encoding === 'EIP191_TEXT' ? content.text : content.bytes} />
      )}
      {content.encoding === 'EIP712' && (
        <Details summary={text('message.content.json')}>
          <Scrolled>
            <Lines words={json} />
          </Scrolled>
          <CopyButton value={json} label={text('message.content.copy')} />
        </Details>
      )}
    </Section>
  )
}

function Words({ words }: { words: string }) {
  if (words === '') return <Notice tone="warning">{text('message.content.empty')}</Notice>
  return (
    <>
      <p className="mb-3 text-ink-soft">{text('message.content.text')}</p>
      <Scrolled>
        <Lines words={words} />
      </Scrolled>
      <CopyButton value={words} label={text('message.content.copy')} />
    </>
  )
}

/** A region of its own, so that a long text can be scrolled by keyboard and pushes nothing out of sight. */
function Scrolled({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label={text('message.content.whole')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-y-auto border border-rule bg-raised px-4 py-3"
    >
      {children}
    </section>
  )
}

/** Line by line, with what cannot be seen written out. */
function Lines({ words }: { words: string }) {
  return (
    <div data-message-text className="whitespace-pre-wrap wrap-anywhere">
      {words.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
        <p key={index} className="min-h-6">
          {showValue(line)}
        </p>
      ))}
    </div>
  )
}

function TypedData({ typedData, names }: { typedData: MessageTypedData; names: Names }) {
  const { fields, unsigned } = describeTypedData(typedData)
  const shown = fields.slice(0, MAX_FIELDS)
  const of = (part: string) => shown.filter(({ path }) => path.startsWith(part))
  return (
    <>
      <p className="mb-3 text-ink-soft wrap-anywhere">
        {text('message.content.typed', { type: showUntrusted(typedData.primaryType, 100) })}
      </p>
      {unsigned.length > 0 && (
        <div className="mb-4" data-unsigned={unsigned.length}>
          <Notice tone="warning" title={text('message.content.unsigned')}>
            {text('message.content.unsigned.sentence', { paths: showUntrusted(unsigned.join(', '), 1_000) })}
          </Notice>
        </div>
      )}
      <Fields title={text('message.content.domain')} fields={of('domain.')} names={names} />
      <Fields title={text('message.content.message')} fields={of('message.')} names={names} />
      {fields.length > shown.length && (
        <Notice tone="danger">{text('message.content.cut', { count: fields.length - shown.length })}</Notice>
      )}
    </>
  )
}

function Fields({ title, fields, names }: { title: string; fields: readonly TypedDataField[]; names: Names }) {
  if (fields.length === 0) return null
  return (
    <>
      <h3 className="mt-5 mb-2 font-semibold">{title}</h3>
      <dl className="border-t border-rule">
        {fields.map((field) => (
          <div
            key={field.path}
            data-field={field.path}
            className={`grid gap-x-6 gap-y-0.5 border-b border-rule py-2 sm:grid-cols-[14rem_minmax(0,1fr)] ${indents[Math.min(field.depth, indents.length - 1)]}`}
          >
            <dt className="text-small wrap-anywhere">
              <span className="figures">{showUntrusted(field.name, 200)}</span>{' '}
              <span className="figures text-ink-faint">{showUntrusted(field.type, 200)}</span>
            </dt>
            <dd className="min-w-0 wrap-anywhere">
              <Value field={field} names={names} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Value({ field: { type, value }, names }: { field: TypedDataField; names: Names }) {
  if (value === null) return null
  if (type === 'address' && isAddress(value, { strict: false }))
    return <Address address={value} name={nameOf(value, names)} />
  if (type === 'string') return <Lines words={value} />
  return <span className="figures text-small">{showValue(value)}</span>
}
