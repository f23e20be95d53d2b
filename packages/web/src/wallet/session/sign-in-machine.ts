import type { OwnersPending } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** Circumstances of an attempt. When any of them changes, the attempt is void and a new one starts. */
export type SignInTarget = { connectorId: string; account: Address; chainId: number }

export type SignInStage = 'preparing' | 'waiting' | 'verifying'

export type Prepared = { message: string; expiresAt: string }

/** A sign-in that waits while the owners of a Safe sign. */
export type Collecting = { prepared: Prepared; pending: OwnersPending }

export type SignInState = { attempt: number } & (
  | { status: 'idle' }
  | { status: 'preparing'; target: SignInTarget; signsWhenReady: boolean }
  /** The wallet has not been asked, or was asked and did not sign: `turnedDown` says why. */
  | { status: 'ready'; target: SignInTarget; prepared: Prepared; turnedDown: 'rejected' | 'busy' | null }
  | { status: 'waiting'; target: SignInTarget; prepared: Prepared }
  | ({ status: 'collecting'; target: SignInTarget } & Collecting)
  | { status: 'verifying'; target: SignInTarget; prepared: Prepared; signature: Hex }
  /** `next`: the message that another try hands to the wallet at once. */
  | { status: 'failed'; target: SignInTarget; stage: SignInStage; error: unknown; next: Prepared | null }
  | { status: 'signed-in'; target: SignInTarget }
)

/** Answers carry the attempt they belong to; those of another attempt change nothing. */
export type SignInEvent =
  | { type: 'start'; target: SignInTarget; signsWhenReady: boolean }
  | { type: 'stop' }
  | { type: 'sign' }
  /** `pending`: an earlier visit has asked the Safe already, and its owners are waited for. */
  | { type: 'prepared'; attempt: number; prepared: Prepared; pending?: OwnersPending | undefined }
  | { type: 'signed'; attempt: number; signature: Hex }
  | { type: 'owners-pending'; attempt: number; pending: OwnersPending }
  | { type: 'verified'; attempt: number }
  | { type: 'failed'; attempt: number; error: unknown }
  /** A new message, fetched ahead for another try. */
  | { type: 'renewed'; attempt: number; prepared: Prepared }

export const idle: SignInState = { status: 'idle', attempt: 0 }

/** Returns the state after an event. An event that does not belong to the state changes nothing. */
// Complexity: a flat switch with one case for each event of the machine.
export function reduceSignIn(state: SignInState, event: SignInEvent): SignInState {
  const { attempt } = state
  if ('attempt' in event && event.attempt !== attempt) return state
  switch (event.type) {
    case 'start':
      return { status: 'preparing', attempt: attempt + 1, target: event.target, signsWhenReady: event.signsWhenReady }
    case 'stop':
      return { status: 'idle', attempt: attempt + 1 }
    case 'prepared': {
      if (state.status !== 'preparing') return state
      const { target } = state
      const { prepared, pending } = event
      if (pending) return { status: 'collecting', attempt, target, prepared, pending }
      return { status: 'ready', attempt, target, prepared, turnedDown: null }
    }
    case 'sign': {
      const prepared = messageToSign(state)
      if (!prepared || !('target' in state)) return state
      return { status: 'waiting', attempt, target: state.target, prepared }
    }
    case 'signed': {
      if (state.status !== 'waiting') return state
      const { target, prepared } = state
      return { status: 'verifying', attempt, target, prepared, signature: event.signature }
    }
    case 'owners-pending': {
      if (state.status !== 'waiting') return state
      const { target, prepared } = state
      return { status: 'collecting', attempt, target, prepared, pending: event.pending }
    }
    case 'verified':
      if (state.status !== 'verifying' && state.status !== 'collecting') return state
      return { status: 'signed-in', attempt, target: state.target }
    case 'failed':
      return fail(state, event.error)
    case 'renewed':
      return state.status === 'failed' ? { ...state, next: event.prepared } : state
  }
}

/** The message that can go to the wallet in this very tick, if there is one. */
function messageToSign(state: SignInState): Prepared | null {
  if (state.status === 'ready') return state.prepared
  return state.status === 'failed' ? state.next : null
}

function fail(state: SignInState, error: unknown): SignInState {
  if (state.status === 'collecting')
    return { status: 'failed', attempt: state.attempt, target: state.target, stage: 'waiting', error, next: null }
  if (state.status !== 'preparing' && state.status !== 'waiting' && state.status !== 'verifying') return state
  const { attempt, target } = state
  // The server has not seen what was never signed: the same message can still be.
  const unused = state.status === 'waiting' ? state.prepared : null
  const turnedDown = error instanceof CountersignError ? turnedDownBy.get(error.code) : undefined
  // To decline is no failure, and neither is a wallet that waits for an answer.
  if (unused && turnedDown) return { status: 'ready', attempt, target, prepared: unused, turnedDown }
  return { status: 'failed', attempt, target, stage: state.status, error, next: unused }
}

const turnedDownBy = new Map<string, 'rejected' | 'busy'>([
  ['WALLET_REJECTED', 'rejected'],
  ['WALLET_BUSY', 'busy'],
])

