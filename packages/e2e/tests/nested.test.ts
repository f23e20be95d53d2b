import { deploySafe, testContracts } from '@countersign/devnet'
import { safeAbi, writeSafeTxFile } from '@countersign/safe'
import { cowSettlement, hashCowOrder, parseCowOrder } from '@countersign/safe/calls'
import type { Route } from 'playwright-core'
import {
  type Address,
  concat,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
  toHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  type Owner,
  openTransaction,
  propose,
  safeTxHashOf,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readTransaction,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let child: Address
let parent: Address
let anna: Owner
let bruno: Owner
let script: ScriptOwner

beforeAll(async () => {
  scene = await startScene()
  const { rpcUrl, chainId } = scene
  const deploy = (owners: Address[], saltNonce: bigint) =>
    deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce })
  child = await deploy([team.anna.address, team.bruno.address], BigInt(Date.now()))
  parent = await deploy([child, team.bruno.address], BigInt(Date.now()) + 1n)
  await sendAs(team.relayer.privateKey, rpcUrl, { to: parent, value: parseEther('5') })
  script = await signInByScript(scene.product.url, team.bruno.privateKey, chainId)
  await addSafeByScript(script, parent)
  ;[anna, bruno] = await Promise.all([scene.owner(team.anna.privateKey), scene.owner(team.bruno.privateKey)])
  await Promise.all([comeBack(anna), comeBack(bruno)])
})
afterAll(() => scene?.close())

const parentFile = async (hash: Hex) => {
  const { chainId, safeAddress, safeTx } = await readTransaction(script, hash)
  if (!safeTx) throw new Error('its fields are not known')
  return writeSafeTxFile({ chainId, safeAddress, safeTx })
}

describe('a Safe that is an owner of another Safe', () => {
  test('behavior: approves a transaction there, which every owner has read, and it is executed', async () => {
    await addSafe(bruno, child)
    await addSafe(bruno, parent)
    const payment = await propose(bruno, parent, { to: team.stranger.address, amount: '0.5' })

    // From the parent's page to the approval in the child, with what it approves read and shown.
    await bruno.page.locator(`[data-approve-as="${child}"] a`).click()
    const shown = bruno.page.locator(`[data-nested="${payment}"]`)
    await shown.getByText('Send 0.5').first().waitFor()
    expect(await shown.getAttribute('data-nested-verdict')).toBe('matches')
    await bruno.page
      .getByText(/Approve a transaction of .*: Send 0\.5/)
      .first()
      .waitFor()
    await tickAll(bruno.page)
    await bruno.page.getByRole('button', { name: 'Sign and propose' }).click()
    const approval = await safeTxHashOf(bruno.page)

    // Anna owns the child alone: the server does not show her what the hash stands for.
    anna.watch.expect(/^response: 404 \S+( (TRANSACTION|MESSAGE)_NOT_FOUND)?$/)
    await addSafe(anna, child)
    await openTransaction(anna, child, approval)
    await anna.page.locator('[data-finding="NESTED-APPROVE"][data-severity="critical"]').waitFor()
    expect(await confirmButton(anna.page).count()).toBe(0)
    const form = anna.page.locator(`[data-give-approved="${payment}"]`)
    const give = async (text: string) => {
      await form.getByLabel('Transaction as JSON, or the message').fill(text)
      await form.getByRole('button', { name: 'Read it' }).click()
    }
    const file = await parentFile(payment)
    await give(file.replace(team.stranger.address, team.relayer.address))
    await form.getByText('The hash of the ten fields is').waitFor()
    expect(await confirmButton(anna.page).count()).toBe(0)
    await give(file)
    await anna.page.locator(`[data-nested="${payment}"][data-nested-verdict="matches"]`).waitFor()
    await tickAll(anna.page)
    await confirmButton(anna.page).click()
    await anna.page.locator('[data-confirmations="2"]').waitFor()
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()

    // The approval counts in the parent.
    await openTransaction(bruno, parent, payment)
    await bruno.page.locator('[data-confirmations="2"]').waitFor()
    expect(await bruno.page.locator('[data-approve-as]').count()).toBe(0)
    await executeButton(bruno.page).click()
    await statusText(bruno.page, 'The chain shows it as executed.').waitFor()
  })

  test('behavior: a server that serves another transaction for the hash, before and after it was read', async () => {
    const { chainId } = scene
    const place = { chainId, version: '1.4.1' } as const
    const theft = await proposeByScript(
      script,
      { ...place, safeAddress: parent },
      { to: team.relayer.address, value: parseEther('4'), nonce: 1n },
    )
    const annaByScript = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    await addSafeByScript(annaByScript, child)
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [theft.safeTxHash] })
    const proposed = await proposeByScript(
      annaByScript,
      { ...place, safeAddress: child },
      { to: parent, data, nonce: 1n },
    )
    const pattern = new RegExp(`/api/chains/\\d+/transactions/${theft.safeTxHash}$`)
    let changed = 0
    const lie = async (route: Route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.transaction.safeTx.to = team.stranger.address
      body.transaction.safeTx.value = '1'
      changed += 1
      await route.fulfill({ response, json: body })
    }
    const signatures = () => bruno.wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4').length

    await openTransaction(bruno, child, proposed.safeTxHash)
    const nested = bruno.page.locator(`[data-nested="${theft.safeTxHash}"]`)
    await nested.getByText('Send 4').first().waitFor()
    // Facts of two Safes come in; what is to be answered is there once the button says so.
    await bruno.page.locator('[data-confirm="acknowledge"], [data-confirm="offered"]').first().waitFor()
    await tickAll(bruno.page)
    await bruno.page.locator('[data-confirm="offered"]').waitFor()
    const before = signatures()
    await bruno.page.route(pattern, lie)
    await confirmButton(bruno.page).click()
    // The refusal goes once the page itself has read what the server now serves: then the finding is there.
    const finding = bruno.page.locator('[data-finding="NESTED-APPROVE"][data-severity="critical"]')
    await bruno.page.getByText('The review finds').or(finding).first().waitFor()
    expect(signatures()).toBe(before)
    expect(changed).toBeGreaterThan(0)

    await openTransaction(bruno, child, proposed.safeTxHash)
    await finding.waitFor()
    expect(await nested.count()).toBe(0)
    expect(await confirmButton(bruno.page).count()).toBe(0)
    await bruno.page.unroute(pattern, lie)
  })
})

