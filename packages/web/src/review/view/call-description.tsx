import type { Call } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { type CallToDescribe, describeCallFields } from '../descriptors/describe.ts'
import { currencyOf, type Names } from '../names.ts'
import { text } from '../text.ts'

/** Words of the ERC-7730 registry about a call that it reads, and where they are from. */
export function CallDescription({ call, names }: { call: Call; names: Names }) {
  const { described } = call
  if (!described || !names.chain) return null
  const { from, to, value, data } = call
  const { chainId, name, tokens } = names.chain
  const chain = { name, nativeCurrency: currencyOf(names.chain) }
  const source = { owner: showUntrusted(described.owner, 100), path: described.path, date: described.date }
  return (
    <div className="my-2 grid gap-1 bg-sunk px-3 py-2 text-small" data-call-described={described.path}>
      <p className="text-ink-soft wrap-anywhere">{text('call.described', source)}</p>
      {/* Behind a proxy the descriptor is another contract's, and the library would look for the proxy's. */}
      {described.implementation === null && (
        <DescribedFields call={{ chainId, from, to, value, data, tokens, chain }} />
      )}
    </div>
  )
}

function DescribedFields({ call }: { call: CallToDescribe }) {
  const fields = useQuery(computedQuery('described-call', call, describeCallFields))
  if (!fields.data) return null
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
      {fields.data.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields of one call never move
        <div key={index} className="contents">
          <dt className="min-w-0 text-ink-faint wrap-anywhere">{showUntrusted(label, 100)}</dt>
          <dd className="min-w-0 wrap-anywhere">{showUntrusted(value, 500)}</dd>
        </div>
      ))}
    </dl>
  )
}
