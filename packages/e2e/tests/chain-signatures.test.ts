import { call, confirmTransaction } from '@countersign/contract'
import { deploySafe } from '@countersign/devnet'
import {
  encodeContractSignature,
  encodeSignatures,
  nestedContentForSafeTx,
  safeMessageTypedData,
} from '@countersign/safe'
import { type Address, encodeFunctionData, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  executeButton,
  type Owner,
  openTransaction,
  propose,
  statusText,
} from '../src/people/owner.ts'
import { readTransaction, type ScriptOwner, signInByScript } from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let anna: Owner
let script: ScriptOwner
let salt = BigInt(Date.now())
beforeAll(async () => {
  scene = await startScene()
  anna = await scene.owner(team.anna.privateKey)
  script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  await comeBack(anna)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const to = team.stranger.address
const approvals = parseAbi(['function approveHash(bytes32 hash)'])
const bruno = privateKeyToAccount(team.bruno.privateKey)

async function deploy(owners: Address[], threshold: number): Promise<Address> {
  salt += 1n
  const { rpcUrl, chainId } = scene
  return deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold, saltNonce: salt })
}

describe('confirmations that only the chain can tell of', () => {
  test('behavior: a hash that an owner approved on the chain counts, and is executed with', async () => {
    const { safeAddress } = await scene.newSafe()
    await addSafe(anna, safeAddress)
    const safeTxHash = await propose(anna, safeAddress, { to, amount: '0.001' })
    const approval = { abi: approvals, functionName: 'approveHash', args: [safeTxHash] } as const
    await sendAs(team.bruno.privateKey, scene.rpcUrl, { to: safeAddress, data: encodeFunctionData(approval) })
    await anna.page.locator('[data-confirmations="2"]').waitFor()
    const { confirmations } = await readTransaction(script, safeTxHash)
    expect(confirmations.find(({ owner }) => owner === bruno.address)?.signatureType).toBe('APPROVED_HASH')
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()
  })

  test('behavior: the page approves on the chain, after the same review, where a wallet cannot sign', async () => {
    const { safeAddress } = await scene.newSafe()
    const brunoOwner = await scene.owner(team.bruno.privateKey)
    await addSafe(anna, safeAddress)
    const safeTxHash = await propose(anna, safeAddress, { to, amount: '0.001' })
    await comeBack(brunoOwner)
    await openTransaction(brunoOwner, safeAddress, safeTxHash)
    await brunoOwner.page.getByText('Confirm on the chain instead').click()
    await brunoOwner.page.getByRole('button', { name: 'Approve on the chain' }).click()
    await statusText(brunoOwner.page, 'You have confirmed this transaction.').waitFor()
    const { confirmations } = await readTransaction(script, safeTxHash)
    expect(confirmations.find(({ owner }) => owner === bruno.address)?.signatureType).toBe('APPROVED_HASH')
    await executeButton(brunoOwner.page).click()
    await statusText(brunoOwner.page, 'The chain shows it as executed.').waitFor()
  })

  test('behavior: an owner that is a Safe confirms with its owner’s signature; the page asks it, and it is executed', async () => {
    const nested = await deploy([bruno.address], 1)
    const safeAddress = await deploy([team.anna.address, nested], 2)
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safeAddress, value: parseEther('1') })
    await addSafe(anna, safeAddress)
    const safeTxHash = await propose(anna, safeAddress, { to, amount: '0.001' })
    const { safeTx } = await readTransaction(script, safeTxHash)
    if (!safeTx) throw new Error('its fields are not known')
    const { chainId } = scene
    const content = nestedContentForSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx })
    const signed = await bruno.signTypedData(
      safeMessageTypedData({ chainId, safeAddress: nested, version: '1.4.1', content }),
    )
    const signature = encodeSignatures([{ owner: nested, signature: encodeContractSignature(nested, signed) }])
    await call(script.options, confirmTransaction, { chainId, safeTxHash, signature, isImported: true })

    // The node says nothing of the owner's contract at first, so nobody can run it: that is no verdict for ever.
    const isAsked = new RegExp(`"${nested}"`, 'i')
    const rpc = '**/api/chains/*/rpc'
    await anna.page.route(rpc, async (route) => {
      const batch: { id: number }[] = route.request().postDataJSON()
      if (!batch.some((request) => isAsked.test(JSON.stringify(request)))) return route.continue()
      const error = { code: -32_000, message: 'busy' }
      await route.fulfill({ json: batch.map(({ id }) => ({ jsonrpc: '2.0', id, error })) })
    })
    await openTransaction(anna, safeAddress, safeTxHash)
    await anna.page.locator('[data-verdict="cannot-verify"]').waitFor()
    await anna.page.unroute(rpc)
    await anna.page.locator('[data-verdict="matches"]').waitFor()
    await executeButton(anna.page).click()
    await statusText(anna.page, 'The chain shows it as executed.').waitFor()
  })
})