describe('an order of CoW Protocol that is signed by its uid', () => {
  test('behavior: opens once its owner gives the order that hashes to it, and names its terms', async () => {
    const { chainId, rpcUrl } = scene
    // Takes every call and does nothing with it.
    await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setCode({
      address: cowSettlement,
      bytecode: '0x0000',
    })
    const safe = await scene.newSafe()
    const byBruno = await signInByScript(scene.product.url, team.bruno.privateKey, chainId)
    await addSafeByScript(byBruno, safe.safeAddress)
    const token = testContracts.erc20.address
    const order = JSON.stringify({
      sellToken: token,
      buyToken: token,
      receiver: null,
      sellAmount: '5',
      buyAmount: '1250000000',
      kind: 'sell',
      validTo: 1_999_999_999,
      appData: zeroHash,
      feeAmount: '0',
      partiallyFillable: false,
    })
    const digest = hashCowOrder(parseCowOrder(order), chainId)
    const uid = concat([digest, safe.safeAddress, toHex(1_999_999_999, { size: 4 })])
    const abi = parseAbi(['function setPreSignature(bytes orderUid, bool signed)'])
    const data = encodeFunctionData({ abi, args: [uid, true] })
    const { safeTxHash } = await proposeByScript(byBruno, safe, { to: cowSettlement, data, nonce: 0n })
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await anna.page.locator('[data-verdict="do-not-sign"]').first().waitFor()
    expect(await confirmButton(anna.page).count()).toBe(0)
    const form = anna.page.locator(`[data-give-approved="${digest}"]`)
    const give = async (text: string) => {
      await form.getByLabel('Order as JSON').fill(text)
      await form.getByRole('button', { name: 'Read order' }).click()
    }
    await give(order.replace('1250000000', '9950000000'))
    await form.getByText(digest).nth(1).waitFor()
    expect(await confirmButton(anna.page).count()).toBe(0)
    await give(order)
    await anna.page.locator('[data-verdict="matches-with-warnings"]').first().waitFor()
    expect(await anna.page.locator('[data-demand="ORDER-SIGN"]').textContent()).toContain('1,250 TUSD')
    await tickAll(anna.page)
    await confirmButton(anna.page).click()
    await anna.page.locator('[data-confirmations="2"]').waitFor()
  })
})
