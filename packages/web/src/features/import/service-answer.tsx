import { CountersignError } from '@countersign/safe'
import type { Lookout } from '@countersign/safe/service'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { readPages } from '../../safe/other-service.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { RemainingEntries } from './remaining-entries.tsx'
import { text } from './text.ts'

/** Takes answers of a service, from the one that the operator names or from a file, and reads them. */
export function ServiceAnswer<Read extends object>({
  place,
  of,
  read,
  onRead,
  beyond,
  isDisabled,
}: {
  place: { chainId: number; safeAddress: Address }
  of: 'messages' | 'delegates'
  read: (json: string, lookout: Lookout) => Read
  onRead: (read: Read | null) => void
  /** Entries behind those that were read. */
  beyond: number
  isDisabled: boolean
}) {
  const host = useChain(place.chainId)?.bringFrom ?? null
  const [fault, setFault] = useState<string | null>(null)
  const [{ file, after }, setSource] = useState<{ file: string | null; after: number }>({ file: null, after: 0 })
  const take = (json: string, from: string | null, lookout: Lookout = {}) => {
    setFault(null)
    setSource({ file: from, after: lookout.after ?? 0 })
    try {
      onRead(read(json, lookout))
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      onRead(null)
      setFault(errorSentenceText(error))
    }
  }
  const fetching = useMutation({
    mutationFn: () => readPages(place, of),
    onMutate: () => onRead(null),
    onSuccess: (json) => take(json, null),
  })
  const readingOn = useMutation({
    mutationFn: async (next: number) => file ?? (await readPages(place, of, next)),
    onSuccess: (json, next) => take(json, file, { after: next, isRest: file === null }),
  })
  return (
    <>
      {host !== null && (
        <div>
          <Button
            onClick={() => fetching.mutate()}
            disabled={isDisabled}
            busy={fetching.isPending ? text('import.fetching', { host }) : undefined}
          >
            {text('import.fetch', { host })}
          </Button>
        </div>
      )}
      {fetching.error && <Problem error={fetching.error} />}
      <FileField label={text('import.choose.json')} disabled={isDisabled} onText={(json) => take(json, json)} />
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      <RemainingEntries
        count={beyond}
        after={after}
        reading={readingOn}
        isDisabled={isDisabled || fetching.isPending}
      />
    </>
  )
}
