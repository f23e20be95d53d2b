import { text } from '../../text/text.ts'
import { Address } from '../address.tsx'
import { Row, Rows } from '../section.tsx'
import { Tag } from '../tag.tsx'

/** The owners of a Safe in the order of the chain, and which one reads. */
export function OwnerRows({
  label,
  owners,
  reader,
}: {
  label: string
  owners: readonly string[]
  reader: string | undefined
}) {
  return (
    <Rows label={label}>
      {owners.map((owner, index) => (
        <Row key={owner}>
          <div data-owner={owner} className="flex items-start justify-between gap-2">
            <div className="min-w-0">
              <Address address={owner} name={text('safe.owner', { number: index + 1 })} />
            </div>
            {owner === reader && <Tag tone="good">{text('safe.you')}</Tag>}
          </div>
        </Row>
      ))}
    </Rows>
  )
}
