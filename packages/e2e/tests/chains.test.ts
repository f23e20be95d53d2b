import { startDevnet } from '@countersign/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, sectionPath } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { newSafe, sendAs, team } from '../src/people/team.ts'
import { createGate, type Gate } from '../src/product/gate.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const chainId = 845_321
let node: Awaited<ReturnType<typeof startDevnet>>
let gate: Gate
let scene: Scene
let safe: SafeAt
let anna: Owner

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  gate = await createGate(node.rpcUrl)
  await gate.open()
  scene = await startScene({
    configuration: { chains: [{ chainId, name: 'Far away', rpcUrls: [gate.rpcUrl] }] },
    rpcUrl: node.rpcUrl,
    chainId,
  })
  safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
  anna = await scene.owner(team.anna.privateKey)
  await addSafe(anna, safe.safeAddress)
  await comeBack(anna, '/')
})
afterAll(async () => {
  await scene?.closeOwners()
  await scene?.close()
  await gate?.close()
  await node?.close()
})
afterEach(() => anna?.watch.assertNone())

const chain = () => anna.page.locator(`[data-chain="${chainId}"]`)
const standing = () => chain().getAttribute('data-standing')
const openChains = () => anna.page.goto(`${anna.url}/chains`)
const openHistory = () => anna.page.goto(`${anna.url}${sectionPath(chainId, safe.safeAddress, 'history')}`)
const history = () => anna.page.getByRole('region', { name: 'History' })

/** Lets the server's answer say more than this chain does. */
async function alter(part: object): Promise<void> {
  await anna.page.route('**/api/chains', async (route) => {
    const response = await route.fetch()
    const { chains } = await response.json()
    await route.fulfill({
      response,
      json: { chains: chains.map((configured: object) => ({ ...configured, ...part })) },
    })
  })
}

