import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Address, isAddress } from 'viem'
import { serverNow } from '../../../device/server-time.ts'
import { safesQuery } from '../../../safe/safes.ts'
import { Button } from '../../../ui/button.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { FileField } from '../../../ui/form/file-field.tsx'
import { QueryProblem } from '../../../ui/problem.tsx'
import type { Draft } from '../draft.ts'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'
import { tokenQuery } from '../token.ts'
import { ListFaults, ListTotals, withUnit } from './list-summary.tsx'
import { withPayments } from './listed-entries.ts'
import { type OpenList, openList, readList } from './open-list.ts'
import type { ListAsset } from './payment-list.ts'
import type { ListSummary } from './payout-messages.ts'
import type { KeptPayout } from './saved-payout.ts'

/** More payments than that are no entries of one form, but transactions of their own. */
const MAX_ENTRIES = 200
/** Longer texts are kept out of the field: it would take seconds to draw them. */
const MAX_TYPED = 100_000

type Read = { file: Blob; summary: ListSummary; assets: readonly ListAsset[]; list: OpenList }

/** Many payments at once, from a table. */
export function PaymentListForm({
  draft,
  facts,
  onChange,
  onPayout,
}: {
  draft: Draft
  facts: FormFacts
  onChange: (draft: Draft) => void
  onPayout: (payout: KeptPayout) => void
}) {
  const [typed, setTyped] = useState('')
  const [read, setRead] = useState<Read | null>(null)
  const [trouble, setTrouble] = useState<{ error: Error; file: Blob } | null>(null)
  const [isReading, setIsReading] = useState(false)
  const queryClient = useQueryClient()
  const place = useListPlace(facts)
  const forget = () => {
    read?.list.close()
    setRead(null)
    setTrouble(null)
  }
  const check = async (file: Blob) => {
    forget()
    setIsReading(true)
    const list = openList()
    try {
      setRead({ file, list, ...(await readList(list, file, place, queryClient)) })
    } catch (error) {
      list.close()
      setTrouble({ error: error instanceof Error ? error : new Error(String(error)), file })
    }
    setIsReading(false)
  }
  const take = async ({ list, assets }: Read) => {
    onChange(withPayments(draft, await list.ask({ kind: 'payments' }), assets))
    forget()
    setTyped('')
  }
  const { summary } = read ?? {}
  const missing = useMissing(summary?.totals ?? [], facts)
  return (
    <Fold title={text('compose.list')}>
      <div className="grid max-w-xl gap-4">
        <TextField
          label={text('compose.list.paste')}
          isFigures
          rows={4}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            forget()
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain')
            if (pasted.length <= MAX_TYPED) return
            event.preventDefault()
            void check(new Blob([pasted]))
          }}
          autoComplete="off"
          spellCheck={false}
          hint={text('compose.list.hint')}
        />
        <FileField
          label={text('compose.file.choose')}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onFile={(file) => void check(file)}
        />
        {trouble && <QueryProblem error={trouble.error} onRetry={() => void check(trouble.file)} />}
        {read && summary && summary.faultCount > 0 && <ListFaults summary={summary} file={read.file} />}
        {read && summary && summary.faultCount === 0 && (
          <ListTotals summary={summary} file={read.file} missing={missing} />
        )}
        <div className="flex flex-wrap gap-2">
          {read && summary && summary.count > 0 ? (
            summary.count <= MAX_ENTRIES ? (
              <Button onClick={() => void take(read)}>{text('compose.list.take')}</Button>
            ) : (
              <Button onClick={() => onPayout(payoutOf(read))}>{text('compose.list.split')}</Button>
            )
          ) : (
            <Button
              busy={isReading ? text('compose.list.reading') : undefined}
              onClick={() => void check(new Blob([typed]))}
            >
              {text('compose.list.check')}
            </Button>
          )}
        </div>
      </div>
    </Fold>
  )
}

function payoutOf({ file, assets, summary }: Read): KeptPayout {
  return { id: Math.floor(serverNow()), file, assets, count: summary.count, batches: [] }
}

/** Facts that a list is read with: listed assets, and accounts that somebody of the team knows. */
function useListPlace({ safe, chain, currency, names }: FormFacts) {
  const { data } = useQuery(safesQuery)
  const listed: ListAsset[] = [
    { address: null, symbol: currency.symbol, decimals: currency.decimals, isListed: true },
    ...(chain?.tokens ?? []).flatMap(({ address, symbol, decimals }): ListAsset[] =>
      isAddress(address) ? [{ address, symbol, decimals, isListed: true }] : [],
    ),
  ]
  const own = (data?.safes ?? []).filter(({ chainId }) => chainId === safe.chainId)
  const known: Address[] = [...names.team, ...own].map(({ address }) => address)
  return { chainId: safe.chainId, safeAddress: safe.address, listed, known: [...known, ...safe.owners] }
}

/** Says of which assets the Safe holds too little. */
function useMissing(totals: ListSummary['totals'], { safe, currency }: FormFacts): string[] {
  const readings = useQueries({
    queries: totals.map(({ asset }) => tokenQuery(safe.chainId, safe.address, asset.address)),
  })
  return totals.flatMap(({ asset, amount }, index) => {
    const held = asset.address === null ? safe.balance : readings[index]?.data?.balance
    if (held === undefined || held >= amount) return []
    const unit = asset.address === null ? { address: null, ...currency } : asset
    return [text('propose.amount.over', { amount: withUnit(held, unit), missing: withUnit(amount - held, unit) })]
  })
}
