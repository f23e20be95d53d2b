import { deploySafe } from '@countersign/devnet'
import {
  encodeContractSignature,
  encodeSignatures,
  hashSafeMessage,
  hashSafeTx,
  nestedContentForSafeTx,
  newSafeTx,
  safeMessageTypedData,
} from '@countersign/safe'
import { type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  addSafe,
  comeBack,
  executeButton,
  type Owner,
  propose,
  sectionPath,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import {
  proposeByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
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
const stranger = privateKeyToAccount(team.stranger.privateKey)

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

describe('the queue of another service', () => {
  test('default: brought with the signatures that verify; what does not match is named; a second time changes nothing', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    /** As the service answers it, each signature of a transaction of its own. */
    const answered = async (nonce: bigint, signedValues: { anna?: bigint; bruno?: bigint }, fields: object = {}) => {
      const safeTx = newSafeTx({ to, value: 1n, nonce })
      const sign = async (key: Hex, value?: bigint) => {
        const account = privateKeyToAccount(key)
        if (value === undefined) return []
        return [{ owner: account.address, signature: await signSafeTx(account, safe, { ...safeTx, value }) }]
      }
      const confirmations = [
        ...(await sign(team.anna.privateKey, signedValues.anna)),
        ...(await sign(team.bruno.privateKey, signedValues.bruno)),
      ]
      const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
      const served = {
        ...safeTx,
        safe: safe.safeAddress,
        safeTxHash,
        proposer: bruno.address,
        confirmations,
        ...fields,
      }
      return JSON.parse(JSON.stringify(served, (_key, value) => (typeof value === 'bigint' ? String(value) : value)))
    }
    const both = await answered(0n, { anna: 1n, bruno: 1n }, { origin: 'rent' })
    const forAnother = await answered(1n, { anna: 2n, bruno: 1n })
    const changed = await answered(2n, { bruno: 1n }, { value: '9' })
    const unsigned = await answered(3n, {})
    await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'settings')}`)
    const form = anna.page.locator('[data-bring]')
    anna.watch.expect(/422 .*SIGNATURE_NOT_FROM_OWNER/)
    const bring = async () => {
      await anna.page.getByText('From a Safe Transaction Service', { exact: true }).click()
      await form
        .getByLabel('JSON of the service')
        .fill(JSON.stringify({ results: [both, forAnother, changed, unsigned] }))
      await form.getByText('3 proposals found.').waitFor()
      await form.locator('[data-left-out="other-hash"]', { hasText: changed.safeTxHash.slice(2, 6) }).waitFor()
      await form.getByRole('button', { name: 'Import proposals' }).click()
    }
    await bring()
    await form.getByText('New proposals: 2. New confirmations: 3.').waitFor()
    await form.locator(`[data-left-out="${forAnother.safeTxHash}"] [data-address="${team.anna.address}"]`).waitFor()
    await form
      .locator(`[data-left-out="${unsigned.safeTxHash}"]`, { hasText: 'No signature of an owner came with it.' })
      .waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.reload()
    await bring()
    await form.getByText('New proposals: 0. New confirmations: 0.').waitFor()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    expect(await readTransaction(script, both.safeTxHash)).toMatchObject({ origin: 'rent', proposer: bruno.address })
    expect((await readTransaction(script, forAnother.safeTxHash)).confirmations).toMatchObject([
      { owner: bruno.address },
    ])

    // And names of the leading interface's export, once.
    await anna.page.getByText('Names from a Safe Wallet export').click()
    const names = anna.page.locator('[data-bring-names]')
    const data = { addressBook: { [safe.chainId]: { [to]: 'Studio Ligne', [bruno.address]: 'x'.repeat(61) } } }
    const file = { name: 'export.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ data })) }
    await names.getByLabel('Safe Wallet data export').setInputFiles(file)
    await names.getByText('New names: 1. Already written: 0. Not usable: 1.').waitFor()
    await names.getByRole('button', { name: 'Import names' }).click()
    await names.getByText('Names written: 1.').waitFor()
    await names.getByText('New names: 0. Already written: 1.').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])

    // And Safes that were added there: each is read from the chain, and what is none is named.
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
    await added.getByLabel('Safe Wallet data export').setInputFiles({ ...file, buffer })
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

describe('messages of another service', () => {
  test('default: brought with the signatures that verify; one that the server cannot keep stops no other; twice changes nothing', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    /** As the service answers it, signed by Bruno, or in his name. */
    const answered = async (text: string, signer = bruno) => {
      const hashed = { ...safe, content: { encoding: 'EIP191_TEXT', text } } as const
      const messageHash = hashSafeMessage(hashed).safeMessageHash
      const signature = await signer.signTypedData(safeMessageTypedData(hashed))
      const confirmations = [{ owner: bruno.address, signature }]
      return { safe: safe.safeAddress, messageHash, message: text, proposedBy: bruno.address, confirmations }
    }
    const kept = await answered('Hello from there')
    const messages = [await answered('a\u0000b'), await answered('Of a stranger', stranger), kept]
    const served = JSON.stringify([...messages, { ...kept, message: 'Changed' }, { ...kept, safe: to }])
    await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'settings')}`)
    const form = anna.page.locator('[data-bring-messages]')
    anna.watch.expect(/404 .*MESSAGE_NOT_FOUND/)
    anna.watch.expect(/400 .*INVALID_REQUEST/)
    anna.watch.expect(/422 .*SIGNATURE_NOT_FROM_OWNER/)
    const bring = async () => {
      await anna.page.getByText('Messages from a Safe Transaction Service').click()
      const file = { name: 'messages.json', mimeType: 'application/json', buffer: Buffer.from(served) }
      await form.locator('input[type="file"]').setInputFiles(file)
      await form.getByText('3 messages found.').waitFor()
      await form.locator('[data-left-out="other-hash"]').waitFor()
      await form.locator('[data-left-out="other-safe"]').waitFor()
      await form.getByRole('button', { name: 'Import messages' }).click()
    }
    await bring()
    await form.getByText('New messages: 1. New confirmations: 1.').waitFor()
    expect(await form.getByText('U+0000').count()).toBe(1)
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.reload()
    await bring()
    await form.getByText('New messages: 0. New confirmations: 0.').waitFor()
  })
})

