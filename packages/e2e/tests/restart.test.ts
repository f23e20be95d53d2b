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
    const devnet = createPublicClient({ transport: http(rpcUrlOf(second)) })
    const { hash: blockHash } = await devnet.getBlock()
    await second.kill()

    await using third = await startProduct({ dataPath, port: first.port })
    expect((await readTransaction(owner, safeTxHash)).confirmations).toHaveLength(1)
    expect((await readChains(third.url)).map(({ status }) => status)).toEqual(['ok'])
    expect(await third.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])
    // The port may be another's by now, who knows nothing of this chain.
    await expect(devnet.getBlock({ blockHash })).rejects.toThrow()
    expect(readdirSync(dataPath).length).toBeGreaterThan(0)
  })

  test('behavior: a page whose code did not load while the server was away loads once the server is back, even offline', async () => {
    const dataPath = ownDataPath()
    const scene = await startScene({ dataPath })
    try {
      const { safeAddress } = await scene.newSafe()
      const people = [team.anna, team.bruno]
      for (const { privateKey } of people)
        await addSafeByScript(await signInByScript(scene.product.url, privateKey, scene.chainId), safeAddress)
      const assets = sectionPath(scene.chainId, safeAddress, 'assets')
      const anna = await scene.owner(team.anna.privateKey)
      // The server of his device is on it.
      const bruno = await scene.owner(team.bruno.privateKey)
      await bruno.context.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }),
      )
      for (const owner of [anna, bruno]) {
        owner.watch.expect(/./)
        await comeBack(owner, assets)
        await owner.page.locator('[data-live-status="live"]').waitFor()
      }
      await scene.product.stop()
      await anna.page.locator('[data-live-status="connecting"]').waitFor()
      // The account beside the word that takes its place is whole.
      expect(await anna.page.locator('[data-head]').evaluate((head) => head.scrollWidth - head.clientWidth)).toBe(0)
      await bruno.page.evaluate(() => dispatchEvent(new Event('offline')))
      await bruno.page.locator('[data-offline]').waitFor()
      for (const { page } of [anna, bruno]) await page.getByRole('link', { name: 'Team' }).click()
      await anna.page.getByRole('main').getByText('The Countersign server cannot be reached').first().waitFor()
      await bruno.page.getByText('Loading the page').waitFor()
      await using again = await startProduct({ dataPath, port: scene.product.port })
      expect(again.url).toBe(scene.product.url)
      for (const { page } of [anna, bruno]) {
        await page.locator('[data-live-status="live"]').waitFor()
        await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
        await page.locator('[data-owner]').first().waitFor()
        expect(await page.locator('[data-offline]').count()).toBe(0)
      }
      await scene.closeOwners()
    } finally {
      await scene.close()
    }
  })
})

describe('starting where something is in the way', () => {
  test('error: DATA_IN_USE; a taken port, the next free one is used; an unreachable node, the product says so', async () => {
    const port = await freePort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    const configuration = {
      chains: [{ chainId: 4242, name: 'Gone', rpcUrls: [`http://127.0.0.1:${await freePort()}`] }],
    }
    const dataPath = ownDataPath()
    await using product = await startProduct({ dataPath, port, configuration, waitFor: 'healthz' })
    expect(product.port).not.toBe(port)
    expect(product.output()).toContain(String(port))
    await new Promise((resolve) => other.close(resolve))
    expect(await readChains(product.url)).toMatchObject([{ chainId: 4242, status: 'unreachable', isDevnet: false }])

    const { code, output } = await startAndFail({ dataPath, configuration })
    expect(code).not.toBe(0)
    expect(output).toContain('DATA_IN_USE')
    expect(output).toContain(dataPath)
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
    expect(await product.stop()).toBe(0)
  })
})
