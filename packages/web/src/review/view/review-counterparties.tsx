import { type Call, counterpartiesOf, type Facts } from '@countersign/safe-core'
import { Address, Hash } from '../../ui/address.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { isSame, type Names, nameOf } from '../names.ts'
import { text } from '../text.ts'

/** Everybody who is called, paid or given rights, in full. */
export function ReviewCounterparties({ call, codes, names }: { call: Call; codes: Facts['codes']; names: Names }) {
  return (
    <Section title={text('review.counterparties')}>
      <Rows label={text('review.counterparties')}>
        {counterpartiesOf(call).map((address) => {
          const code = codes?.[address.toLowerCase()]
          return (
            <Row key={address}>
              <Address address={address} name={nameOf(address, names)} />
              <p className="mt-1 text-small text-ink-soft">
                {isSame(address, names.safeAddress)
                  ? text('review.counterparties.self')
                  : code === undefined
                    ? text('review.counterparties.unread')
                    : code.size === 0
                      ? text('review.counterparties.no-code')
                      : text('review.counterparties.code', { size: code.size })}
              </p>
              {code !== undefined && code.size > 0 && (
                <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-small text-ink-faint">
                  {text('code.hash')} <Hash hash={code.codeHash} />
                </p>
              )}
            </Row>
          )
        })}
      </Rows>
    </Section>
  )
}
