import { CountersignError } from '@countersign/safe-core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { readPages } from '../../api/other-service.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { text } from './text.ts'

/** Takes answers of a service, from the one that the operator names or from a file, and reads them. */
export function ServiceAnswer<Read>({
  place,
  of,
  read,
  onRead,
  isDisabled,
}: {
  place: { chainId: number; safeAddress: Address }
  of: 'messages' | 'delegates'
  read: (json: string) => Read
  onRead: (read: Read | null) => void
  isDisabled: boolean
}) {
  const host = useChain(place.chainId)?.bringFrom ?? null
  const [fault, setFault] = useState<string | null>(null)
  const take = (json: string) => {
    setFault(null)
    try {
      onRead(read(json))
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      onRead(null)
      setFault(errorSentenceText(error))
    }
  }
  const fetching = useMutation({
    mutationFn: () => readPages(place, of),
    onMutate: () => onRead(null),
    onSuccess: take,
  })
  return (
    <>
      {host !== null && (
        <div>
          <Button
            onClick={() => fetching.mutate()}
            disabled={isDisabled}
            busy={fetching.isPending ? text('bring.fetching', { host }) : undefined}
          >
            {text('bring.fetch', { host })}
          </Button>
        </div>
      )}
      {fetching.error && <Problem error={fetching.error} />}
      <FileField label={text('bring.choose.json')} disabled={isDisabled} onText={take} />
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </>
  )
}
