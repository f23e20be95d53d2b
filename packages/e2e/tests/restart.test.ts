import { readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { createPublicClient, http } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { comeBack, sectionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readChains,
  readTransaction,
  signInByScript,
} from '../src/people/script-owner.ts'
import { newSafe, rpcUrlOf, team } from '../src/people/team.ts'
import { freePort, makeDataPath, processesOf, startAndFail, startProduct } from '../src/product/product.ts'
import { startScene } from '../src/product/scene.ts'

const dataPaths: string[] = []
function ownDataPath(): string {
  const dataPath = makeDataPath()
  dataPaths.push(dataPath)
  return dataPath
}
afterEach(() => {
  for (const dataPath of dataPaths.splice(0)) rmSync(dataPath, { recursive: true, force: true })
})

describe('starting again', () => {
  test('behavior: everything is there after SIGTERM, and after kill -9 of the launcher', async () => {
    const dataPath = ownDataPath()
    await using first = await startProduct({ dataPath })
    const rpcUrl = rpcUrlOf(first)
    const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
    const owner = await signInByScript(first.url, team.anna.privateKey, 31337)
    await addSafeByScript(owner, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(owner, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
    // Shown to find what runs, before it is believed that nothing does.
    expect(processesOf(dataPath)).not.toEqual([])
    expect(await first.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])

    await using second = await startProduct({ dataPath, port: first.port })
    expect(second.url).toBe(first.url)
    // The session is in the database: the same cookie still stands for the same owner.
    const kept = await readTransaction(owner, safeTxHash)
    expect(kept.safeTx?.value).toBe(1n)
    expect(kept.confirmations.map(({ owner: by }) => by)).toEqual([team.anna.address])
    await second.kill()

    await using third = await startProduct({ dataPath, port: first.port })
    expect((await readTransaction(owner, safeTxHash)).confirmations).toHaveLength(1)
    expect((await readChains(third.url)).map(({ status }) => status)).toEqual(['ok'])
    expect(await third.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])
    expect(readdirSync(dataPath).length).toBeGreaterThan(0)
  })

  test('behavior: a page whose code did not come while the server was away is there once it is back', async () => {
    const dataPath = ownDataPath()
    const scene = await startScene({ dataPath })
    try {
      const { safeAddress } = await scene.newSafe()
      await addSafeByScript(await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId), safeAddress)
      const anna = await scene.owner(team.anna.privateKey)
      const { page, watch } = anna
      watch.expect(/./)
      await comeBack(anna, sectionPath(scene.chainId, safeAddress, 'assets'))
      await page.locator('[data-live-status="live"]').waitFor()
      await scene.product.stop()
      await page.locator('[data-live-status="connecting"]').waitFor()
      // The account beside the word that takes its place is whole.
      expect(await page.locator('[data-head]').evaluate((head) => head.scrollWidth - head.clientWidth)).toBe(0)
      await page.getByRole('link', { name: 'Team' }).click()
      await page.getByRole('main').getByText('The Countersign server cannot be reached').first().waitFor()
      await using again = await startProduct({ dataPath, port: scene.product.port })
      expect(again.url).toBe(scene.product.url)
      await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
      await page.locator('[data-owner]').first().waitFor()
      await scene.closeOwners()
    } finally {
      await scene.close()
    }
  })

  test('behavior: so it is on a device without any network, whose server is on it', async () => {
    const dataPath = ownDataPath()
    const scene = await startScene({ dataPath })
    try {
      const { safeAddress } = await scene.newSafe()
      await addSafeByScript(await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId), safeAddress)
      const anna = await scene.owner(team.anna.privateKey)
      const { page, context, watch } = anna
      watch.expect(/./)
      await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }))
      await comeBack(anna, sectionPath(scene.chainId, safeAddress, 'assets'))
      await page.locator('[data-live-status="live"]').waitFor()
      await scene.product.stop()
      await page.evaluate(() => dispatchEvent(new Event('offline')))
      await page.locator('[data-offline]').waitFor()
      await page.getByRole('link', { name: 'Team' }).click()
      await page.getByText('Loading the page').waitFor()
      await using again = await startProduct({ dataPath, port: scene.product.port })
      expect(again.url).toBe(scene.product.url)
      await page.locator('[data-live-status="live"]').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
      await page.locator('[data-owner]').first().waitFor()
      expect(await page.locator('[data-offline]').count()).toBe(0)
      await scene.closeOwners()
    } finally {
      await scene.close()
    }
  })

  test('behavior: nothing outlives kill -9 of the launcher and the next stop', async () => {
    const dataPath = ownDataPath()
    await using first = await startProduct({ dataPath })
    const devnet = createPublicClient({ transport: http(rpcUrlOf(first)) })
    const { hash: blockHash } = await devnet.getBlock()
    await first.kill()
    await using second = await startProduct({ dataPath })
    await second.stop()
    expect(processesOf(dataPath)).toEqual([])
    // The port may be another's by now, who knows nothing of this chain.
    await expect(devnet.getBlock({ blockHash })).rejects.toThrow()
  })
})

describe('starting where something is in the way', () => {
  test('behavior: a taken port, the next free one is used and said', async () => {
    const port = await freePort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await using product = await startProduct({ port })
    expect(product.port).not.toBe(port)
    expect(product.output()).toContain(String(port))
    await new Promise((resolve) => other.close(resolve))
  })

  test('error: DATA_IN_USE', async () => {
    const dataPath = ownDataPath()
    await using first = await startProduct({ dataPath })
    const { code, output } = await startAndFail({ dataPath })
    expect(code).not.toBe(0)
    expect(output).toContain('DATA_IN_USE')
    expect(output).toContain(dataPath)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    await first.stop()
  })

  test('error: CONFIGURATION_INVALID names every fault at once', async () => {
    const dataPath = ownDataPath()
    const configuration = {
      chains: [
        { chainId: 'one', name: 'First', rpcUrls: ['http://127.0.0.1:1'] },
        { chainId: 5, name: 'Second', rpcUrls: ['not a url'] },
      ],
      surprise: true,
    }
    const { code, output } = await startAndFail({ dataPath, configuration })
    expect(code).not.toBe(0)
    expect(output).toContain('CONFIGURATION_INVALID')
    expect(output).toMatch(/chains[.[]0\]?\.chainId/)
    expect(output).toMatch(/chains[.[]1\]?\.rpcUrls[.[]0/)
    expect(output).toContain('surprise')
    expect(processesOf(dataPath)).toEqual([])
  })

  test('behavior: an unreachable node, the product stays up and says so', async () => {
    const configuration = {
      chains: [{ chainId: 4242, name: 'Gone', rpcUrls: [`http://127.0.0.1:${await freePort()}`] }],
    }
    const dataPath = ownDataPath()
    await using product = await startProduct({ dataPath, configuration, waitFor: 'healthz' })
    expect(await readChains(product.url)).toMatchObject([{ chainId: 4242, status: 'unreachable', isDevnet: false }])
    expect(await product.stop()).toBe(0)
  })
})
