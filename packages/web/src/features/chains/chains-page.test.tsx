import {
  type ChainStatus,
  listChainStatus,
  listHistory,
  listOutboundHosts,
  listPriceSources,
  listTokenLists,
  type NodeLimitKind,
} from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { devnet } from '../../test/configuration.ts'
import { expectAccessible, type FakeBrowser, findPart, main, press, startBrowser } from '../../test/open-page.ts'
import { answerSafes, safeOf, safePath } from '../../test/safe.ts'

const at = '2026-03-01T12:00:00.000Z'

/** A chain that is read as far as it goes, now. */
function statusOf(overrides: Partial<ChainStatus> = {}): ChainStatus {
  const now = new Date().toISOString()
  return {
    chainId: devnet.chainId,
    node: 'ok',
    index: 'tracked',
    cursor: { blockNumber: 120, time: now },
    head: { blockNumber: 120, time: now, readAt: now },
    lag: { blocks: 0, seconds: 0 },
    backfill: null,
    ofNamedTokens: null,
    discovery: null,
    stoppedAt: null,
    disagreement: null,
    failure: null,
    nodes: [{ name: 'one.example', limits: [] }],
    ...overrides,
  }
}

let browser: FakeBrowser
beforeEach(async () => {
  browser = startBrowser()
  answerSafes(browser.server)
  browser.server.answer(listOutboundHosts, {
    hosts: [{ host: 'one.example', purpose: 'node', chain: 'Devnet', by: 'server', lastAt: at }],
    mayReload: false,
  })
  browser.server.answer(listTokenLists, { lists: [] })
  browser.server.answer(listPriceSources, { sources: [] } as never)
  browser.server.answer(listHistory, { entries: [], nextCursor: null })
  await browser.comeBack()
})
afterEach(() => browser.close())

const answer = (...overrides: Partial<ChainStatus>[]) =>
  browser.server.answer(listChainStatus, { chains: overrides.map(statusOf) })

