import { createPublicClient, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmButton,
  executeButton,
  names,
  openEvidence,
  openTransaction,
  propose,
  safePath,
  signIn,
  statusText,
  tick,
  tickAll,
} from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { sendAs, team } from '../src/team.ts'

const chainId = 31337
let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('a Safe that is activated later', () => {
  test('behavior: it receives, two owners sign, and its first transaction creates it', async () => {
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const anna = await scene.owner(team.anna.privateKey)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = anna
    await signIn(anna)
    await page.getByRole('link', { name: 'Create a Safe', exact: true }).click()
    await page.getByLabel('Name of the Safe', { exact: true }).fill('Later')
    await page.getByLabel('Address of owner 2', { exact: true }).fill(team.bruno.address)
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await tick(page, 'CREATION-UNNAMED')
    await page.getByRole('button', { name: 'Activate later', exact: true }).click()
    await page.waitForURL(/\/safes\/31337\/0x[0-9a-fA-F]{40}$/)
    const safeAddress = new URL(page.url()).pathname.split('/').at(-1) as `0x${string}`
    await page.locator('[data-not-deployed="kept"]').getByText('Creating it costs about').waitFor()
    expect(await chain.getCode({ address: safeAddress })).toBeUndefined()

    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safeAddress, value: parseEther('3') })
    const safeTxHash = await propose(anna, safeAddress, { to: team.stranger.address, amount: '2' })

    // Nobody finds it by being named; the link is enough.
    await signIn(bruno)
    await bruno.page.getByText('No Safes yet').waitFor()
    expect(await bruno.page.locator(`[data-safe="${safeAddress}"]`).count()).toBe(0)
    await openTransaction(bruno, safeAddress, safeTxHash)
    await tickAll(bruno.page)
    await confirmButton(bruno.page).click()

    // All that the run was made of fits into a file, the creation included.
    await openEvidence(page, 'Proof pack')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save a proof pack' }).click(),
    ])
    await page.locator('[data-pack="made"]').waitFor()
    await page.locator('[data-pack] input[type="file"]').setInputFiles(await saved.path())
    await page.locator('[data-pack-creation]').waitFor()
    await page.locator('[data-pack-vouching="enough"] [data-pack-differences="none"]').waitFor()

    const before = await chain.getBalance({ address: team.stranger.address })
    await executeButton(page).click()
    for (const owner of [anna, bruno]) await statusText(owner.page, names.executed).waitFor()
    expect(await chain.getCode({ address: safeAddress })).not.toBeUndefined()
    expect((await chain.getBalance({ address: team.stranger.address })) - before).toBe(parseEther('2'))

    await page.goto(`${anna.url}${safePath(chainId, safeAddress)}`)
    await page.getByRole('heading', { name: 'Owners' }).waitFor()
    await expect.poll(() => page.locator('[data-not-deployed]').count()).toBe(0)
  })
})
