import type { Call } from '@countersign/safe/calls'
import { useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { currencyOf, type Names } from '../../safe/names/names.ts'
import { type CallToDescribe, describeCallFields } from './describe.ts'
import { DescribedFields } from './described-fields.tsx'
import { DescriptorSource } from './descriptor-source.tsx'

/** Words of the ERC-7730 registry about a call that it reads, and where they are from. */
export function CallDescription({ call, names }: { call: Call; names: Names }) {
  const { described } = call
  if (!described || !names.chain) return null
  const { from, to, value, data } = call
  const { chainId, name, tokens } = names.chain
  const chain = { name, nativeCurrency: currencyOf(names.chain) }
  return (
    <div className="my-2 grid gap-1 bg-sunk px-3 py-2 text-small" data-call-described={described.path}>
      <DescriptorSource owner={described.owner} path={described.path} date={described.date} />
      {/* Behind a proxy the descriptor is another contract's, and the library would look for the proxy's. */}
      {described.implementation === null && <CallFields call={{ chainId, from, to, value, data, tokens, chain }} />}
    </div>
  )
}

function CallFields({ call }: { call: CallToDescribe }) {
  const fields = useQuery(computedQuery('described-call', call, describeCallFields))
  return fields.data ? <DescribedFields fields={fields.data} /> : null
}
