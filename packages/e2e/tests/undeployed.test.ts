import { officialDeployment, predictSafeAddress, readSafeState } from '@countersign/safe'
import { createPublicClient, http, parseEther, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  comeBack,
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
} from '../src/people/owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

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
    await statusText(page, '2 of 2 confirmations').waitFor()

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

describe('a Safe that another tool predicted', () => {
  test('behavior: its address is computed again, another one is refused, and it is created there', async () => {
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const owners = [team.anna.address, team.bruno.address]
    const saltNonce = BigInt(Date.now())
    const safeAddress = predictSafeAddress({ version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce })
    const official = (kind: 'singleton-l2' | 'factory' | 'handler') =>
      officialDeployment(kind, '1.4.1')?.address ?? zeroAddress
    // As Safe Wallet writes them.
    const props = {
      factoryAddress: official('factory'),
      masterCopy: official('singleton-l2'),
      safeVersion: '1.4.1',
      saltNonce: String(saltNonce),
      safeAccountConfig: {
        owners,
        threshold: 2,
        to: zeroAddress,
        data: '0x',
        fallbackHandler: official('handler'),
        paymentToken: zeroAddress,
        payment: 0,
        paymentReceiver: zeroAddress,
      },
    }
    const exported = (address: string) =>
      JSON.stringify({ version: '3.0', data: { undeployedSafes: { [chainId]: { [address]: { props } } } } })
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna, '/')
    await page.getByRole('link', { name: 'Create a Safe', exact: true }).click()
    const given = page.locator('[data-given-safe]')
    const bring = async (text: string) => {
      await given.getByLabel('Creation', { exact: true }).fill(text)
      await given.getByRole('button', { name: 'Compute the address', exact: true }).click()
    }
    await bring('{"to":1}')
    await given.getByText('This is neither a call nor an export with Safes that are not deployed.').waitFor()
    await bring(exported(team.stranger.address))
    await given.getByRole('alert').waitFor()
    expect(await given.getByRole('button', { name: 'Review', exact: true }).count()).toBe(0)
    const buffer = Buffer.alloc(1_000_001, ' ')
    await given.locator('input[type="file"]').setInputFiles({ name: 'all.json', mimeType: 'application/json', buffer })
    await given.getByText('“all.json” has 2 MB. Choose a file of 1 MB at most.').waitFor()
    await bring(exported(safeAddress))
    await given.getByRole('button', { name: 'Review', exact: true }).click()
    await page.locator('[data-create="review"]').locator(`[data-address="${safeAddress}"]`).first().waitFor()
    await tickAll(page)
    await page.getByRole('button', { name: 'Create the Safe', exact: true }).click()
    await page.getByRole('link', { name: 'Open the Safe' }).click()
    await page.waitForURL((at) => at.pathname === safePath(chainId, safeAddress))
    const state = await readSafeState((call) => chain.request(call as never), safeAddress, chainId)
    expect(state).toMatchObject({ owners, threshold: 2, version: '1.4.1+L2' })
  })
})
