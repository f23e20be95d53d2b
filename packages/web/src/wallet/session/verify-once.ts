import { getSession, type Session, signIn } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { answeredOrLeft } from '../../api/answered.ts'
import { api } from '../../api/client.ts'
import { fail } from '../../text/fail.ts'
import { readConnected } from '../connectors/connection.ts'
import { closeWalletDialog } from '../dialog/dialog-state.ts'
import { isFramed } from '../safe/frame.ts'
import { beginSession, changeSession } from './session.ts'
import type { SignInSteps, SignInTarget } from './sign-in-machine.ts'

type Signed = { message: string; signature: Hex }

/** So long an answer may take that nobody waits for any more. */
const LISTEN_MS = 300_000

type Sending = { answer: Promise<void>; waiting: Set<AbortSignal> }

/** Messages that were sent and have no answer yet, and their waiting callers. */
const underWay = new Map<string, Sending>()

/**
 * Sends what was signed; the session that comes of it is this page's, also when nobody waits for it any more. What was
 * sent is not sent twice. It is cancelled only for a newer sign-in or for signing out: the server may already have used the
 * message, and without its answer the session and the owners' signatures would be lost.
 */
export function verifier(queryClient: QueryClient): SignInSteps['verify'] {
  return (target, signed, signal) => {
    const { answer, waiting } = underWay.get(signed.message) ?? send(queryClient, target, signed)
    waiting.add(signal)
    return answeredOrLeft(answer)
  }
}

function send(queryClient: QueryClient, target: SignInTarget, signed: Signed): Sending {
  const waiting = new Set<AbortSignal>()
  const answer = openSession(target, signed)
    .then((session) => {
      beginSession(queryClient, session)
      // At once: when the page is drawn next, the screen that waits is gone.
      if ([...waiting].some(({ aborted }) => !aborted)) closeWalletDialog()
    })
    .finally(() => underWay.delete(signed.message))
  const sending = { answer, waiting }
  underWay.set(signed.message, sending)
  return sending
}

async function openSession(target: SignInTarget, signed: Signed): Promise<Session> {
  if ((readConnected()?.address ?? target.account) !== target.account) throw fail('NOT_SIGNED_IN')
  const takenBack = changeSession()
  try {
    const session = await askForSession(target, signed, takenBack)
    takenBack.throwIfAborted()
    return session
  } catch (error) {
    throw takenBack.aborted ? fail('NOT_SIGNED_IN') : error
  }
}

async function askForSession(target: SignInTarget, signed: Signed, takenBack: AbortSignal): Promise<Session> {
  const signal = AbortSignal.any([takenBack, AbortSignal.timeout(LISTEN_MS)])
  try {
    return (await api(signIn, { ...signed, isFramed: isFramed() }, signal)).session
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'SIWE_NONCE_USED') throw error
    // By another tab, or by a request whose answer was lost on its way: then the session is there.
    const { session } = await api(getSession, {}, takenBack).catch(() => ({ session: null }))
    if (session?.address !== target.account || session.chainId !== target.chainId) throw error
    return session
  }
}
