import { describe, expect, test, vi } from 'vitest'
import type { Connector } from '../connectors/connector.ts'
import type { Wallet } from '../connectors/wallets.ts'
import { type ConnectSteps, createConnectFlow } from './connect-flow.ts'

const wallet = (id: string): Wallet => ({
  id,
  name: id,
  group: 'other',
  presence: 'ready',
  load: async () => ({ id }) as Connector,
})
const fox = wallet('fox')
const owl = wallet('owl')

const connected = { accounts: ['0x0000000000000000000000000000000000000001'], chainId: 1 } as const

function createFlow(answers: Record<string, Promise<typeof connected>>) {
  const statuses: boolean[] = []
  const steps = {
    load: vi.fn<ConnectSteps['load']>(async (connector) => (await connector.load()) as Connector),
    ask: vi.fn<ConnectSteps['ask']>((connector) => answers[connector.id] ?? Promise.resolve(connected)),
    take: vi.fn<ConnectSteps['take']>(),
    decline: vi.fn<ConnectSteps['decline']>(),
    showWaiting: (isWaiting: boolean) => void statuses.push(isWaiting),
  }
  return { flow: createConnectFlow(steps), steps, isConnecting: () => statuses.at(-1) }
}

/** An answer that a test gives when it is time. */
function held() {
  let answer: () => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<typeof connected>((resolve, refuse) => {
    answer = () => resolve(connected)
    reject = refuse
  })
  return { promise, answer, reject }
}

describe('createConnectFlow', () => {
  test('default: opening, waiting, and done', async () => {
    const { flow, steps, isConnecting } = createFlow({})
    const picked = flow.pick(fox)
    expect(flow.getAttempt()?.status).toBe('opening')
    await picked
    expect(flow.getAttempt()).toBeNull()
    expect(isConnecting()).toBe(false)
    expect(steps.take).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'fox' }), connected)
  })

  test('behavior: a wallet that is missing is not asked', async () => {
    const { flow, steps } = createFlow({})
    await flow.pick({ ...fox, presence: 'not-installed' })
    expect(flow.getAttempt()?.status).toBe('missing')
    expect(steps.load).not.toHaveBeenCalled()
  })

  test('behavior: a wallet that has a request of ours open is waited for, not asked again', async () => {
    const answer = held()
    const { flow, steps } = createFlow({ fox: answer.promise })
    const first = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    flow.leave()
    const second = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    answer.reject({ code: 4001 })
    await Promise.all([first, second])
    expect(steps.ask).toHaveBeenCalledTimes(1)
    expect(flow.getAttempt()).toMatchObject({ status: 'failed', error: { code: 'WALLET_REJECTED' } })
  })

  test('behavior: left, it is no longer connecting, and a late answer connects nothing and is declined', async () => {
    const answer = held()
    const { flow, steps, isConnecting } = createFlow({ fox: answer.promise })
    const picked = flow.pick(fox)
    await vi.waitFor(() => expect(isConnecting()).toBe(true))
    flow.leave()
    expect(isConnecting()).toBe(false)
    answer.answer()
    await picked
    expect(steps.take).not.toHaveBeenCalled()
    expect(steps.decline).toHaveBeenCalledOnce()
    expect(flow.getAttempt()).toBeNull()
  })

  test('behavior: left and picked again, the first answer connects', async () => {
    const answer = held()
    const { flow, steps } = createFlow({ fox: answer.promise })
    const first = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    flow.leave()
    const second = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    answer.answer()
    await Promise.all([first, second])
    expect(steps.take).toHaveBeenCalledOnce()
    expect(steps.decline).not.toHaveBeenCalled()
  })

  test('behavior: what a wallet answers after another was picked is not shown', async () => {
    const answer = held()
    const { flow } = createFlow({ fox: answer.promise, owl: new Promise(() => {}) })
    const first = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    void flow.pick(owl)
    await vi.waitFor(() => expect(flow.getAttempt()).toMatchObject({ status: 'waiting', wallet: { id: 'owl' } }))
    answer.reject({ code: -32603 })
    await first
    expect(flow.getAttempt()).toMatchObject({ status: 'waiting', wallet: { id: 'owl' } })
  })

  test('error: WALLET_NOT_INSTALLED, when what a wallet needs is not there', async () => {
    const { flow } = createFlow({})
    const { CountersignError } = await import('@countersign/safe')
    await flow.pick({
      ...fox,
      load: async () => {
        throw new CountersignError('WALLET_NOT_INSTALLED', 'x')
      },
    })
    expect(flow.getAttempt()).toMatchObject({ status: 'failed', error: { code: 'WALLET_NOT_INSTALLED' } })
  })
})
