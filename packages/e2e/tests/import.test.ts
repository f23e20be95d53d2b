import { deploySafe } from '@countersign/devnet'
import {
  encodeContractSignature,
  encodeSignatures,
  nestedContentForSafeTx,
  safeMessageTypedData,
} from '@countersign/safe'
import { type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, propose, statusText } from '../src/people/owner.ts'
import { readTransaction, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const to = team.stranger.address
const bruno = privateKeyToAccount(team.bruno.privateKey)

/** Anna at the page of her own proposal, with the form open. */
async function annaAt(safe: SafeAt): Promise<{ anna: Owner; safeTxHash: Hex }> {
  const anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  const safeTxHash = await propose(anna, safe.safeAddress, { to, amount: '0.001' })
  await anna.page.locator('[data-import="offered"] summary').focus()
  await anna.page.keyboard.press('Enter')
  return { anna, safeTxHash }
}

const field = ({ page }: Owner) => page.getByLabel('Signature as hex')
const importButton = ({ page }: Owner) => page.getByRole('button', { name: 'Import', exact: true })
const problem = ({ page }: Owner, kind: string) => page.locator(`[data-import-problem="${kind}"]`)

async function fieldsOf(safe: SafeAt, safeTxHash: Hex) {
  const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const { safeTx } = await readTransaction(script, safeTxHash)
  if (!safeTx) throw new Error('its fields are not known')
  return { script, safeTx }
}

describe('Safes of a Safe Wallet export', () => {
  test('behavior: each is read from the chain, and an address that is not a Safe is reported', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    const another = await deploySafe({
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      version: '1.4.1',
      saltNonce: BigInt(Date.now()),
      owners: [bruno.address, team.relayer.address],
      threshold: 2,
    })
    const claimed = { owners: [{ value: to }], threshold: 9 }
    const ofChain = [safe.safeAddress, another, to].map((address) => [address.toLowerCase(), claimed])
    const addedSafes = { [safe.chainId]: Object.fromEntries(ofChain), 424242: { [to]: claimed } }
    const export3 = { version: '3.0', data: { addressBook: {}, addedSafes } }
    await anna.page.goto(anna.url)
    await anna.page.getByText('Safes from a Safe Wallet export').click()
    const added = anna.page.locator('[data-add-exported]')
    const buffer = Buffer.from(JSON.stringify(export3))
    await added
      .getByLabel('Safe Wallet data export')
      .setInputFiles({ name: 'export.json', mimeType: 'application/json', buffer })
    await added.getByText('Not in My Safes: 2. Already there: 1. On chains that are not configured here: 1.').waitFor()
    anna.watch.expect(/422 .*NOT_A_SAFE/)
    // The server takes so many in a second: who is told to wait asks again.
    anna.watch.expect(/^response: 429 \/api\/safes RATE_LIMITED$/)
    const often = { code: 'RATE_LIMITED', title: '', status: 429, detail: 'often', data: { retryAfterSeconds: 0.1 } }
    const json = { status: 429, contentType: 'application/problem+json', body: JSON.stringify(often) }
    const onPost = { times: 1 }
    await anna.page.route(
      '**/api/safes',
      (route) => (route.request().method() === 'POST' ? route.fulfill(json) : route.fallback()),
      onPost,
    )
    await added.getByRole('button', { name: 'Add Safes' }).click()
    await added.getByText('Safes added: 1.').waitFor()
    await added.locator(`[data-refused="${to}"]`).waitFor()
    await anna.page.locator(`article[data-safe="${another}"]`).getByText('2 of 2').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
  })
})

describe('a signature that was made elsewhere', () => {
  test('behavior: of an owner that is a contract, which is asked first', async () => {
    const deploy = (owners: Parameters<typeof deploySafe>[0]['owners'], threshold: number, saltNonce: bigint) =>
      deploySafe({ rpcUrl: scene.rpcUrl, chainId: scene.chainId, version: '1.4.1', owners, threshold, saltNonce })
    const nested = await deploy([bruno.address], 1, BigInt(Date.now()))
    const safeAddress = await deploy([team.anna.address, nested], 2, BigInt(Date.now()) + 1n)
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safeAddress, value: parseEther('1') })
    const safe: SafeAt = { chainId: scene.chainId, safeAddress, version: '1.4.1' }
    const { anna, safeTxHash } = await annaAt(safe)
    const { safeTx } = await fieldsOf(safe, safeTxHash)
    const content = nestedContentForSafeTx({ ...safe, safeTx })
    const signed = await bruno.signTypedData(safeMessageTypedData({ ...safe, safeAddress: nested, content }))
    const asOwner = (bytes: Hex) =>
      encodeSignatures([{ owner: nested, signature: encodeContractSignature(nested, bytes) }])
    await field(anna).fill(asOwner(await bruno.signMessage({ message: 'something else' })))
    await problem(anna, 'not-accepted').locator(`[data-address="${nested}"]`).waitFor()
    await field(anna).fill(asOwner(signed))
    await anna.page.locator(`[data-imported="${nested}"][data-kind="CONTRACT_SIGNATURE"]`).waitFor()
    await importButton(anna).click()
    await statusText(anna.page, '2 of 2 confirmations').waitFor()
  })
})
