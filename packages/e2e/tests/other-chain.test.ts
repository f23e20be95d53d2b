import { startDevnet } from '@countersign/devnet'
import { createPublicClient, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  confirmButton,
  executeButton,
  names,
  openConnectDialog,
  openTransaction,
  propose,
  signIn,
  statusText,
  walletEntry,
} from '../src/owner.ts'
import { freePort } from '../src/product.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { readChains } from '../src/script-owner.ts'
import { team } from '../src/team.ts'

const chainId = 845_310
let scene: Scene
let node: Awaited<ReturnType<typeof startDevnet>>

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  scene = await startScene({
    configuration: { chains: [{ chainId, name: 'Another chain', rpcUrls: [node.rpcUrl] }] },
    rpcUrl: node.rpcUrl,
    chainId,
    version: '1.3.0',
  })
})
afterAll(async () => {
  await scene?.close()
  await node?.close()
})
afterEach(() => scene?.closeOwners())

describe('a chain from the configuration', () => {
  test('behavior: no devnet and no Demo wallet', async () => {
    expect(await readChains(scene.product.url)).toMatchObject([{ chainId, isDevnet: false, status: 'ok' }])
    expect(scene.product.output()).not.toContain('31337')
    const anna = await scene.owner(team.anna.privateKey)
    await anna.page.goto(anna.url)
    await openConnectDialog(anna.page)
    await walletEntry(anna.page, anna.wallet.name).waitFor()
    expect(await anna.page.getByText(names.demoWallet).count()).toBe(0)
  })

  test('behavior: a Safe 1.3.0 is added by address, its transaction proposed, confirmed and executed', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    const bruno = await scene.owner(team.bruno.privateKey)
    await signIn(anna)
    await addSafe(anna, safe.safeAddress)
    const safeTxHash = await propose(anna, safe.safeAddress, { to: team.stranger.address, amount: '2' })
    await signIn(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await confirmButton(bruno.page).click()
    await executeButton(anna.page).click()
    for (const owner of [anna, bruno]) await statusText(owner.page, names.executed).waitFor()
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    expect(await chain.getBalance({ address: safe.safeAddress })).toBe(parseEther('3'))
  })
})
