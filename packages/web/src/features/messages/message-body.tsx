import {
  describeTypedData,
  type MessageContent,
  type MessageTypedData,
  type TypedDataField,
  unsignedPaths,
} from '@countersign/safe'
import { isAddress } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { showUntrusted, showValue } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Details, Section } from '../../ui/section.tsx'
import { Lines, LongText } from '../../ui/text/long-text.tsx'
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
          <TypedData typedData={content.typedData} json={json} names={names} />
        </>
      ) : (
        <MessageWords words={content.encoding === 'EIP191_TEXT' ? content.text : content.bytes} />
      )}
      {content.encoding === 'EIP712' && (
        <Details summary={text('message.content.json')}>
          <LongText label={text('message.content.whole')} words={json} />
          <CopyButton value={json} label={text('message.content.copy')} />
        </Details>
      )}
    </Section>
  )
}

function MessageWords({ words }: { words: string }) {
  if (words === '') return <Notice tone="warning">{text('message.content.empty')}</Notice>
  return (
    <>
      <p className="mb-3 text-ink-soft">{text('message.content.text')}</p>
      <LongText label={text('message.content.whole')} words={words} />
      <CopyButton value={words} label={text('message.content.copy')} />
    </>
  )
}

function TypedData({ typedData, json, names }: { typedData: MessageTypedData; json: string; names: Names }) {
  const { fields } = describeTypedData(typedData)
  const unsigned = unsignedPaths(json)
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