export type SignInSteps = {
  /** A message to sign, or the one that an earlier visit left to wait for. */
  prepare: (target: SignInTarget, signal: AbortSignal) => Promise<{ prepared: Prepared; pending?: OwnersPending }>
  /** The signature, or what a Safe says while its owners still have to sign. */
  sign: (target: SignInTarget, message: string) => Promise<Hex | OwnersPending>
  /** Waits for the owners and verifies; resolves once signed in. */
  collect: (target: SignInTarget, collecting: Collecting, signal: AbortSignal) => Promise<void>
  /** The owners are not waited for any more. */
  forget: (prepared: Prepared, signal: AbortSignal) => Promise<void>
  /** Goes on when `signal` ends: what was sent cannot be taken back. */
  verify: (target: SignInTarget, signed: { message: string; signature: Hex }, signal: AbortSignal) => Promise<void>
  /** By the clock that `expiresAt` is of: the server's. */
  now: () => number
}

type StartOptions = { signsWhenReady?: boolean; givenUp?: Prepared }

function createSignInState() {
  let state = idle
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    dispatch: (event: SignInEvent): SignInState => {
      const next = reduceSignIn(state, event)
      if (next !== state) {
        state = next
        for (const listener of listeners) listener()
      }
      return state
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Runs the machine: starts each stage's work and feeds its answer back, unless the attempt is over by then. */
export function createSignInFlow(steps: SignInSteps) {
  const { getState, dispatch, subscribe } = createSignInState()
  let stopping = new AbortController()
  const renew = () => {
    stopping.abort()
    stopping = new AbortController()
    return stopping.signal
  }

  /** @param options `givenUp`: the message that owners are not waited for any more */
  const start = (target: SignInTarget, { signsWhenReady = false, givenUp }: StartOptions = {}): void => {
    const signal = renew()
    const { attempt } = dispatch({ type: 'start', target, signsWhenReady })
    const prepare = async () => {
      if (givenUp) await steps.forget(givenUp, signal)
      return steps.prepare(target, signal)
    }
    prepare().then(
      (answer) => {
        const next = dispatch({ type: 'prepared', attempt, ...answer })
        if (next.attempt !== attempt) return
        if (next.status === 'collecting') collect(next, signal)
        // Whatever a clock says of it: a message that has just come is not asked for again.
        else if (signsWhenReady) askWallet()
      },
      (error: unknown) => dispatch({ type: 'failed', attempt, error }),
    )
  }

  /** Signs what is at hand, or a new message when that one has expired. */
  const sign = (): void => {
    const state = getState()
    const prepared = messageToSign(state)
    if (!prepared || !('target' in state)) return
    if (Date.parse(prepared.expiresAt) <= steps.now()) start(state.target, { signsWhenReady: true })
    else askWallet()
  }

  /** Calls the wallet in the same tick: browsers on phones open a wallet only from within the tap. */
  const askWallet = (): void => {
    const state = getState()
    const prepared = messageToSign(state)
    if (!prepared || !('target' in state)) return
    const { attempt, target } = state
    const { message } = prepared
    const signal = stopping.signal
    dispatch({ type: 'sign' })
    steps
      .sign(target, message)
      .then((answer) => {
        if (typeof answer !== 'string') {
          const next = dispatch({ type: 'owners-pending', attempt, pending: answer })
          if (next.attempt === attempt) collect(next, signal)
          return
        }
        if (dispatch({ type: 'signed', attempt, signature: answer }).attempt !== attempt) return
        return steps
          .verify(target, { message, signature: answer }, signal)
          .then(() => void dispatch({ type: 'verified', attempt }))
      })
      .catch((error: unknown) => {
        const { status, attempt: current } = dispatch({ type: 'failed', attempt, error })
        // The server accepts no message twice: the next one is fetched before anybody asks for it.
        if (status === 'failed' && current === attempt && !messageToSign(getState()))
          renewAhead(attempt, target, signal)
      })
  }

  const collect = (collecting: SignInState, signal: AbortSignal): void => {
    if (collecting.status !== 'collecting') return
    const { attempt, target } = collecting
    steps.collect(target, collecting, signal).then(
      () => {
        if (!signal.aborted) dispatch({ type: 'verified', attempt })
      },
      (error: unknown) => {
        if (signal.aborted) return
        // A wait that cannot go on must not be found by the next visit.
        steps.forget(collecting.prepared, signal).catch(() => {})
        dispatch({ type: 'failed', attempt, error })
      },
    )
  }

  const renewAhead = (attempt: number, target: SignInTarget, signal: AbortSignal): void => {
    steps.prepare(target, signal).then(
      ({ prepared }) => dispatch({ type: 'renewed', attempt, prepared }),
      // The next try asks anew, and then shows the reason.
      () => {},
    )
  }

  /** Another try: straight to the wallet where a message is at hand, else by way of a new one. */
  const retry = (): void => {
    const state = getState()
    if (state.status !== 'failed') return
    if (state.next) sign()
    else start(state.target, { signsWhenReady: state.stage !== 'preparing' })
  }

  /** Gives up what the wallet or the owners have not answered; without another try nothing comes of it. */
  const startOver = (): void => {
    const state = getState()
    if (!('target' in state)) return
    start(state.target, state.status === 'collecting' ? { givenUp: state.prepared } : {})
  }

  return {
    getState,
    subscribe,
    start,
    sign,
    retry,
    startOver,
    stop: () => {
      renew()
      dispatch({ type: 'stop' })
    },
  }
}
