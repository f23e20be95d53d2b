import { CountersignError } from '@countersign/safe'
import { describe, expect, test, vi } from 'vitest'
import {
  createSignInFlow,
  idle,
  reduceSignIn,
  type SignInEvent,
  type SignInSteps,
  type SignInTarget,
} from './sign-in-machine.ts'

const target: SignInTarget = {
  connectorId: 'one',
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
}
const prepared = { message: 'text 1', expiresAt: '2026-01-01T00:10:00Z' }
const start: SignInEvent = { type: 'start', target, signsWhenReady: false }
const run = (...events: SignInEvent[]) => events.reduce(reduceSignIn, idle)

describe('reduceSignIn', () => {
  test('default: preparing, ready, waiting, verifying, signed in', () => {
    const names = [
      start,
      { type: 'prepared', attempt: 1, prepared },
      { type: 'sign' },
      { type: 'signed', attempt: 1, signature: '0x01' },
      { type: 'verified', attempt: 1 },
    ] as const satisfies SignInEvent[]
    expect(names.map((_, index) => run(...names.slice(0, index + 1)).status)).toEqual([
      'preparing',
      'ready',
      'waiting',
      'verifying',
      'signed-in',
    ])
  })

  test('behavior: each stage ends in its own error', () => {
    const fails: SignInEvent = { type: 'failed', attempt: 1, error: new Error('x') }
    const upTo = [start, { type: 'prepared', attempt: 1, prepared }, { type: 'sign' }] as const
    const verifying = { type: 'signed', attempt: 1, signature: '0x01' } as const
    expect(run(start, fails)).toMatchObject({ status: 'failed', stage: 'preparing' })
    expect(run(...upTo, fails)).toMatchObject({ status: 'failed', stage: 'waiting' })
    expect(run(...upTo, verifying, fails)).toMatchObject({ status: 'failed', stage: 'verifying' })
  })

  test('behavior: declining in the wallet leads back to the start of the stage, without an error', () => {
    const declined = new CountersignError('WALLET_REJECTED', 'no')
    const state = run(
      start,
      { type: 'prepared', attempt: 1, prepared },
      { type: 'sign' },
      { type: 'failed', attempt: 1, error: declined },
    )
    expect(state).toMatchObject({ status: 'ready', turnedDown: 'rejected', prepared: { message: 'text 1' } })
  })

  test('behavior: a wallet with an open request leads back there too', () => {
    const busy = new CountersignError('WALLET_BUSY', 'open')
    const state = run(
      start,
      { type: 'prepared', attempt: 1, prepared },
      { type: 'sign' },
      { type: 'failed', attempt: 1, error: busy },
    )
    expect(state).toMatchObject({ status: 'ready', turnedDown: 'busy' })
  })

  test('behavior: answers of an earlier attempt change nothing', () => {
    const state = run(start, start)
    expect(state.attempt).toBe(2)
    for (const late of [
      { type: 'prepared', attempt: 1, prepared },
      { type: 'signed', attempt: 1, signature: '0x01' },
      { type: 'verified', attempt: 1 },
      { type: 'failed', attempt: 1, error: new Error('late') },
      { type: 'renewed', attempt: 1, prepared },
    ] as const)
      expect(reduceSignIn(state, late)).toBe(state)
  })

  test('behavior: an event that does not fit the stage changes nothing', () => {
    expect(reduceSignIn(idle, { type: 'sign' })).toBe(idle)
    expect(reduceSignIn(idle, { type: 'verified', attempt: 0 })).toBe(idle)
  })
})