async function openChains(standing: string): Promise<ReturnType<typeof within>> {
  await browser.open('/chains')
  const chain = await waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-chain="${devnet.chainId}"]`)
    expect(found?.dataset.standing).toBe(standing)
    return found as HTMLElement
  })
  return within(chain)
}

async function openHistory(): Promise<ReturnType<typeof within>> {
  await browser.open(safePath('/history'))
  return within(await screen.findByRole('region', { name: 'History' }))
}

describe('how far a chain is read', () => {
  test('default: mode, blocks and the host that is asked', async () => {
    answer({})
    const chain = await openChains('up-to-date')
    chain.getByText('Safes that somebody added here')
    chain.getByRole('heading', { name: /^Devnet \(31337\)/ })
    const outbound = await findPart('[data-outbound="node"]')
    await within(outbound).findByText('one.example')
    within(outbound).getByText(/last contact/)
  })

  test('behavior: stopped after a deep reorganisation, with the way to rebuild, here and in My Safes', async () => {
    answer({ stoppedAt: at })
    const chain = await openChains('stopped')
    chain.getByText(`COUNTERSIGN_REBUILD=${devnet.chainId}:BLOCK`)
    await expectAccessible()
    await browser.open('/')
    await screen.findByText('Devnet: Stopped. Recent changes may be missing.')
    const history = await openHistory()
    await history.findByText(/went deeper than Countersign can undo/)
  })

  test('behavior: nodes that disagree are named', async () => {
    answer({ disagreement: { since: at, blockNumber: 77, hosts: ['one.example', 'two.example'] } })
    const chain = await openChains('disagreement')
    chain.getByText(/one\.example, two\.example report different data for block 77/)
    await expectAccessible()
  })

  test.each(['unreachable', 'wrong-chain'] as const)('behavior: a node that is %s is told of', async (node) => {
    answer({ node })
    const chain = await openChains(node)
    expect(
      chain.getAllByText(node === 'unreachable' ? /cannot be reached|does not answer/ : /wrong chain/i),
    ).not.toEqual([])
  })

  test('behavior: a node that fails has the code of its error, and its history an end', async () => {
    answer({ failure: { code: 'CHAIN_UNREACHABLE', since: at } })
    const chain = await openChains('failing')
    chain.getByText('CHAIN_UNREACHABLE')
    const history = await openHistory()
    await history.findByText('The history ends at block 120')
  })

  test('behavior: a whole history says nothing', async () => {
    answer({})
    await openHistory()
    await waitFor(() => expect(document.querySelector('[data-following="up-to-date"]')).not.toBeNull())
    expect(main().queryByText(/behind|Loading the history|Reading older blocks|ends at block/)).toBeNull()
  })

  const past: Partial<ChainStatus> = {
    index: 'whole-chain',
    backfill: { safes: 3, blocksLeft: 570, blocksTotal: 1_000, blocksPerSecond: 10 },
    discovery: { blocksLeft: 100, blocksTotal: 1_000 },
    lag: { blocks: 1_200, seconds: 7_500 },
    ofNamedTokens: { from: 3, to: 9 },
  }

  test('behavior: the past that is still read, in percent', async () => {
    answer(past)
    const chain = await openChains('reading-past')
    chain.getByText('43% done: 570 blocks left for 3 Safes. At 10 blocks in a second: about 57 seconds left.')
    chain.getByText(/90% done: 100 blocks left/)
    chain.getByText('1,200 blocks, 2 hours, 5 minutes')
    await expectAccessible()
    const history = await openHistory()
    await history.findByText(/^History up to block \d+; 1,200 blocks behind\./)
  })

  test('behavior: a Safe whose past is still read says from where it is complete, and what is missing', async () => {
    answer(past)
    answerSafes(browser.server, [safeOf({ backfillBlock: 0, backfillTo: 5 })])
    const history = await openHistory()
    await history.findByText(/^Loading the history of this Safe: \d+%$/)
    history.getByText(/^The newest is read first\. Complete from block 6 on; .* left\. Lately 10 blocks a second\.$/)
    history.getByText(/are missing from block 3 to block 9\. Add a node .* with COUNTERSIGN_REBUILD=\d+:3\.$/)
    await expectAccessible()
  })

  test('error: what the server does not tell is no chain that is up to date', async () => {
    browser.server.fail(listChainStatus, 'DATABASE_UNAVAILABLE', {}, 503)
    await browser.open('/chains')
    const again = await main().findByRole('button', { name: 'Retry' }, { timeout: 20_000 })
    expect(document.querySelector('[data-chain]')).toBeNull()
    answer({})
    press(again)
    await waitFor(() => expect(document.querySelector('[data-standing="up-to-date"]')).not.toBeNull())
  })
})

describe('what a node was seen to refuse', () => {
  const limit = (kind: NodeLimitKind, value: number | null, words: string) => ({ kind, value, words, learnedAt: at })
  const range = limit('log-range', 10, 'with up to a 10 block range\u202e')
  const nodes = [
    { name: 'one.example', limits: [range, limit('traces', null, 'the method does not exist')] },
    {
      name: 'two.example',
      limits: [
        limit('log-range', 100, 'limited to a 100 range'),
        limit('log-addresses', 10, 'too many addresses: the maximum is 10'),
        limit('log-topics', 1, 'exceed max addresses or topics per search position'),
      ],
    },
    { name: 'one.example (2)', limits: [limit('log-range', null, 'too many blocks')] },
  ]
  const limitOf = (node: string, kind: string) =>
    within(document.querySelector(`[data-node="${node}"] [data-limit="${kind}"]`) as HTMLElement)

  test.each([
    ['one.example', 'log-range', 'Logs: at most 10 blocks in a query'],
    ['two.example', 'log-range', 'Logs: at most 100 blocks in a query'],
    ['two.example', 'log-addresses', 'Logs: at most 10 addresses in a query'],
    ['two.example', 'log-topics', 'Logs: at most 1 value of a topic in a query'],
    ['one.example (2)', 'log-range', 'Logs: only some queries'],
  ])('behavior: %s, %s: %s', async (node, kind, words) => {
    answer({ nodes })
    await openChains('up-to-date')
    limitOf(node, kind).getByText(words)
  })

  test('behavior: in its words, which cannot reorder the line', async () => {
    answer({ nodes })
    await openChains('up-to-date')
    limitOf('one.example', 'log-range').getByText(
      /^At .*12:00.* the node answered: “with up to a 10 block range[^\u202e]*”$/,
    )
  })

  test('behavior: what to do is told where every node has the limit, and not where another one stands in', async () => {
    answer({ nodes })
    await openChains('up-to-date')
    limitOf('one.example', 'log-range').getByText(/To read faster, add a node that takes more blocks\.$/)
    limitOf('one.example', 'traces').getByText('Another node of this chain answers this.')
    await expectAccessible()
  })
})
