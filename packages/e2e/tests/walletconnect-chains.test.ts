import { startDevnet } from '@countersign/devnet'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { names, type Owner, openConnectDialog, startVerifying, verify, walletEntry } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { connectPhone, dialogSays } from '../src/wallets/pairing.ts'
import { type Phone, startPhone } from '../src/wallets/phone.ts'
import { type Relay, startRelay } from '../src/wallets/relay.ts'

describe('two chains', () => {
  const chainIds = [845_311, 845_312] as const
  let nodes: Awaited<ReturnType<typeof startDevnet>>[]
  const phones: Phone[] = []
  let relay: Relay
  let both: Scene

  beforeAll(async () => {
    relay = await startRelay()
    nodes = []
    for (const chainId of chainIds) nodes.push(await startDevnet({ port: await freePort(), chainId }))
    const chains = nodes.map(({ rpcUrl }, at) => ({
      chainId: chainIds[at],
      name: `Chain ${at + 1}`,
      rpcUrls: [rpcUrl],
      publicRpcUrl: rpcUrl,
    }))
    const configuration = { chains, walletConnect: { relayUrl: relay.url } }
    both = await startScene({ configuration, rpcUrl: nodes[0]?.rpcUrl ?? '', chainId: chainIds[0] })
  })
  afterEach(async () => {
    await both?.closeOwners()
    for (const phone of phones.splice(0)) await phone.close()
  })
  afterAll(async () => {
    await both?.close()
    for (const node of nodes) await node.close()
    await relay?.close()
  })

  async function newPhone(unknownChainIds: number[] = []): Promise<Phone> {
    const { rpcUrl } = both
    const phone = await startPhone({ relayUrl: relay.url, rpcUrl, privateKey: team.anna.privateKey, unknownChainIds })
    phones.push(phone)
    return phone
  }
  async function connectedOnFirst(phone: Phone, methods: string[]): Promise<Owner> {
    const anna = await both.owner(team.anna.privateKey)
    anna.watch.expect(/^socket opened/)
    await anna.page.goto(anna.url)
    await connectPhone(anna.page, phone, { chainIds: [chainIds[0]], methods })
    return anna
  }

  async function switchToSecond(page: Page): Promise<void> {
    await page.getByRole('button', { name: names.profile }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch networks' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch to Chain 2' }).click()
  }

  test('behavior: a chain that the phone did not approve is asked for, and added when the phone does not know it', async () => {
    const phone = await newPhone([chainIds[1]])
    const anna = await connectedOnFirst(phone, [
      'personal_sign',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
    ])
    await verify(anna)
    await switchToSecond(anna.page)
    await expect
      .poll(() => phone.requests.map(({ method }) => method).slice(1))
      .toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
    // Back at the profile, which names the wallet's chain.
    await anna.page.getByRole('dialog').getByRole('button', { name: names.signOut, exact: true }).waitFor()
    await dialogSays(anna.page, 'Chain 2')
  })

  test('behavior: a phone that allows no switching is not asked, and the person is told what to do', async () => {
    const phone = await newPhone()
    const anna = await connectedOnFirst(phone, ['personal_sign'])
    await verify(anna)
    await switchToSecond(anna.page)
    await dialogSays(anna.page, /did not approve chain/)
    expect(phone.requests.map(({ method }) => method)).toEqual(['personal_sign'])
  })

  test('behavior: a method that the phone did not allow is not asked for', async () => {
    const phone = await newPhone()
    const anna = await connectedOnFirst(phone, ['eth_sendTransaction'])
    await startVerifying(anna.page)
    await dialogSays(anna.page, /does not allow/)
    expect(phone.requests).toEqual([])
  })
})

describe('without a relay', () => {
  test('behavior: the entry says that WalletConnect is not available, and why; nothing of it is loaded', async () => {
    const scene = await startScene()
    try {
      const { page, url } = await scene.visitor()
      const scripts: string[] = []
      page.on('request', (request) => void scripts.push(new URL(request.url()).pathname))
      await page.goto(url)
      await openConnectDialog(page)
      expect(await walletEntry(page, 'WalletConnect').textContent()).toContain('WalletConnect is not available')
      await walletEntry(page, 'WalletConnect').click()
      await dialogSays(page, 'WalletConnect is not set up on this server.')
      expect(scripts.filter((path) => /scan-screen|walletconnect|pairing/i.test(path))).toEqual([])
      const policy = (await fetch(url)).headers.get('content-security-policy')
      expect(policy).toContain("connect-src 'self';")
    } finally {
      await scene.close()
    }
  })
})
