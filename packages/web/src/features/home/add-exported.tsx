import { addSafe, chainErrors } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { retryWhenLimited } from '../../api/retry-when-limited.ts'
import { safesQuery } from '../../safe/safes.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { needTexts, text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { type ExportedSafes, parseExportedSafes } from './exported-safes.ts'

needTexts('import')

/** Refusals of one Safe or of its chain: the next may be added. */
const ofSafe = new Set<string>([
  ...chainErrors,
  'NOT_A_SAFE',
  'CREATION_REFUSED',
  'SAFE_NOT_ALLOWED',
  'TOO_MANY',
  'INVALID_REQUEST',
])

type Found = ExportedSafes['safes'][number]

/** Adds the Safes of a data export of Safe{Wallet}. Each is read from its chain first; those that are in the list stay as they are. */
export function AddExported() {
  const chains = useChains()
  const client = useQueryClient()
  const known = useQuery(safesQuery)
  const [read, setRead] = useState<ExportedSafes | 'none' | null>(null)
  const [done, setDone] = useState({ added: 0, refused: [] as { safe: Found; error: CountersignError }[] })
  const isHere = ({ chainId }: Found) => chains.some((chain) => chain.chainId === chainId)
  const isKnown = ({ chainId, address }: Found) =>
    known.data?.safes.some((safe) => safe.chainId === chainId && safe.address === address) === true
  const found = read === 'none' ? null : read
  const here = found?.safes.filter(isHere) ?? []
  const missing = here.filter((safe) => !isKnown(safe))
  const elsewhere = found ? found.safes.length - here.length : 0
  const add = useMutation({
    mutationFn: async (safes: readonly Found[]) => {
      let added = 0
      const refused: typeof done.refused = []
      for (const safe of safes) {
        try {
          await retryWhenLimited(() => api(addSafe, safe))
          added += 1
        } catch (error) {
          // One that is none is named, and the others are added; without a connection or a session nothing is.
          if (!(error instanceof CountersignError && ofSafe.has(error.code))) throw error
          refused.push({ safe, error })
        }
        setDone({ added, refused: [...refused] })
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.safes }),
  })
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-4" data-add-exported>
      <p className="max-w-prose text-ink-soft">{text('import.safes.what')}</p>
      <FileField
        label={text('import.names.choose')}
        disabled={add.isPending}
        onText={(json) => {
          add.reset()
          setDone({ added: 0, refused: [] })
          setRead(parseExportedSafes(json) ?? 'none')
        }}
      />
      {read === 'none' && <Notice tone="danger">{text('import.safes.not')}</Notice>}
      {found && !add.isPending && (
        <p role="status">
          {text('import.safes.found', { count: missing.length, known: here.length - missing.length })}{' '}
          {elsewhere > 0 && text('import.safes.elsewhere', { count: elsewhere })}{' '}
          {found.unusable > 0 && text('import.names.unusable', { count: found.unusable })}
        </p>
      )}
      <div>
        <Button
          disabled={missing.length === 0 || !known.data}
          onClick={() => add.mutate(missing)}
          busy={
            add.isPending
              ? text('import.busy', { done: done.added + done.refused.length, count: missing.length })
              : undefined
          }
        >
          {text('import.safes.submit')}
        </Button>
      </div>
      {add.error && <Problem error={add.error} />}
      {add.isSuccess && (
        <Notice tone="good" isAnnounced>
          {text('import.safes.done', { count: done.added })}
        </Notice>
      )}
      {done.refused.length > 0 && (
        <Rows label={text('import.leftOut')}>
          {done.refused.map(({ safe: { chainId, address }, error }) => (
            <Row key={`${chainId} ${address}`}>
              <div data-refused={address}>
                <p className="text-small text-ink-soft">
                  {showUntrusted(chains.find((chain) => chain.chainId === chainId)?.name ?? String(chainId), 60)}
                </p>
                <Address address={address} />
                <p className="wrap-anywhere">{errorSentenceText(error)}</p>
              </div>
            </Row>
          ))}
        </Rows>
      )}
    </div>
  )
}