describe('how far a chain is read', () => {
  test('default: mode, blocks, lag; the screen is found from every page', async () => {
    await anna.page.getByRole('contentinfo').getByRole('link', { name: 'Chains' }).click()
    await anna.page.getByRole('heading', { level: 1, name: 'Chains' }).waitFor()
    await expect.poll(standing).toBe('up-to-date')
    const words = (await chain().textContent()) ?? ''
    expect(words).toContain(`Far away (${chainId})`)
    expect(words).toContain('Safes that somebody added here')
    const outbound = anna.page.locator('[data-outbound="node"]')
    await outbound.getByText(new URL(gate.rpcUrl).host, { exact: true }).waitFor()
    await outbound.getByText(/last contact/).waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('behavior: it follows the chain without reloading', async () => {
    const block = chain().locator('[data-block]').first()
    const before = Number(await block.getAttribute('data-block'))
    await sendAs(team.relayer.privateKey, node.rpcUrl, { to: team.stranger.address, value: 1n })
    await expect.poll(async () => Number(await block.getAttribute('data-block'))).toBe(before + 1)
  })

  test('behavior: a whole history says nothing', async () => {
    await openHistory()
    await history().locator('[data-following="up-to-date"]').waitFor({ state: 'attached' })
    expect(
      await history()
        .getByText(/behind|Loading the history|Reading older blocks|ends at block/)
        .count(),
    ).toBe(0)
  })

  test('error: a node that is lost, here and where the history ends', async () => {
    await openChains()
    await expect.poll(standing).toBe('up-to-date')
    await gate.close()
    anna.watch.expect(/response: 503|console: .*503/)
    await expect.poll(standing).toMatch(/^(unreachable|failing)$/)
    await openHistory()
    await history()
      .getByText(/^The history ends at block \d+$/)
      .waitFor()
    await gate.open()
    await expect.poll(() => history().getByText('The history ends at block').count()).toBe(0)
  })

  test('behavior: stopped after a deep reorganisation, with the way to rebuild', async () => {
    await alter({ stoppedAt: '2026-03-01T12:00:00.000Z' })
    await openChains()
    await expect.poll(standing).toBe('stopped')
    await chain().getByText(`COUNTERSIGN_REBUILD=${chainId}:BLOCK`, { exact: true }).waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.goto(anna.url)
    await anna.page.getByText('Far away: Stopped. Recent changes may be missing.').waitFor()
    await openHistory()
    await history().getByText('went deeper than Countersign can undo').waitFor()
    await anna.page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: nodes that disagree are named', async () => {
    const disagreement = { since: '2026-03-01T12:00:00.000Z', blockNumber: 77, hosts: ['one.example', 'two.example'] }
    await alter({ disagreement })
    await openChains()
    await chain()
      .getByText(/one\.example, two\.example report different data for block 77/)
      .waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: the past that is still read, in percent', async () => {
    await alter({
      index: 'whole-chain',
      backfill: { safes: 3, blocksLeft: 570, blocksTotal: 1_000, blocksPerSecond: 10 },
      discovery: { blocksLeft: 100, blocksTotal: 1_000 },
      lag: { blocks: 1_200, seconds: 7_500 },
      ofNamedTokens: { from: 3, to: 9 },
    })
    await openChains()
    await expect.poll(standing).toBe('reading-past')
    await chain()
      .getByText('43% done: 570 blocks left for 3 Safes. At 10 blocks in a second: about 57 seconds left.')
      .waitFor()
    await chain().getByText('90% done: 100 blocks left').waitFor()
    await chain().getByText('1,200 blocks, 2 hours, 5 minutes').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await openHistory()
    await history()
      .getByText(/^History up to block \d+; 1,200 blocks behind\./)
      .waitFor()
    await anna.page.route(`**/api/chains/${chainId}/safes/${safe.safeAddress}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), backfillBlock: 0, backfillTo: 5 } })
    })
    await openHistory()
    await history()
      .getByText(/^Loading the history of this Safe: \d+%$/)
      .waitFor()
    await history()
      .getByText(/^The newest is read first\. Complete from block 6 on; .* left\. Lately 10 blocks a second\.$/)
      .waitFor()
    await history()
      .getByText(/are missing from block 3 to block 9\. Add a node .* with COUNTERSIGN_REBUILD=\d+:3\.$/)
      .waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: what a node was seen to refuse, in its words, and what to do where no other stands in', async () => {
    const limit = (kind: string, value: number | null, words: string) => ({
      kind,
      value,
      words,
      learnedAt: '2026-11-25T10:00:00.000Z',
    })
    const range = limit('log-range', 10, 'with up to a 10 block range\u202e')
    await alter({
      nodes: [
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
      ],
    })
    await openChains()
    const at = (node: string, kind: string) =>
      chain().locator(`[data-node="${node}"]`).locator(`[data-limit="${kind}"]`)
    await at('one.example', 'log-range').getByText('Logs: at most 10 blocks in a query').waitFor()
    await at('one.example', 'log-range')
      .getByText(/^At .*10.* the node answered: “with up to a 10 block range[^\u202e]*”$/)
      .waitFor()
    // Every node has that limit: the remedy is told. Traces another node has.
    await at('one.example', 'log-range')
      .getByText(/To read faster, add a node that takes more blocks\.$/)
      .waitFor()
    await at('one.example', 'traces').getByText('Another node of this chain answers this.').waitFor()
    await at('two.example', 'log-range').getByText('Logs: at most 100 blocks in a query').waitFor()
    await at('two.example', 'log-addresses').getByText('Logs: at most 10 addresses in a query').waitFor()
    await at('two.example', 'log-topics').getByText('Logs: at most 1 value of a topic in a query').waitFor()
    await at('one.example (2)', 'log-range').getByText('Logs: only some queries').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.unrouteAll({ behavior: 'wait' })
  })

  test('error: what the server does not tell is no chain that is up to date', async () => {
    await anna.page.route('**/api/chains', (route) => route.fulfill({ status: 503, body: 'away' }))
    anna.watch.expect(/response: 503|console: .*503/)
    await openChains()
    await anna.page.getByRole('main').getByRole('button', { name: 'Retry' }).waitFor()
    expect(await chain().count()).toBe(0)
    await anna.page.unrouteAll({ behavior: 'wait' })
    await anna.page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await expect.poll(standing).toBe('up-to-date')
  })
})
