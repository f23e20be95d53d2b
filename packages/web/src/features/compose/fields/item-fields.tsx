import { readItems } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { Field, SelectField } from '../../../ui/form/field.tsx'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import type { Typed } from '../draft.ts'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'
import { type FieldsProps, KnownAddressField, RecipientField } from './address-fields.tsx'

type Item = { address: Address; kind: 'erc721' | 'erc1155'; tokenId: bigint }

/** How many of an item the Safe has. */
function itemQuery(chainId: number, safeAddress: Address, item: Item | null) {
  return queryOptions({
    queryKey: ['item', chainId, safeAddress, item && { ...item, tokenId: item.tokenId.toString() }],
    queryFn: async () => {
      if (item === null) return null
      const [collection] = await readItems(chainRequest(chainId), safeAddress, [item])
      return collection?.items[0]?.balance ?? null
    },
    enabled: item !== null,
    staleTime: 15_000,
  })
}

function itemOf({ collection, standard, tokenId }: Typed): Item | null {
  const read = parseAddress(collection)
  if (!read.ok || !/^[0-9]{1,78}$/.test(tokenId.trim()) || BigInt(tokenId) >> 256n !== 0n) return null
  return { address: read.address, kind: standard === 'erc1155' ? 'erc1155' : 'erc721', tokenId: BigInt(tokenId) }
}

/** One item of a collection, or several of one kind. */
export function ItemFields({ facts, ...fields }: FieldsProps & { facts: FormFacts }) {
  const { typed, errors, set } = fields
  const item = itemOf(typed)
  const { data: held } = useQuery(itemQuery(facts.safe.chainId, facts.safe.address, item))
  const warning =
    held === undefined || held === null
      ? undefined
      : typeof held !== 'bigint'
        ? text('compose.item.unread')
        : held === 0n
          ? text('compose.item.none')
          : undefined
  const hint = typeof held === 'bigint' && held > 0n ? text('compose.item.held', { count: held.toString() }) : undefined
  return (
    <>
      <SelectField
        label={text('compose.standard')}
        value={typed.standard}
        onChange={(event) => set({ standard: event.target.value })}
      >
        <option value="erc721">{text('compose.standard.erc721')}</option>
        <option value="erc1155">{text('compose.standard.erc1155')}</option>
      </SelectField>
      <KnownAddressField of="collection" label={text('compose.collection')} names={facts.names} {...fields} />
      <Field
        label={text('compose.tokenId')}
        inputMode="numeric"
        isFigures
        value={typed.tokenId}
        onChange={(event) => set({ tokenId: event.target.value })}
        autoComplete="off"
        error={errors.tokenId}
        warning={warning}
        hint={hint}
      />
      {typed.standard === 'erc1155' && (
        <Field
          label={text('propose.amount')}
          inputMode="numeric"
          value={typed.amount}
          onChange={(event) => set({ amount: event.target.value })}
          autoComplete="off"
          error={errors.amount}
        />
      )}
      <RecipientField facts={facts} {...fields} />
    </>
  )
}
