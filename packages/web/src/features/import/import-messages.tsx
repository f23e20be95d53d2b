import { confirmMessage, getMessage, proposeMessage, signatureErrors } from '@countersign/contract'
import { CountersignError, domainVersion, type SafeState } from '@countersign/safe'
import { parseServiceMessages, type ServiceMessage } from '@countersign/safe/service'
import { useState } from 'react'
import type { Address as AddressType, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { retryWhenLimited } from '../../api/retry-when-limited.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { errorSentenceText } from '../../text/errors.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { ServiceAnswer } from './service-answer.tsx'
import { text } from './text.ts'

type FoundMessages = ReturnType<typeof parseServiceMessages>

type Refused = { hash: Hex; owner: AddressType | null; error: CountersignError }
type Done = { tried: number; messages: number; confirmations: number; refused: Refused[] }
const nothing: Done = { tried: 0, messages: 0, confirmations: 0, refused: [] }

/** Refusals of one signature: that of another owner may still count. */
const ofSignature = new Set<string>([...signatureErrors, 'NOT_AN_OWNER'])
/** Refusals of a message, whoever signed it. */
const ofMessage = new Set([
  'MESSAGE_HASH_MISMATCH',
  'POLICY_RESTRICTS',
  'TOO_MANY_MESSAGES',
  'FIELD_MALFORMED',
  'INVALID_REQUEST',
  'REQUEST_TOO_LARGE',
])

/** Brings messages that another service keeps of this Safe: those whose hash is right, with signatures that verify. */
export function ImportMessages({ state }: { state: SafeState }) {
  const { chainId, address: safeAddress } = state
  const place = { chainId, safeAddress }
  const [found, setFound] = useState<FoundMessages | null>(null)
  const [done, setDone] = useState(nothing)
  const importing = useTeamChange(place, async ({ messages }: FoundMessages) => {
    const all = { ...nothing, refused: [...nothing.refused] }
    for (const message of messages) {
      const brought = await importMessage(place, message)
      all.tried += 1
      all.messages += brought.isNew ? 1 : 0
      all.confirmations += brought.added
      all.refused.push(...brought.refused)
      setDone({ ...all, refused: [...all.refused] })
    }
  })
  return (
    <Fold title={text('import.messages')}>
      <div className="grid max-w-2xl grid-cols-1 gap-4" data-bring-messages>
        <p className="max-w-prose text-ink-soft">{text('import.messages.what')}</p>
        <ServiceAnswer
          place={place}
          of={'messages' as const}
          read={(json, lookout) => parseServiceMessages(json, { ...place, version: domainVersion(state), ...lookout })}
          beyond={found?.beyond ?? 0}
          onRead={(read) => {
            importing.reset()
            setDone(nothing)
            setFound(read)
          }}
          isDisabled={importing.isPending}
        />
        {found && <p role="status">{text('import.messages.found', { count: found.messages.length })}</p>}
        <div>
          <Button
            variant="primary"
            disabled={!found || found.messages.length === 0}
            onClick={() => found && importing.mutate(found)}
            busy={
              importing.isPending
                ? text('import.busy', { done: done.tried, count: found?.messages.length ?? 0 })
                : undefined
            }
          >
            {text('import.messages.submit')}
          </Button>
        </div>
        {importing.error && <Problem error={importing.error} />}
        {importing.isSuccess && (
          <Notice tone="good" isAnnounced>
            {text('import.messages.done', { messages: done.messages, confirmations: done.confirmations })}
          </Notice>
        )}
        {(done.refused.length > 0 || (found?.unusable.length ?? 0) > 0) && (
          <Rows label={text('import.leftOut')}>
            {found?.unusable.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and their order never changes
              <Row key={index}>
                <div data-left-out={one.reason}>
                  <p className="wrap-anywhere tabular-nums">{showUntrusted(one.name, 80)}</p>
                  <p>
                    {one.reason === 'unreadable'
                      ? errorSentenceText(one.error)
                      : one.reason === 'other-safe'
                        ? text('import.messages.otherSafe')
                        : text('import.otherHash')}
                  </p>
                  {one.reason === 'other-hash' && <Hash hash={one.computed} />}
                </div>
              </Row>
            ))}
            {done.refused.map(({ hash, owner, error }) => (
              <Row key={`${hash} ${owner}`}>
                <Hash hash={hash} />
                {owner && <Address address={owner} />}
                <p className="wrap-anywhere">{errorSentenceText(error)}</p>
              </Row>
            ))}
          </Rows>
        )}
      </div>
    </Fold>
  )
}

/** Brings one message. Confirmations that are here are not sent again; each is verified by the server by itself. */
async function importMessage(
  place: { chainId: number; safeAddress: AddressType },
  { content, safeMessageHash, origin, signatures }: ServiceMessage,
): Promise<{ isNew: boolean; added: number; refused: Refused[] }> {
  const { chainId } = place
  const brought = { isNew: false, added: 0, refused: [] as Refused[] }
  const known = await api(getMessage, { chainId, safeMessageHash }).catch((error: unknown) => {
    if (error instanceof CountersignError && error.code === 'MESSAGE_NOT_FOUND') return null
    throw error
  })
  let isHere = known !== null
  for (const { owner, signature } of signatures) {
    if (known?.confirmations.some((one) => one.owner === owner)) continue
    try {
      if (isHere)
        await retryWhenLimited(() => api(confirmMessage, { chainId, safeMessageHash, signature, isImported: true }))
      else {
        const message = { ...place, content, safeMessageHash, signature, origin }
        await retryWhenLimited(() => api(proposeMessage, { ...message, isImported: true }))
        brought.isNew = true
      }
      isHere = true
      brought.added += 1
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      if (ofMessage.has(error.code)) {
        brought.refused.push({ hash: safeMessageHash, owner: null, error })
        return brought
      }
      if (!ofSignature.has(error.code)) throw error
      brought.refused.push({ hash: safeMessageHash, owner, error })
    }
  }
  return brought
}
