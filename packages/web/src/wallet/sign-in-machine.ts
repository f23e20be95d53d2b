import { CountersignError } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'

/** What an attempt is tied to. When any of it changes, the attempt is void and a new one starts. */
export type SignInTarget = { connectorUid: string; account: Address; chainId: number }

export type SignInStage = 'preparing' | 'waiting' | 'verifying'

type Prepared = { message: string; expiresAt: string }

export type SignInState = { attempt: number } & (
  | { status: 'idle' }
  | { status: 'preparing'; target: SignInTarget; signsWhenReady: boolean }
  | ({ status: 'ready'; target: SignInTarget; isRejected: boolean } & Prepared)
  | ({ status: 'waiting'; target: SignInTarget } & Prepared)
  | { status: 'verifying'; target: SignInTarget; message: string; signature: Hex }
  | { status: 'failed'; target: SignInTarget; stage: SignInStage; error: unknown }
  | { status: 'signed-in'; target: SignInTarget }
)

/** Answers carry the attempt they belong to; those of another attempt change nothing. */
export type SignInEvent =
  | { type: 'start'; target: SignInTarget; signsWhenReady: boolean }
  | { type: 'stop' }
  | { type: 'sign' }
  | { type: 'prepared'; attempt: number; prepared: Prepared }
  | { type: 'signed'; attempt: number; signature: Hex }
  | { type: 'verified'; attempt: number }
  | { type: 'failed'; attempt: number; error: unknown }

export const idle: SignInState = { status: 'idle', attempt: 0 }

export function reduceSignIn(state: SignInState, event: SignInEvent): SignInState {
  const { attempt } = state
  if ('attempt' in event && event.attempt !== attempt) return state
  switch (event.type) {
    case 'start':
      return { status: 'preparing', attempt: attempt + 1, target: event.target, signsWhenReady: event.signsWhenReady }
    case 'stop':
      return { status: 'idle', attempt: attempt + 1 }
    case 'prepared':
      if (state.status !== 'preparing') return state
      return { status: 'ready', attempt, target: state.target, ...event.prepared, isRejected: false }
    case 'sign': {
      if (state.status !== 'ready') return state
      const { target, message, expiresAt } = state
      return { status: 'waiting', attempt, target, message, expiresAt }
    }
    case 'signed':
      if (state.status !== 'waiting') return state
      return { status: 'verifying', attempt, target: state.target, message: state.message, signature: event.signature }
    case 'verified':
      if (state.status !== 'verifying') return state
      return { status: 'signed-in', attempt, target: state.target }
    case 'failed':
      return fail(state, event.error)
  }
}

function fail(state: SignInState, error: unknown): SignInState {
  if (state.status !== 'preparing' && state.status !== 'waiting' && state.status !== 'verifying') return state
  const { attempt, target } = state
  // To decline is no failure: the same message, never sent anywhere, can still be signed.
  if (state.status === 'waiting' && error instanceof CountersignError && error.code === 'WALLET_REJECTED')
    return { status: 'ready', attempt, target, message: state.message, expiresAt: state.expiresAt, isRejected: true }
  return { status: 'failed', attempt, target, stage: state.status, error }
}

export type SignInSteps = {
  prepare: (target: SignInTarget, signal: AbortSignal) => Promise<Prepared>
  sign: (target: SignInTarget, message: string) => Promise<Hex>
  verify: (input: { message: string; signature: Hex }, signal: AbortSignal) => Promise<void>
  now: () => number
}

/** Runs the machine: starts each stage's work and feeds its answer back, unless the attempt is over by then. */
export function createSignInFlow(steps: SignInSteps) {
  let state = idle
  let stopping = new AbortController()
  const listeners = new Set<() => void>()

  const dispatch = (event: SignInEvent): SignInState => {
    const next = reduceSignIn(state, event)
    if (next !== state) {
      state = next
      for (const listener of listeners) listener()
    }
    return state
  }
  const renew = () => {
    stopping.abort()
    stopping = new AbortController()
    return stopping.signal
  }

  const start = (target: SignInTarget, { signsWhenReady = false } = {}): void => {
    const signal = renew()
    const { attempt } = dispatch({ type: 'start', target, signsWhenReady })
    steps.prepare(target, signal).then(
      (prepared) => {
        if (dispatch({ type: 'prepared', attempt, prepared }).attempt === attempt && signsWhenReady) sign()
      },
      (error: unknown) => dispatch({ type: 'failed', attempt, error }),
    )
  }

  /** Calls the wallet in the same tick: browsers on phones open a wallet only from within the tap. */
  const sign = (): void => {
    if (state.status !== 'ready') return
    if (Date.parse(state.expiresAt) <= steps.now()) {
      start(state.target, { signsWhenReady: true })
      return
    }
    const { attempt, target, message } = state
    const signal = stopping.signal
    dispatch({ type: 'sign' })
    steps
      .sign(target, message)
      .then((signature) => {
        if (dispatch({ type: 'signed', attempt, signature }).attempt !== attempt) return
        return steps.verify({ message, signature }, signal).then(() => void dispatch({ type: 'verified', attempt }))
      })
      .catch((error: unknown) => dispatch({ type: 'failed', attempt, error }))
  }

  /** Another try with a new message, straight through to the wallet. */
  const retry = (): void => {
    if (state.status !== 'failed') return
    start(state.target, { signsWhenReady: state.stage !== 'preparing' })
  }

  return {
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start,
    sign,
    retry,
    stop: () => {
      renew()
      dispatch({ type: 'stop' })
    },
  }
}
