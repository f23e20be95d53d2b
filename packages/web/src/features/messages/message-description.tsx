import type { MessageTypedData } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { describeMessageFields } from '../../evidence/calls/describe.ts'
import { DescribedFields } from '../../evidence/calls/described-fields.tsx'
import { DescriptorSource } from '../../evidence/calls/descriptor-source.tsx'
import { currencyOf, type Names } from '../../safe/names/names.ts'
import './text.ts'

/** Words of the ERC-7730 registry about typed data of this chain and contract, and where they are from. */
export function MessageDescription({ typedData, names }: { typedData: MessageTypedData; names: Names }) {
  return names.chain ? <DescribedMessage typedData={typedData} names={names} chain={names.chain} /> : null
}

function DescribedMessage({
  typedData,
  names: { safeAddress },
  chain,
}: {
  typedData: MessageTypedData
  names: Names
  chain: NonNullable<Names['chain']>
}) {
  const { chainId, name, tokens } = chain
  const asked = { chainId, account: safeAddress, typedData, tokens, chain: { name, nativeCurrency: currencyOf(chain) } }
  const { data: described } = useQuery(computedQuery('described-message', asked, describeMessageFields))
  if (!described) return null
  const { owner, path, date, fields } = described
  return (
    <div className="my-3 grid gap-1 bg-sunk px-3 py-2 text-small" data-message-described={path}>
      <DescriptorSource owner={owner} path={path} date={date} />
      <DescribedFields fields={fields} />
    </div>
  )
}
