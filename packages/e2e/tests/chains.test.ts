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
})