describe('a signature that was made elsewhere', () => {
  test('default: said whose it is and of what kind, imported, and executed with; others are refused by name', async () => {
    const safe = await scene.newSafe()
    const { anna, safeTxHash } = await annaAt(safe)
    const { script, safeTx } = await fieldsOf(safe, safeTxHash)
    await field(anna).fill('0x12 not hex')
    await anna.page.getByText('Not valid hex.').waitFor()
    await field(anna).fill('0x1234')
    await problem(anna, 'malformed').waitFor()
    await field(anna).fill(await signSafeTx(stranger, safe, safeTx))
    await problem(anna, 'not-owner').locator(`[data-address="${stranger.address}"]`).waitFor()
    // An owner's signature, but for the proposal beside this one.
    const other = await proposeByScript(script, safe, { to, value: 2n, nonce: 0n })
    await anna.page.reload()
    await tickAll(anna.page)
    await anna.page.locator('[data-import="offered"] summary').click()
    if (!other.safeTx) throw new Error('its fields are not known')
    await field(anna).fill(await signSafeTx(bruno, safe, other.safeTx))
    await problem(anna, 'other-hash').locator(`[data-address="${bruno.address}"]`).waitFor()
    await problem(anna, 'other-hash').locator(`[data-hash="${other.safeTxHash}"]`).waitFor()
    expect(await importButton(anna).isDisabled()).toBe(true)
    expect(await faultsOf(anna.page)).toEqual([])

    // As it comes out of a terminal: wrapped, without its 0x.
    const signature = await signSafeTx(bruno, safe, safeTx)
    await field(anna).fill(`${signature.slice(2, 70)}\n${signature.slice(70)}`)
    await anna.page.locator(`[data-imported="${bruno.address}"][data-kind="EOA"]`).waitFor()
    expect(await faultsOf(anna.page)).toEqual([])

    // Other fields under the same hash once it was reviewed: it is asked for again, and nothing leaves.
    const sent: string[] = []
    anna.page.on('request', (request) => void (/\/confirmations$/.test(request.url()) && sent.push(request.url())))
    const served = `**/api/chains/*/transactions/${safeTxHash}`
    await anna.page.route(served, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.transaction.safeTx.value = '7'
      await route.fulfill({ response, json: body })
    })
    await importButton(anna).click()
    await anna.page.locator('[data-verdict="do-not-sign"]').first().waitFor()
    expect(sent).toEqual([])
    await anna.page.unroute(served)
    await anna.page.reload()
    await tickAll(anna.page)
    await anna.page.locator('[data-import="offered"] summary').click()
    await field(anna).fill(signature)

    await importButton(anna).click()
    await anna.page.getByText('Confirmation saved.').waitFor()
    await statusText(anna.page, '2 of 2 confirmations').waitFor()
    expect(sent).toHaveLength(1)
    await field(anna).fill(signature)
    await problem(anna, 'confirmed').waitFor()
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()
    expect(await field(anna).count()).toBe(0)
  })

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