describe('createSignInFlow', () => {
  function createSteps() {
    let count = 0
    return {
      prepare: vi.fn<SignInSteps['prepare']>(async () => ({ prepared: { ...prepared, message: `text ${++count}` } })),
      sign: vi.fn<SignInSteps['sign']>(async () => '0x01'),
      verify: vi.fn<SignInSteps['verify']>(async () => {}),
      collect: vi.fn<SignInSteps['collect']>(() => new Promise(() => {})),
      forget: vi.fn<SignInSteps['forget']>(async () => {}),
      now: vi.fn(() => Date.parse('2026-01-01T00:00:00Z')),
    }
  }

  test('default', async () => {
    const steps = createSteps()
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    expect(steps.sign, 'the wallet is called within the tap').toHaveBeenCalledWith(target, 'text 1')
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
    expect(steps.verify.mock.calls[0]?.[1]).toEqual({ message: 'text 1', signature: '0x01' })
  })

  test('behavior: retry after a refused signature signs a fresh message', async () => {
    const steps = createSteps()
    steps.verify.mockRejectedValueOnce(new CountersignError('SIWE_SIGNATURE_INVALID', 'no'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'verifying' }))
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ next: { message: 'text 2' } }))
    flow.retry()
    expect(steps.sign, 'the wallet is called within the tap').toHaveBeenLastCalledWith(target, 'text 2')
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
    expect(steps.verify.mock.calls.map(([, signed]) => signed.message)).toEqual(['text 1', 'text 2'])
  })

  test('behavior: retry works when the next message could not be fetched ahead', async () => {
    const steps = createSteps()
    steps.verify.mockRejectedValueOnce(new CountersignError('CHAIN_UNREACHABLE', 'no'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    steps.prepare.mockRejectedValueOnce(new CountersignError('SERVER_UNREACHABLE', 'no'))
    flow.sign()
    await vi.waitFor(() => expect(steps.prepare).toHaveBeenCalledTimes(2))
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'verifying', next: null }))
    flow.retry()
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
  })

  test('behavior: retry after an error of the wallet asks it for the same message, which nobody has seen', async () => {
    const steps = createSteps()
    steps.sign.mockRejectedValueOnce(new CountersignError('WALLET_FAILED', 'no'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'waiting' }))
    flow.retry()
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
    expect(steps.sign.mock.calls.map(([, message]) => message)).toEqual(['text 1', 'text 1'])
    expect(steps.prepare).toHaveBeenCalledTimes(1)
  })

  test('behavior: retry after a message that could not be prepared prepares one and leaves the wallet alone', async () => {
    const steps = createSteps()
    steps.prepare.mockRejectedValueOnce(new CountersignError('SERVER_UNREACHABLE', 'no'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'preparing' }))
    flow.retry()
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    expect(steps.sign).not.toHaveBeenCalled()
  })

  test('behavior: a signature that arrives after starting over never reaches the server', async () => {
    const steps = createSteps()
    let answer: (signature: '0x02') => void = () => {}
    steps.sign.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    flow.startOver()
    answer('0x02')
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'ready', prepared: { message: 'text 2' } }))
    expect(steps.verify).not.toHaveBeenCalled()
  })

  test('behavior: a signature that arrives after the account changed never reaches the server', async () => {
    const steps = createSteps()
    let answer: (signature: '0x02') => void = () => {}
    steps.sign.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    flow.start({ ...target, account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
    answer('0x02')
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'ready', prepared: { message: 'text 2' } }))
    expect(steps.verify).not.toHaveBeenCalled()
  })

  test('behavior: stopping aborts what is under way', async () => {
    const steps = createSteps()
    const flow = createSignInFlow(steps)
    flow.start(target)
    const signal = steps.prepare.mock.calls[0]?.[1]
    flow.stop()
    expect(signal?.aborted).toBe(true)
    await Promise.resolve()
    expect(flow.getState().status).toBe('idle')
  })

  test('behavior: a message that has expired is prepared anew before the wallet sees it', async () => {
    const steps = createSteps()
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    steps.now.mockReturnValue(Date.parse('2026-01-01T00:11:00Z'))
    steps.prepare.mockResolvedValueOnce({ prepared: { message: 'fresh', expiresAt: '2026-01-01T00:21:00Z' } })
    flow.sign()
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
    expect(steps.sign.mock.calls.map(([, message]) => message)).toEqual(['fresh'])
  })

  test('behavior: whatever a clock says: a message that has just come goes to the wallet, and no other is asked for', async () => {
    for (const now of ['1970-01-01T00:00:00Z', '2026-01-01T00:20:00Z', '2126-01-01T00:00:00Z']) {
      const steps = createSteps()
      steps.now.mockReturnValue(Date.parse(now))
      const flow = createSignInFlow(steps)
      flow.start(target)
      await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
      flow.sign()
      await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
      expect(steps.prepare.mock.calls.length).toBeLessThanOrEqual(2)
      expect(steps.sign).toHaveBeenCalledOnce()
    }
  })

  const pending = { messageHash: '0xab', safeTxHash: null } as const

  test('behavior: owners who still have to sign are waited for, then the person is signed in', async () => {
    const steps = createSteps()
    let finish = () => {}
    steps.sign.mockResolvedValue(pending)
    steps.collect.mockImplementation(() => new Promise((resolve) => (finish = resolve)))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    flow.sign()
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'collecting', pending }))
    expect(steps.verify).not.toHaveBeenCalled()
    finish()
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
    expect(steps.forget).not.toHaveBeenCalled()
  })

  test('behavior: after a reload it goes on where it was, and asks for no second message', async () => {
    const steps = createSteps()
    steps.prepare.mockResolvedValueOnce({ prepared, pending })
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'collecting', prepared }))
    expect(steps.sign).not.toHaveBeenCalled()
    flow.startOver()
    expect(steps.collect.mock.calls[0]?.[2].aborted, 'the old wait is over').toBe(true)
    expect(steps.forget.mock.calls[0]?.[0]).toEqual(prepared)
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
  })

  test('behavior: what could not be given up is said, and is still waited for at the next try', async () => {
    const steps = createSteps()
    steps.prepare.mockResolvedValue({ prepared, pending })
    steps.forget.mockRejectedValueOnce(new CountersignError('SERVER_UNREACHABLE', 'no'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('collecting'))
    flow.startOver()
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'preparing' }))
    flow.retry()
    await vi.waitFor(() => expect(flow.getState().status).toBe('collecting'))
  })

  test('behavior: what can no longer be waited for is a failure to sign, and is forgotten', async () => {
    const steps = createSteps()
    steps.prepare.mockResolvedValueOnce({ prepared, pending })
    steps.collect.mockRejectedValue(new CountersignError('SIWE_EXPIRED', 'late'))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState()).toMatchObject({ status: 'failed', stage: 'waiting' }))
    expect(steps.forget).toHaveBeenCalledOnce()
    flow.retry()
    await vi.waitFor(() => expect(flow.getState().status).toBe('signed-in'))
  })

  test('behavior: a wait of an earlier account ends without a word', async () => {
    const steps = createSteps()
    let fail: (error: Error) => void = () => {}
    steps.prepare.mockResolvedValueOnce({ prepared, pending })
    steps.collect.mockImplementation(() => new Promise((_, reject) => (fail = reject)))
    const flow = createSignInFlow(steps)
    flow.start(target)
    await vi.waitFor(() => expect(flow.getState().status).toBe('collecting'))
    flow.start({ ...target, chainId: 1 })
    await vi.waitFor(() => expect(flow.getState().status).toBe('ready'))
    fail(new Error('late'))
    await Promise.resolve()
    expect(flow.getState().status).toBe('ready')
    expect(steps.forget, 'another account may still wait').not.toHaveBeenCalled()
  })
})
