import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { type Names, nameOf } from '../names/names.ts'
import type { SentencePart } from './effect-sentence.ts'

/** A sentence whose values are shown by their own components, addresses in full. */
export function Sentence({ parts, names }: { parts: readonly SentencePart[]; names: Names }) {
  return parts.map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of one sentence never move
    if (part.kind === 'words') return <span key={index}>{part.words}</span>
    if (part.kind === 'amount')
      return <Amount key={index} value={part.value} decimals={part.decimals} symbol={part.symbol} />
    const name = nameOf(part.address, names)
    return (
      <span key={index}>
        {name !== undefined && <strong className="font-semibold">{name} </strong>}
        <Address address={part.address} hasAvatar={false} isCopyable={false} />
      </span>
    )
    // biome-ignore-end lint/suspicious/noArrayIndexKey: parts of one sentence never move
  })
}
