import { CountersignError } from '@countersign/safe'
import { parseTransactionBuilderFile, writeTransactionBuilderFile } from '@countersign/safe/compose'
import { useState } from 'react'
import { saveFile } from '../../device/save-file.ts'
import { serverNow } from '../../device/server-time.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { addEntry, type Draft, isEmptyDraft } from './draft.ts'
import { parseDraftFile, withEntries, writeDraftFile } from './draft-file.ts'
import { exactAmount } from './exact-amount.ts'
import type { FormFacts } from './form-facts.ts'
import type { ReadDraft } from './read-draft.ts'
import { text } from './text.ts'

/** Entries that one batch can hold, as its review reads it. */
const MAX_ENTRIES = 500

/** Calls from and to a file of the Transaction Builder of Safe, and whole drafts from and to one of the product's own. */
export function BuilderFile({
  draft,
  read,
  facts,
  onChange,
}: {
  draft: Draft
  read: ReadDraft
  facts: FormFacts
  onChange: (draft: Draft) => void
}) {
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState<{ error: string } | { count: number; isChecksumRight: boolean | null } | null>(null)
  const { chainId, address } = facts.safe
  const take = (json: string) => {
    const taken = takeFile(json, draft, facts)
    setSaid('draft' in taken ? taken : { error: taken.error })
    if (!('draft' in taken)) return
    onChange(taken.draft)
    setTyped('')
  }
  const calls = read.safeTx === null ? [] : read.parts.flatMap((part) => part.calls)
  const canSave = calls.length > 0 && calls.every(({ operation }) => operation === 0)
  return (
    <Fold title={text('compose.file')}>
      <div className="grid max-w-xl gap-4">
        <TextField
          label={text('compose.file.paste')}
          isFigures
          rows={3}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setSaid(null)
          }}
          autoComplete="off"
          spellCheck={false}
          error={said && 'error' in said ? said.error : undefined}
          hint={text('compose.file.hint')}
        />
        <FileField label={text('compose.file.choose')} onText={take} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => take(typed)}>{text('compose.file.take')}</Button>
          <Button
            disabled={!canSave}
            onClick={() =>
              saveFile(
                'transactions.json',
                'application/json',
                writeTransactionBuilderFile({
                  chainId,
                  safeAddress: address,
                  name: draft.origin.trim(),
                  createdAt: Math.floor(serverNow()),
                  calls,
                }),
              )
            }
          >
            {text('compose.file.save')}
          </Button>
          <Button
            disabled={isEmptyDraft({ ...draft, nonce: null })}
            onClick={() => saveFile('draft.json', 'application/json', writeDraftFile(chainId, draft))}
          >
            {text('compose.file.save.draft')}
          </Button>
        </div>
        {said && 'count' in said && (
          <Notice tone={said.isChecksumRight === false ? 'warning' : 'good'} isAnnounced>
            {text('compose.file.taken', { count: said.count })}{' '}
            {said.isChecksumRight === false && text('compose.file.checksum')}
          </Notice>
        )}
      </div>
    </Fold>
  )
}

type Taken = { draft: Draft; count: number; isChecksumRight: boolean | null } | { error: string }

/** Adds what a file holds as entries that can be seen, changed and moved: calls with raw data, or those of a draft as they were. */
export function takeFile(json: string, draft: Draft, { safe, currency }: Pick<FormFacts, 'safe' | 'currency'>): Taken {
  const own = parseDraftFile(json)
  if (own) {
    if (own.chainId !== String(safe.chainId))
      return {
        error: text('compose.file.chain', { chainId: showUntrusted(own.chainId, 20), own: String(safe.chainId) }),
      }
    const count = own.entries.length
    if (count + draft.entries.length > MAX_ENTRIES)
      return { error: text('compose.file.long', { count, limit: MAX_ENTRIES }) }
    const isUntouched = isEmptyDraft({ ...draft, nonce: null })
    const filled = withEntries(draft, own.entries, isUntouched)
    return { draft: isUntouched ? { ...filled, origin: own.origin } : filled, count, isChecksumRight: null }
  }
  try {
    const { calls, chainId, isChecksumRight } = parseTransactionBuilderFile(json)
    if (chainId !== null && chainId !== safe.chainId)
      return { error: text('compose.file.chain', { chainId: String(chainId), own: String(safe.chainId) }) }
    if (calls.length + draft.entries.length > MAX_ENTRIES)
      return { error: text('compose.file.long', { count: calls.length, limit: MAX_ENTRIES }) }
    const filled = calls.reduce((before, { to, value, data }) => {
      const amount = value === 0n ? '' : exactAmount(value, currency.decimals)
      return addEntry(before, 'call', { contract: to, amount, data: data === '0x' ? '' : data }).draft
    }, draft)
    return { draft: filled, count: calls.length, isChecksumRight }
  } catch (error) {
    if (error instanceof CountersignError) return { error: errorSentenceText(error) }
    throw error
  }
}
