import { readSafeState } from '@countersign/safe'
import type { Page } from 'playwright-core'
import { type Address, createPublicClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, tickAll } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import type { Scene } from '../src/product/scene.ts'
import { type ChainNode, startTwoChains, type TwoChains } from '../src/product/two-chains.ts'

const [chainId, otherChainId] = [845_331, 845_332]
let both: TwoChains
let scene: Scene
let node: ChainNode
let otherNode: ChainNode

beforeAll(async () => {
  both = await startTwoChains(chainId, otherChainId)
  ;({ scene, node, otherNode } = both)
})
afterAll(() => both?.close())
afterEach(() => scene?.closeOwners())

const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const stateOn = ({ rpcUrl }: ChainNode, at: number, safeAddress: Address) => {
  const chain = createPublicClient({ transport: http(rpcUrl) })
  return readSafeState((call) => chain.request(call as never), safeAddress, at)
}

async function plannedAddress(page: Page): Promise<Address> {
  const shown = page.locator('[data-create="review"] dl [data-address]').first()
  return (await shown.getAttribute('data-address')) as Address
}

describe('one address on several chains', () => {
  test('behavior: created on one chain, then by the transaction of that on the other, with the same owners', async () => {
    const anna = await scene.owner(team.anna.privateKey, { otherChains: { [otherChainId]: otherNode.rpcUrl } })
    const { page, url } = anna
    await comeBack(anna, '/')
    await page.getByRole('link', { name: 'Create a Safe', exact: true }).click()
    for (const name of ['One chain', 'Another chain']) await page.getByLabel(name, { exact: true }).check()
    await fill(page, 'Address of owner 2', team.bruno.address)
    await press(page, 'Review')
    const safeAddress = await plannedAddress(page)
    // Reviewed for each chain, and created on one after the other.
    const created = page.locator('[data-creation="created"]')
    await expect.poll(() => page.locator('[data-creation]').count()).toBe(2)
    const first = page.locator('[data-creation]').first()
    await first.locator('[data-verdict]').first().waitFor()
    for (const box of await first.getByRole('checkbox').all()) await box.check()
    await first.getByRole('button', { name: 'Create the Safe', exact: true }).click()
    await expect.poll(() => created.count()).toBe(1)
    expect(await stateOn(node, chainId, safeAddress)).toMatchObject({
      owners: [team.anna.address, team.bruno.address],
      threshold: 2,
    })

    // The salt is in the transaction.
    const chain = createPublicClient({ transport: http(node.rpcUrl) })
    const { transactions } = await chain.getBlock()
    await page.goto(`${url}/create`)
    // The creation on the other chain is kept, and the form is behind it.
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const known = page.getByRole('region', { name: 'Create a known Safe on another chain' })
    await known.getByLabel('Chain of its creation', { exact: true }).selectOption(String(chainId))
    await known.getByLabel('Transaction hash', { exact: true }).fill(`0x${'12'.repeat(32)}`)
    await known.getByRole('button', { name: 'Read the creation', exact: true }).click()
    await known.getByText('The node of this chain does not know this transaction.').waitFor()
    await known.getByLabel('Transaction hash', { exact: true }).fill(transactions[0] ?? '')
    await known.getByRole('button', { name: 'Read the creation', exact: true }).click()
    await page.locator('[data-create="review"]').waitFor()
    expect(await plannedAddress(page)).toBe(safeAddress)
    expect(await page.locator('[data-creation]').count()).toBe(1)
    await tickAll(page)
    await press(page, 'Create the Safe')
    await created.waitFor()
    expect(await stateOn(otherNode, otherChainId, safeAddress)).toMatchObject({
      owners: [team.anna.address, team.bruno.address],
      threshold: 2,
      nonce: 0n,
    })
    const sent = anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    expect(sent).toHaveLength(2)
  })
})
