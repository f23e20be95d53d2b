import type { Address as AddressType } from 'viem'
import { text } from '../../text/safe.ts'
import { Address } from '../../ui/address.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { isSame, nameOf } from '../names.ts'
import { useNames } from '../use-names.ts'

/** The owners of a Safe in the order of the chain, with what the team calls them, and which one reads. */
export function NamedOwners({
  chainId,
  safeAddress,
  owners,
  reader,
}: {
  chainId: number
  safeAddress: AddressType
  owners: readonly AddressType[]
  reader: AddressType | null
}) {
  const names = useNames(chainId, safeAddress)
  return (
    <Rows label={text('safe.owners')}>
      {owners.map((owner, index) => (
        <Row key={owner}>
          <div data-owner={owner} className="flex items-start justify-between gap-2">
            <div className="min-w-0">
              <Address address={owner} name={nameOf(owner, names) ?? text('safe.owner', { number: index + 1 })} />
            </div>
            {reader !== null && isSame(owner, reader) && <Tag tone="good">{text('safe.you')}</Tag>}
          </div>
        </Row>
      ))}
    </Rows>
  )
}
