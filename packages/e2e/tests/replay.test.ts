import { deployOldSafe } from '@countersign/devnet'
import { encodeCreateProxy, encodeSignatures, newSafeTx, predictSafeAddress } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, createPublicClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addSafe, comeBack, confirmButton, type Owner, openTransaction, safePath, tick } from '../src/people/owner.ts'
import {
  proposeByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import type { Scene } from '../src/product/scene.ts'
import { type ChainNode, startTwoChains, type TwoChains } from '../src/product/two-chains.ts'

const [chainId, otherChainId] = [845_311, 845_312]
let both: TwoChains
let scene: Scene
let node: ChainNode
let otherNode: ChainNode
let anna: Owner
let salt = BigInt(Date.now())

beforeAll(async () => {
  both = await startTwoChains(chainId, otherChainId)
  ;({ scene, node, otherNode } = both)
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
})
afterAll(() => both?.close())
afterEach(() => anna?.watch.assertNone())

const to = team.stranger.address

/** A Safe that does not sign the chain, at the same address on each of these chains. */
async function deploy(on: readonly [ChainNode, number][], version: '1.1.1' | '1.4.1' = '1.1.1'): Promise<SafeAt> {
  salt += 1n
  const owners = [team.anna.address, team.bruno.address]
  const addresses = new Set<Address>()
  for (const [{ rpcUrl }, at] of on) {
    const safe = { rpcUrl, chainId: at, owners, threshold: 2, saltNonce: salt }
    const address = await deployOldSafe({ ...safe, version: '1.1.1' })
    await sendAs(team.relayer.privateKey, rpcUrl, { to: address, value: parseEther('1') })
    addresses.add(address)
  }
  const [safeAddress, ...others] = addresses
  if (!safeAddress || others.length > 0) throw new Error('The Safes are not at the same address.')
  return { chainId, safeAddress, version }
}

async function open(safe: SafeAt) {
  await addSafe(anna, safe.safeAddress)
  const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, chainId)
  const { safeTxHash } = await proposeByScript(bruno, safe, { to, value: 1n, nonce: 0n })
  await openTransaction(anna, safe.safeAddress, safeTxHash)
  return { safeTx: (await readTransaction(bruno, safeTxHash)).safeTx, safeTxHash }
}

const found = () => anna.page.locator('[data-finding="REPLAY-CHAIN"]')
const domain = (status: string) => anna.page.locator(`[data-check="domain"][data-status="${status}"]`)

describe('a Safe that does not sign the chain', () => {
  test('REPLAY-CHAIN: the same Safe on another chain is named, and it is true', async () => {
    const safe = await deploy([
      [node, chainId],
      [otherNode, otherChainId],
    ])
    const { safeTx } = await open(safe)
    await found().waitFor()
    expect(await found().locator('[data-evidence="chainId"] dd').textContent()).toContain(String(otherChainId))
    expect(await found().locator('[data-evidence="owners"] dd').textContent()).toContain(team.bruno.address)
    await domain('failed').waitFor({ state: 'attached' })
    await anna.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await anna.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await confirmButton(anna.page).isDisabled()).toBe(true)

    if (!safeTx) throw new Error('Its fields are not known.')
    const signed = await Promise.all(
      [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
        owner: address,
        signature: await signSafeTx(privateKeyToAccount(privateKey), safe, newSafeTx(safeTx)),
      })),
    )
    const data = encodeExecTransaction(safeTx, encodeSignatures(signed))
    const other = createPublicClient({ transport: http(otherNode.rpcUrl) })
    const before = await other.getBalance({ address: to })
    await sendAs(team.relayer.privateKey, otherNode.rpcUrl, { to: safe.safeAddress, data })
    expect(await other.getBalance({ address: to })).toBe(before + 1n)
    // Executed there, the nonce is used there: nothing is left to repeat.
    await anna.page.reload()
    await domain('passed').waitFor({ state: 'attached' })
    expect(await found().count()).toBe(0)
  })

  test('behavior: alone on its address it is not accused; without an answer of the other chain it is not checked', async () => {
    const safe = await deploy([[node, chainId]])
    const { safeTxHash } = await open(safe)
    await domain('passed').waitFor({ state: 'attached' })
    expect(await found().count()).toBe(0)
    await anna.page.route(`**/api/chains/${otherChainId}/rpc`, (route) => route.abort())
    anna.watch.expect(/ERR_FAILED/)
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await domain('not-checked').waitFor({ state: 'attached' })
    await anna.page.unroute(`**/api/chains/${otherChainId}/rpc`)
  })
})

describe('a Safe on two chains', () => {
  test('behavior: is created on the second by the transaction of the first, at the same address', async () => {
    const owners = [team.anna.address, team.bruno.address, team.relayer.address]
    salt += 1n
    const newSafe = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: salt } as const
    const created = await sendAs(team.relayer.privateKey, node.rpcUrl, encodeCreateProxy(newSafe))
    const bruno = await scene.owner(team.bruno.privateKey, { rpcUrl: otherNode.rpcUrl, chainId: otherChainId })
    await comeBack(bruno)
    const { page, url } = bruno
    await page.goto(`${url}/create`)
    // One form makes both at once: each chain has its own review and its own button.
    await page.getByLabel('Address of owner 2', { exact: true }).fill(team.anna.address)
    await page.getByLabel('Another chain', { exact: true }).check()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Create the Safe', exact: true }).count()).toBe(2)
    await page.getByRole('button', { name: 'Change', exact: true }).click()

    await page.getByLabel('Transaction hash', { exact: true }).fill(created)
    await page.getByRole('button', { name: 'Read the creation', exact: true }).click()
    const address = predictSafeAddress(newSafe)
    await page.locator(`[data-create="review"] [data-address="${address}"]`).first().waitFor()
    await tick(page, 'CREATION-UNNAMED')
    expect(await page.locator('[data-finding="CREATION-ELSEWHERE"]').count()).toBe(0)
    await page.getByRole('button', { name: 'Create the Safe', exact: true }).click()
    await page.getByRole('link', { name: 'Open the Safe' }).click()
    await page.waitForURL(`${url}${safePath(otherChainId, address)}`)
    const chain = createPublicClient({ transport: http(otherNode.rpcUrl) })
    expect(await chain.getCode({ address })).not.toBeUndefined()
  })
})
