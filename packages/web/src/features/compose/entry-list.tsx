import { newSafeTx } from '@countersign/safe'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import {
  type Draft,
  duplicateEntry,
  type EntryKind,
  entryGroups,
  entryKinds,
  isKind,
  moveEntry,
  removeEntry,
  type Typed,
} from './draft.ts'
import { CallFields } from './fields/call-fields.tsx'
import { ModuleFields, PlaceFields, UpgradeFields } from './fields/contract-fields.tsx'
import { FunctionFields } from './fields/function-fields.tsx'
import { ItemFields } from './fields/item-fields.tsx'
import { LimitFields } from './fields/limit-fields.tsx'
import { OwnerFields } from './fields/owner-fields.tsx'
import { PaymentFields } from './fields/payment-fields.tsx'
import type { FormFacts } from './form-facts.ts'
import type { ReadPart } from './read-draft.ts'
import { text } from './text.ts'

type ListProps = {
  draft: Draft
  parts: readonly ReadPart[]
  facts: FormFacts
  /** Whether faults are shown: the review was asked for. */
  isAsked: boolean
  openId: number
  onOpen: (id: number) => void
  onChange: (draft: Draft) => void
}

/** The entries of a draft in their order: one is open, the others are told in a line. A single one needs no frame. */
export function EntryList(props: ListProps) {
  const { draft, parts, openId, onOpen, onChange } = props
  const [moved, setMoved] = useState<{ id: number; by: -1 | 1 } | null>(null)
  const [said, setSaid] = useState('')
  const [dragged, setDragged] = useState<number | null>(null)
  const list = useRef<HTMLOListElement>(null)
  // The browser takes the focus from what is put elsewhere.
  useEffect(() => {
    if (moved === null) return
    const row = list.current?.querySelector(`[data-entry="${moved.id}"]`)
    const names = moved.by < 0 ? ['up', 'down'] : ['down', 'up']
    const buttons = names.map((name) => row?.querySelector<HTMLButtonElement>(`[data-move="${name}"]`))
    buttons.find((button) => button && !button.disabled)?.focus()
  }, [moved])
  if (draft.entries.length === 1 && parts[0]) return <EntryFields {...props} part={parts[0]} />
  const move = (from: number, to: number) => {
    const entry = draft.entries[from]
    if (!entry || to < 0 || to >= draft.entries.length) return
    onChange(moveEntry(draft, from, to))
    setMoved({ id: entry.id, by: to < from ? -1 : 1 })
    setSaid(text('compose.moved', { from: from + 1, to: to + 1, count: draft.entries.length }))
  }
  return (
    <>
      <p className="text-small text-ink-soft">{text('compose.batch.what', { count: parts.length })}</p>
      <ol ref={list} className="border-t border-rule-strong">
        {parts.map((part, index) => (
          <li
            key={part.entry.id}
            data-entry={part.entry.id}
            draggable={part.entry.id !== openId}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged !== null) move(dragged, index)
              setDragged(null)
            }}
            className={`border-b border-rule py-2.5 ${dragged === index ? 'opacity-50' : ''}`}
          >
            <EntryHead
              part={part}
              number={index + 1}
              names={props.facts.names}
              isAsked={props.isAsked}
              isOpen={part.entry.id === openId}
              onOpen={() => onOpen(part.entry.id === openId ? 0 : part.entry.id)}
              onUp={index === 0 ? null : () => move(index, index - 1)}
              onDown={index === parts.length - 1 ? null : () => move(index, index + 1)}
              onDuplicate={() => {
                const copied = duplicateEntry(draft, index)
                onChange(copied.draft)
                onOpen(copied.id)
              }}
              onRemove={() => {
                onChange(removeEntry(draft, index))
                setSaid(text('compose.removed', { number: index + 1 }))
              }}
            />
            {part.entry.id === openId && (
              <div className="grid gap-4 pt-3 sm:pl-7">
                <EntryFields {...props} part={part} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

function EntryHead({
  part,
  number,
  names,
  isAsked,
  isOpen,
  onOpen,
  onUp,
  onDown,
  onDuplicate,
  onRemove,
}: {
  part: ReadPart
  number: number
  names: Names
  isAsked: boolean
  isOpen: boolean
  onOpen: () => void
  onUp: (() => void) | null
  onDown: (() => void) | null
  onDuplicate: () => void
  onRemove: () => void
}) {
  const faults = Object.values(part.errors)
  const unnamed = unnamedIn(part, names)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <div className="flex min-w-0 flex-1 basis-56 items-baseline gap-3">
        <span className="w-4 shrink-0 text-ink-faint tabular-nums">{number}</span>
        <span className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{entryTitle(part, names)}</span>
          {!isOpen && unnamed !== null && (
            <span className="block">
              <Address address={unnamed} hasAvatar={false} isCopyable={false} />
            </span>
          )}
          {isAsked && !isOpen && faults[0] && <span className="block text-small text-danger">{faults[0]}</span>}
        </span>
      </div>
      <div className="flex flex-wrap gap-1">
        <Button
          isCompact
          variant="quiet"
          aria-expanded={isOpen}
          aria-label={text('compose.edit.number', { number })}
          onClick={onOpen}
        >
          {text(isOpen ? 'compose.close' : 'compose.edit')}
        </Button>
        <Button
          isCompact
          variant="quiet"
          aria-label={text('compose.duplicate.number', { number })}
          onClick={onDuplicate}
        >
          {text('compose.duplicate')}
        </Button>
        <Button
          isCompact
          variant="quiet"
          data-move="up"
          disabled={onUp === null}
          aria-label={text('compose.up', { number })}
          onClick={() => onUp?.()}
        >
          <Arrow d="M10 16V4.5M5 9.500l5-5 5 5" />
        </Button>
        <Button
          isCompact
          variant="quiet"
          data-move="down"
          disabled={onDown === null}
          aria-label={text('compose.down', { number })}
          onClick={() => onDown?.()}
        >
          <Arrow d="M10 4v11.500M5 10.500l5 5 5-5" />
        </Button>
        <Button isCompact variant="quiet" aria-label={text('compose.remove.number', { number })} onClick={onRemove}>
          {text('compose.remove')}
        </Button>
      </div>
    </div>
  )
}

function Arrow({ d }: { d: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      className="size-4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={d} />
    </svg>
  )
}

/** The address that the words of an entry do not name: without it, lines of payments to strangers would be alike. */
function unnamedIn({ intent }: ReadPart, names: Names): AddressType | null {
  if (intent === null) return null
  const about =
    'to' in intent
      ? intent.to
      : 'newOwner' in intent
        ? intent.newOwner
        : 'owner' in intent
          ? intent.owner
          : 'delegate' in intent
            ? intent.delegate
            : null
  return about !== null && nameOf(about, names) === undefined ? about : null
}

/** The effect of an entry in the words of the review; its kind as long as it has none. */
function entryTitle({ entry, calls }: ReadPart, names: Names): string {
  const call = calls.at(-1)
  return call === undefined
    ? text(`compose.kind.${entry.kind}`)
    : transactionTitle(newSafeTx({ ...call, nonce: 0n }), names)
}

/** The kind of an entry, and its fields. */
function EntryFields({ draft, parts, part, facts, isAsked, onChange }: ListProps & { part: ReadPart }) {
  const { entry } = part
  const change = (next: Partial<typeof entry>) =>
    onChange({ ...draft, entries: draft.entries.map((one) => (one.id === entry.id ? { ...one, ...next } : one)) })
  const set = (typed: Partial<Typed>) => change({ typed: { ...entry.typed, ...typed } })
  const Fields = fieldsOfKind[entry.kind]
  return (
    <>
      <SelectField
        label={text('propose.kind')}
        value={entry.kind}
        onChange={({ target: { value } }) => isKind(value) && change({ kind: value })}
      >
        {entryGroups.map((group) => (
          <optgroup key={group} label={text(`compose.group.${group}`)}>
            {entryKinds[group].map((kind) => (
              <option key={kind} value={kind}>
                {text(`compose.kind.${kind}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <Fields
        typed={entry.typed}
        errors={isAsked ? part.errors : {}}
        set={set}
        part={part}
        parts={parts}
        facts={facts}
      />
    </>
  )
}

type EntryFieldsProps = Parameters<typeof PaymentFields>[0]

const fieldsOfKind: Record<EntryKind, (props: EntryFieldsProps) => ReactNode> = {
  transfer: PaymentFields,
  item: ItemFields,
  function: FunctionFields,
  call: CallFields,
  'add-owner': OwnerFields,
  'remove-owner': OwnerFields,
  'swap-owner': OwnerFields,
  'change-threshold': OwnerFields,
  'enable-module': ModuleFields,
  'disable-module': ModuleFields,
  'set-guard': PlaceFields,
  'set-module-guard': PlaceFields,
  'set-handler': PlaceFields,
  upgrade: UpgradeFields,
  'set-limit': LimitFields,
  'reset-limit': LimitFields,
  'delete-limit': LimitFields,
}
