import { describe, expect, test, vi } from 'vitest'
import type { Connector } from 'wagmi'
import { type ConnectSteps, createConnectFlow } from './connect-flow.ts'
import type { Wallet } from './wallets.ts'

const wallet = (id: string): Wallet => ({
  id,
  name: id,
  group: 'other',
  presence: 'ready',
  load: async () => ({ id }) as Connector,
})
const fox = wallet('fox')
const owl = wallet('owl')

function createFlow(answers: Record<string, Promise<void>>) {
  const connect = vi.fn<ConnectSteps['connect']>((connector) => answers[connector.id] ?? Promise.resolve())
  const load = vi.fn<ConnectSteps['load']>(async (one) => (await one.load()) as Connector)
  return { flow: createConnectFlow({ load, connect }), connect, load }
}

describe('createConnectFlow', () => {
  test('default: opening, waiting, and done', async () => {
    const { flow } = createFlow({})
    const picked = flow.pick(fox)
    expect(flow.getAttempt()?.status).toBe('opening')
    await picked
    expect(flow.getAttempt()).toBeNull()
  })

  test('behavior: a wallet that is missing is not asked', async () => {
    const { flow, load } = createFlow({})
    await flow.pick({ ...fox, presence: 'not-installed' })
    expect(flow.getAttempt()?.status).toBe('missing')
    expect(load).not.toHaveBeenCalled()
  })

  test('behavior: a wallet that has a request of ours open is waited for, not asked again', async () => {
    let reject: (error: unknown) => void = () => {}
    const { flow, connect } = createFlow({
      fox: new Promise((_, refuse) => {
        reject = refuse
      }),
    })
    const first = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    flow.leave()
    const second = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    reject({ code: 4001 })
    await Promise.all([first, second])
    expect(connect).toHaveBeenCalledTimes(1)
    expect(flow.getAttempt()).toMatchObject({ status: 'failed', error: { code: 'WALLET_REJECTED' } })
  })

  test('behavior: what a wallet answers after another was picked is not shown', async () => {
    let reject: (error: unknown) => void = () => {}
    const { flow } = createFlow({
      fox: new Promise((_, refuse) => {
        reject = refuse
      }),
      owl: new Promise(() => {}),
    })
    const first = flow.pick(fox)
    await vi.waitFor(() => expect(flow.getAttempt()?.status).toBe('waiting'))
    void flow.pick(owl)
    await vi.waitFor(() => expect(flow.getAttempt()).toMatchObject({ status: 'waiting', wallet: { id: 'owl' } }))
    reject({ code: -32603 })
    await first
    expect(flow.getAttempt()).toMatchObject({ status: 'waiting', wallet: { id: 'owl' } })
  })

  test('error: WALLET_NOT_INSTALLED, when what a wallet needs is not there', async () => {
    const { flow } = createFlow({})
    const { CountersignError } = await import('@countersign/safe-core')
    await flow.pick({
      ...fox,
      load: async () => {
        throw new CountersignError('WALLET_NOT_INSTALLED', 'x')
      },
    })
    expect(flow.getAttempt()).toMatchObject({ status: 'failed', error: { code: 'WALLET_NOT_INSTALLED' } })
  })
})
