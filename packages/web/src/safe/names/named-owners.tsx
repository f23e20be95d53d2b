import type { Address as AddressType } from 'viem'
import { text } from '../../text/safe.ts'
import { Address } from '../../ui/address.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { nameOf } from './names.ts'
import { useNames } from './use-names.ts'

/** The owners of a Safe in the order of the chain, with what the team calls them. The name says which one reads. */
export function NamedOwners({
  chainId,
  safeAddress,
  owners,
}: {
  chainId: number
  safeAddress: AddressType
  owners: readonly AddressType[]
}) {
  const names = useNames(chainId, safeAddress)
  return (
    <Rows label={text('safe.owners')}>
      {owners.map((owner, index) => (
        <Row key={owner}>
          <div data-owner={owner}>
            <Address address={owner} name={nameOf(owner, names) ?? text('safe.owner', { number: index + 1 })} />
          </div>
        </Row>
      ))}
    </Rows>
  )
}
