import { CountersignError, domainVersion, type SafeState } from '@countersign/safe'
import { type Lookout, parseServiceQueue, type ServiceQueue } from '@countersign/safe/service'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { ANEW } from '../../api/query-client.ts'
import { otherServiceQuery, readPages } from '../../safe/other-service.ts'
import { outdate } from '../../safe/queries.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { type Brought, importProposal, readKnown } from './import-proposal.ts'
import { RemainingEntries } from './remaining-entries.tsx'
import { text } from './text.ts'

/** Longer texts are kept out of the field: it would take seconds to draw them. */
const MAX_TYPED = 100_000

/** Text that was given, null: the service; and how many of its entries are behind. */
type Source = { text: string | null; after: number }

type Result = Brought & { safeTxHash: Hex; unreadable: number }

/** Brings the queue that another service keeps of this Safe: proposals whose hash is right, signatures that verify. */
export function ImportQueue({ state }: { state: SafeState }) {
  const [typed, setTyped] = useState('')
  const [read, setRead] = useState<ServiceQueue | { error: string } | null>(null)
  const [source, setSource] = useState<Source>({ text: null, after: 0 })
  const [results, setResults] = useState<readonly Result[]>([])
  const queryClient = useQueryClient()
  const { chainId, address: safeAddress } = state
  const importing = useMutation({
    mutationFn: async ({ proposals }: ServiceQueue) => {
      const done: Result[] = []
      setResults(done)
      const known = await readKnown({ chainId, safeAddress })
      for (const proposal of proposals) {
        const brought = await importProposal({ chainId, safeAddress }, proposal, known)
        done.push({ ...brought, safeTxHash: proposal.safeTxHash, unreadable: proposal.unreadable })
        setResults([...done])
        if (brought.added > 0)
          outdate(queryClient, { kind: 'transaction', chainId, safeAddress, hash: proposal.safeTxHash })
      }
    },
  })
  const host = useChain(chainId)?.bringFrom ?? null
  const fetching = useMutation({
    mutationFn: () =>
      queryClient.fetchQuery({ ...otherServiceQuery(chainId, safeAddress, domainVersion(state)), staleTime: ANEW }),
    onMutate: () => take(''),
    onSuccess: (queue) => show(queue),
  })
  const show = (found: typeof read) => {
    setResults([])
    importing.reset()
    setRead(found)
  }
  const take = (json: string) => {
    const text = json.trim() === '' ? null : json
    setSource({ text, after: 0 })
    show(text === null ? null : readQueue(text, state, {}))
  }
  const readingOn = useMutation({
    mutationFn: async (after: number) => {
      const isRest = source.text === null
      const text = source.text ?? (await readPages({ chainId, safeAddress }, 'transactions', after))
      return readQueue(text, state, { after, isRest })
    },
    onSuccess: (found, after) => {
      setSource({ ...source, after })
      show(found)
    },
  })
  const queue = read && 'proposals' in read ? read : null
  const count = queue?.proposals.length ?? 0
  return (
    <Fold title={text('import.from')}>
      <div data-bring>
        <Form
          submit={text('import.submit')}
          busy={text('import.busy', { done: results.length, count })}
          isDisabled={count === 0}
          state={{
            onSubmit: () => {
              if (queue && !importing.isPending) importing.mutate(queue)
            },
            isSending: importing.isPending,
            error: importing.error,
          }}
        >
          <p className="max-w-prose text-ink-soft">{text('import.what')}</p>
          {host !== null && (
            <div>
              <Button
                onClick={() => fetching.mutate()}
                disabled={importing.isPending}
                busy={fetching.isPending ? text('import.fetching', { host }) : undefined}
              >
                {text('import.fetch', { host })}
              </Button>
            </div>
          )}
          {fetching.error && <Problem error={fetching.error} />}
          <TextField
            label={text('import.paste')}
            hint={text('import.hint')}
            isFigures
            rows={4}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            disabled={importing.isPending}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text/plain')
              if (pasted.length <= MAX_TYPED) return
              event.preventDefault()
              take(pasted)
            }}
            onChange={({ target }) => {
              setTyped(target.value)
              take(target.value)
            }}
            error={read && 'error' in read ? read.error : undefined}
          />
          <FileField label={text('import.choose')} disabled={importing.isPending} onText={take} />
          {queue && <p role="status">{text('import.found', { count, executed: queue.executed })}</p>}
          {queue && (
            <RemainingEntries
              count={queue.beyond}
              after={source.after}
              reading={readingOn}
              isDisabled={importing.isPending || fetching.isPending}
            />
          )}
        </Form>
        <div className="mt-4 grid max-w-2xl gap-4 empty:hidden">
          {importing.isSuccess && <ImportResults results={results} />}
          {queue && <LeftOut queue={queue} results={results} />}
        </div>
      </div>
    </Fold>
  )
}

function readQueue(json: string, state: SafeState, lookout: Lookout): ServiceQueue | { error: string } {
  try {
    const { chainId, address: safeAddress } = state
    return parseServiceQueue(json, { chainId, safeAddress, version: domainVersion(state), ...lookout })
  } catch (error) {
    if (error instanceof CountersignError) return { error: errorSentenceText(error) }
    throw error
  }
}

function ImportResults({ results }: { results: readonly Result[] }) {
  const proposals = results.filter(({ isNew }) => isNew).length
  const confirmations = results.reduce((sum, { added }) => sum + added, 0)
  return (
    <Notice tone="good" isAnnounced>
      {text('import.done', { proposals, confirmations })}
    </Notice>
  )
}

/** Everything that was not brought, with its reason. */
function LeftOut({ queue, results }: { queue: ServiceQueue; results: readonly Result[] }) {
  const refused = results.filter(({ isHere, refused, unreadable }) => !isHere || refused.length + unreadable > 0)
  if (queue.unusable.length + refused.length === 0) return null
  return (
    <div>
      <h3 className="mb-2 font-semibold">{text('import.leftOut')}</h3>
      <Rows label={text('import.leftOut')}>
        {queue.unusable.map((proposal, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and their order never changes
          <Row key={index}>
            <div data-left-out={proposal.reason}>
              <p className="wrap-anywhere tabular-nums">{showUntrusted(proposal.name, 80)}</p>
              {proposal.reason === 'unreadable' ? (
                <p className="wrap-anywhere">{errorSentenceText(proposal.error)}</p>
              ) : proposal.reason === 'other-safe' ? (
                <p>
                  {text('import.otherSafe')} <Address address={proposal.safeAddress} />
                </p>
              ) : (
                <p>
                  {text('import.otherHash')} <Hash hash={proposal.computed} />
                </p>
              )}
            </div>
          </Row>
        ))}
        {refused.map(({ safeTxHash, isHere, unreadable, refused: reasons }) => (
          <Row key={safeTxHash}>
            <div data-left-out={safeTxHash}>
              <Hash hash={safeTxHash} />
              {!isHere && reasons.length === 0 && <p className="mt-2">{text('import.unsigned')}</p>}
              {reasons.map(({ owner, error }) => (
                <div key={owner} className="mt-2">
                  {owner && <Address address={owner} />}
                  <p className="wrap-anywhere">{errorSentenceText(error)}</p>
                </div>
              ))}
              {unreadable > 0 && <p className="mt-2">{text('import.unreadable', { count: unreadable })}</p>}
            </div>
          </Row>
        ))}
      </Rows>
    </div>
  )
}
