import type { CountersignError } from '@countersign/safe'
import { useSyncExternalStore } from 'react'
import { fail } from '../../../text/fail.ts'
import type { Client } from './client.ts'

/** The phone's side of a connection. */
export type Session = ReturnType<Client['session']['get']>

/** Code for the phone to scan. `number` counts the codes of one attempt. */
export type Code = { uri: string; expiresAt: number; number: number }

/** Methods that the page would like to use; the phone approves those it knows. */
const wantedMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]
const RELAY_MS = 8_000

/** `offered`: topics of the codes that somebody may have scanned in this attempt. */
type Attempt = { stop: AbortController; offered: Set<string>; code: Code | null }

let current: Attempt | null = null
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** The code to scan now; null until there is one. */
export function usePairingCode(): Code | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current?.code ?? null,
  )
}

/** Whether the session comes from a code that is still waited for; any other is nobody's, and to be ended. */
export function isAwaited({ pairingTopic }: Pick<Session, 'pairingTopic'>): boolean {
  return current?.offered.has(pairingTopic) ?? false
}

/** The person has left, or a phone has answered. @returns whether one was waited for until now */
export function stopPairing(): boolean {
  const stopped = current
  current = null
  stopped?.stop.abort()
  notifyListeners()
  return stopped !== null
}

/**
 * Shows one code after the other until a phone approves one of them, or rejects.
 *
 * @throws what the phone answered; CountersignError `WALLET_RELAY_UNREACHABLE`; `WALLET_REJECTED` when the person left
 */
export function pair(client: Client, chainIds: number[], codeSeconds: number): Promise<Session> {
  stopPairing()
  const stop = new AbortController()
  const attempt: Attempt = { stop, offered: new Set(), code: null }
  current = attempt
  notifyListeners()
  const { relayer } = client.core
  return new Promise<Session>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = (act: () => void) => {
      if (stop.signal.aborted) return
      clearTimeout(timer)
      relayer.off('relayer_error', onRelayError)
      document.removeEventListener('visibilitychange', onVisible)
      act()
      stopPairing()
    }
    const end = (error: unknown) => settle(() => reject(error))
    const failUnreachable = () => end(relayUnreachable())
    // Unlike one that is away, which is tried again for a while, a relay that refuses has given its answer.
    const onRelayError = ({ message: answer }: Error) =>
      end(fail('WALLET_RELAY_UNREACHABLE', { reason: 'refused', answer }))
    const onVisible = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', onVisible)
      void offer()
    }
    // A page that nobody looks at needs no new codes.
    const renew = () => (document.hidden ? document.addEventListener('visibilitychange', onVisible) : void offer())

    const offer = async () => {
      timer = setTimeout(failUnreachable, RELAY_MS)
      try {
        const { uri, approval } = await client.connect({
          optionalNamespaces: {
            eip155: {
              chains: chainIds.map((chainId) => `eip155:${chainId}`),
              methods: wantedMethods,
              events: ['chainChanged', 'accountsChanged'],
            },
          },
        })
        approval().then(
          (session) => settle(() => resolve(session)),
          // A code that has only expired is no answer of the phone.
          (error: unknown) => isAnswer(error) && end(error),
        )
        if (stop.signal.aborted || !uri) return
        clearTimeout(timer)
        attempt.offered.add(uri.slice('wc:'.length, uri.indexOf('@')))
        attempt.code = { uri, expiresAt: performance.now() + codeSeconds * 1000, number: attempt.offered.size }
        notifyListeners()
        timer = setTimeout(renew, codeSeconds * 1000)
      } catch {
        failUnreachable()
      }
    }

    stop.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      relayer.off('relayer_error', onRelayError)
      document.removeEventListener('visibilitychange', onVisible)
      reject(fail('WALLET_REJECTED', { reason: 'left' }))
    })
    relayer.on('relayer_error', onRelayError)
    void offer()
  })
}

function isAnswer(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number' && error.code !== 0
  )
}

/** Tells the phone that the connection is over; what cannot be told now is told when the client starts again. */
export async function endSession(client: Client, topic: string): Promise<void> {
  await client
    .disconnect({ topic, reason: { code: 6000, message: 'The page has ended the connection.' } })
    .catch(() => {})
}

export function relayUnreachable(): CountersignError {
  return fail('WALLET_RELAY_UNREACHABLE', { reason: 'silent' })
}
