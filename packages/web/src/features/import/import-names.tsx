import { nameAddress } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { retryWhenLimited } from '../../api/retry-when-limited.ts'
import { namesQuery } from '../../safe/names/team-names.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { type ExportedNames, parseExportedNames } from './exported-names.ts'
import { LeftOutLines } from './left-out-lines.tsx'
import { text } from './text.ts'

/** The address book links to it. */
const ANCHOR = 'import-names'

type Refused = { address: AddressType; name: string; error: CountersignError }

/** Brings names from the data export of Safe{Wallet} into the address book, as one's own; those already written stay. */
export function ImportNames({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const { session } = useSession()
  const isAsked = useLocation({ select: ({ hash }) => hash === ANCHOR })
  useEffect(() => {
    if (isAsked) document.getElementById(ANCHOR)?.closest('summary')?.scrollIntoView()
  }, [isAsked])
  const known = useQuery(namesQuery(chainId, safeAddress))
  const [read, setRead] = useState<ExportedNames | 'none' | null>(null)
  const [done, setDone] = useState({ written: 0, refused: [] as Refused[] })
  const written = new Set(
    known.data?.names.filter(({ author }) => author === session?.address).map(({ address }) => address),
  )
  const found = read === 'none' ? null : read
  const missing = found?.names.filter(({ address }) => !written.has(address)) ?? []
  const importing = useTeamChange({ chainId, safeAddress }, async (names: ExportedNames['names']) => {
    let count = 0
    const refused: Refused[] = []
    for (const { address, name } of names) {
      try {
        await retryWhenLimited(() => api(nameAddress, { chainId, safeAddress, address, name }))
        count += 1
      } catch (error) {
        if (!(error instanceof CountersignError) || error.code !== 'INVALID_REQUEST') throw error
        refused.push({ address, name, error })
      }
      setDone({ written: count, refused: [...refused] })
    }
  })
  return (
    <Fold title={text('import.names')} isOpen={isAsked} anchor={ANCHOR}>
      <div className="grid max-w-2xl grid-cols-1 gap-4" data-bring-names>
        <p className="max-w-prose text-ink-soft">{text('import.names.what')}</p>
        <FileField
          label={text('import.names.choose')}
          accept=".json,application/json,.csv,text/csv"
          disabled={importing.isPending}
          onText={(json) => {
            importing.reset()
            setDone({ written: 0, refused: [] })
            setRead(parseExportedNames(json, chainId) ?? 'none')
          }}
        />
        {read === 'none' && <Notice tone="danger">{text('import.names.not')}</Notice>}
        {found && !importing.isPending && (
          <p role="status">
            {text('import.names.found', { count: missing.length, known: found.names.length - missing.length })}{' '}
            {found.unusable > 0 && text('import.names.unusable', { count: found.unusable })}{' '}
            {found.elsewhere ? text('import.names.elsewhere', { count: found.elsewhere }) : null}
          </p>
        )}
        <LeftOutLines lines={found?.leftOut ?? []} />
        <div>
          <Button
            variant="primary"
            disabled={missing.length === 0 || !known.data}
            onClick={() => importing.mutate(missing)}
            busy={importing.isPending ? text('import.busy', { done: done.written, count: missing.length }) : undefined}
          >
            {text('import.names.submit')}
          </Button>
        </div>
        {importing.error && <Problem error={importing.error} />}
        {importing.isSuccess && (
          <Notice tone="good" isAnnounced>
            {text('import.names.done', { count: done.written })}
          </Notice>
        )}
        {done.refused.length > 0 && (
          <Rows label={text('import.leftOut')}>
            {done.refused.map(({ address, name, error }) => (
              <Row key={address}>
                <Address address={address} name={showUntrusted(name, 60)} />
                <p className="wrap-anywhere">{errorSentenceText(error)}</p>
              </Row>
            ))}
          </Rows>
        )}
      </div>
    </Fold>
  )
}
