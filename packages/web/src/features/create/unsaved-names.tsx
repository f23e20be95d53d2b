import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorReason, Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import type { RefusedName, TypedName } from './save-names.ts'
import { text } from './text.ts'

/** Lists the names that were not written, each with its reason, or those of a Safe that this account did not create. */
export function UnsavedNames({
  saving: { error, refused, offered, start, discard },
}: {
  saving: {
    error: Error | null
    refused: readonly RefusedName[]
    offered: readonly TypedName[]
    start: () => void
    discard: () => void
  }
}) {
  if (error) return <Problem error={error} onRetry={start} />
  const isOffered = refused.length === 0
  const names: readonly (TypedName & Partial<RefusedName>)[] = isOffered ? offered : refused
  if (names.length === 0) return null
  const label = text(isOffered ? 'create.names.offered' : 'create.names.refused')
  return (
    <div className="mt-4" data-unsaved-names={isOffered ? 'offered' : 'refused'}>
      <Notice
        tone={isOffered ? 'info' : 'warning'}
        isAnnounced
        title={label}
        actions={
          <>
            <Button onClick={start}>{text(isOffered ? 'create.names.save' : 'problem.retry')}</Button>
            <Button onClick={discard}>{text('create.names.discard')}</Button>
          </>
        }
      >
        <p>{text(isOffered ? 'create.names.offered.sentence' : 'create.names.refused.sentence')}</p>
        <div className="mt-3">
          <Rows label={label}>
            {names.map(({ address, name, error }) => (
              <Row key={address}>
                <Address address={address} name={showUntrusted(name, 60)} />
                {error && (
                  <p className="wrap-anywhere">
                    <ErrorReason error={error} />
                  </p>
                )}
              </Row>
            ))}
          </Rows>
        </div>
      </Notice>
    </div>
  )
}
