import { approvePolicy, call, getPolicy, proposePolicy } from '@countersign/contract'
import { hashPolicy, nextPolicy, parsePolicy, policyTypedData, type TeamPolicy, writePolicy } from '@countersign/review'
import { encodeSignatures, newSafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, confirmButton, type Owner, openTransaction, safePath, sectionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: ScriptOwner
let bruno: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
})
afterAll(() => scene?.close())
afterEach(() => bruno?.watch.assertNone())

const place = () => ({ chainId: safe.chainId, safeAddress: safe.safeAddress })
const page = () => `${bruno.url}${safePath(safe.chainId, safe.safeAddress)}/team/policy`
const policyApi = /\/review-lists\?.*policy/
const verdictIs = (word: string) => bruno.page.locator(`[data-verdict="${word}"]`).first().waitFor()

async function proposeByAnna(policy: TeamPolicy): Promise<Hex> {
  const signature = await anna.account.signTypedData(policyTypedData(policy))
  await call(anna.options, proposePolicy, { ...place(), policy: writePolicy(policy), signature })
  return hashPolicy(policy)
}

describe('the policy of a team', () => {
  test('behavior: proposed by one owner and approved by another in the page, it stops what it restricts', async () => {
    const known = team.relayer.address
    const { safeTxHash: toStranger } = await proposeByScript(anna, safe, {
      to: team.stranger.address,
      value: 1n,
      nonce: 0n,
    })
    const { safeTxHash: toKnown } = await proposeByScript(anna, safe, { to: known, value: 1n, nonce: 1n })
    await bruno.page.goto(page())
    await bruno.page.getByText('No policy yet').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])
    const policy = { ...nextPolicy(place(), null), recipientsOnly: true, recipients: [known], reason: 'Payees only' }
    const hash = await proposeByAnna(policy)
    await bruno.page.locator('[data-proposed="1"]').getByText('“Payees only”').waitFor()
    await bruno.page.getByText(`+ Known recipient ${known}`).waitFor()
    await bruno.page.getByRole('button', { name: 'Approve version 1' }).click()
    await bruno.page.locator('[data-in-force="1"]').locator(`[data-hash="${hash}"]`).waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])

    await openTransaction(bruno, safe.safeAddress, toStranger)
    await verdictIs('do-not-sign')
    await bruno.page.getByText('Breaks a restriction of the team’s policy').first().waitFor()
    expect(await confirmButton(bruno.page).count()).toBe(0)
    await openTransaction(bruno, safe.safeAddress, toKnown)
    await bruno.page.locator('[data-verdict^="matches"]').first().waitFor()

    // Lists say of both what their pages say.
    await bruno.page.goto(`${bruno.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    await bruno.page.locator('[data-nonce="0"] [data-listed-verdict="do-not-sign"]').waitFor()
    await bruno.page.locator('[data-nonce="1"] [data-listed-verdict^="matches"]').waitFor()
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}/signatures`)
    await bruno.page.locator(`[data-alive="${toStranger}"] [data-verdict="do-not-sign"]`).waitFor()
    await bruno.page.locator(`[data-alive="${toKnown}"] [data-verdict^="matches"]`).waitFor()
    await bruno.page.goto(bruno.url)
    const entry = bruno.page.locator(`[data-safe="${safe.safeAddress}"]`)
    await entry.locator('[data-waiting-verdict="do-not-sign"]').waitFor()
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}/activity`)
    const approved = bruno.page.locator('[data-verb="approved-policy"] dt')
    await approved.first().waitFor()
    expect(await approved.allTextContents()).toEqual(['Version', 'Approvals', 'Policy hash'])
  })

  test('behavior: an owner proposes the next version with the form', async () => {
    await bruno.page.goto(page())
    await bruno.page
      .locator('[data-policy-form]')
      .getByRole('checkbox', { name: /No unknown code/ })
      .check()
    await bruno.page.getByRole('button', { name: 'Propose version 2' }).click()
    await bruno.page
      .locator('[data-proposed="2"]')
      .getByText('+ Only batches and allowed entries may run as the Safe')
      .waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])
    const { proposed } = await call(anna.options, getPolicy, place())
    if (!proposed) throw new Error('Bruno proposed a version.')
    const policy = { ...JSON.parse(proposed.policy) }
    expect(policy).toMatchObject({ number: 2, noDelegatecall: true, recipientsOnly: true })
  })

  test('behavior: a server that hides it, or brings an older version back, is found out', async () => {
    const served = await call(anna.options, getPolicy, place())
    const { proposed } = served
    if (!proposed || !served.inForce) throw new Error('There are two versions.')
    const { policy: text, hash: policyHash } = proposed
    const signature = await anna.account.signTypedData(policyTypedData(parsePolicy(text)))
    await call(anna.options, approvePolicy, { ...place(), policyHash, signature })
    await bruno.page.goto(page())
    await bruno.page.locator('[data-in-force="2"]').waitFor()
    const { safeTxHash } = await proposeByScript(anna, safe, { to: team.relayer.address, value: 1n, nonce: 2n })
    for (const lie of [
      { inForce: null, proposed: null },
      { inForce: served.inForce, proposed: null },
    ]) {
      await bruno.page.route(policyApi, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), policy: lie } })
      })
      await openTransaction(bruno, safe.safeAddress, safeTxHash)
      await bruno.page.getByText('The team’s policy is missing or was rolled back').first().waitFor()
      await verdictIs('do-not-sign')
      expect(await confirmButton(bruno.page).count()).toBe(0)
      await bruno.page.goto(page())
      await bruno.page.getByText('The policy is missing or was rolled back').waitFor()
      await bruno.page.unroute(policyApi)
    }
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator('[data-verdict^="matches"]').first().waitFor()
  })

  test('behavior: the first one reaches a queue that is open, and is missed where the server says that there is none', async () => {
    const other = await scene.newSafe()
    await addSafeByScript(anna, other.safeAddress)
    const at = { chainId: other.chainId, safeAddress: other.safeAddress }
    const toStranger = { to: team.stranger.address, value: 1n, nonce: 0n }
    const { safeTxHash } = await proposeByScript(anna, other, toStranger)
    await bruno.page.goto(`${bruno.url}${sectionPath(other.chainId, other.safeAddress, 'queue')}`)
    await bruno.page.locator('[data-nonce="0"] [data-listed-verdict^="matches"]').waitFor()
    const policy = { ...nextPolicy(at, null), recipientsOnly: true, recipients: [team.relayer.address] }
    const [policyHash, data] = [hashPolicy(policy), policyTypedData(policy)]
    const first = await anna.account.signTypedData(data)
    await call(anna.options, proposePolicy, { ...at, policy: writePolicy(policy), signature: first })
    const brunoByScript = await signInByScript(scene.product.url, team.bruno.privateKey, other.chainId)
    const signature = await brunoByScript.account.signTypedData(data)
    await call(brunoByScript.options, approvePolicy, { ...at, policyHash, signature })
    await bruno.page.locator('[data-nonce="0"] [data-listed-verdict="do-not-sign"]').waitFor()

    const safeApi = /\/api\/chains\/\d+\/safes\/0x[0-9a-fA-F]{40}$/
    await bruno.page.route(safeApi, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), hasPolicy: false } })
    })
    await openTransaction(bruno, other.safeAddress, safeTxHash)
    await bruno.page.getByText('The team’s policy is missing or was rolled back').first().waitFor()
    await verdictIs('do-not-sign')
    expect(await confirmButton(bruno.page).count()).toBe(0)
    await bruno.page.unroute(safeApi)
  })

  test('behavior: meters say how much of a limit is used, and find out a server that says less than it returns', async () => {
    const limited = await scene.newSafe()
    await addSafeByScript(anna, limited.safeAddress)
    const at = { chainId: limited.chainId, safeAddress: limited.safeAddress }
    const amountLimits = [{ asset: zeroAddress, amount: parseEther('4'), period: 30 * 86_400 }]
    const policy = { ...nextPolicy(at, null), amountLimits }
    const [policyHash, data] = [hashPolicy(policy), policyTypedData(policy)]
    const first = await anna.account.signTypedData(data)
    await call(anna.options, proposePolicy, { ...at, policy: writePolicy(policy), signature: first })
    const brunoByScript = await signInByScript(scene.product.url, team.bruno.privateKey, limited.chainId)
    const signature = await brunoByScript.account.signTypedData(data)
    await call(brunoByScript.options, approvePolicy, { ...at, policyHash, signature })
    await proposeByScript(anna, limited, { to: team.relayer.address, value: parseEther('1'), nonce: 0n })
    const meters = `${bruno.url}${safePath(limited.chainId, limited.safeAddress)}/team/policy`
    await bruno.page.goto(meters)
    const meter = bruno.page.locator(`[data-meter="${zeroAddress}"]`)
    await meter.getByText('3 ETH left of 4 ETH').waitFor()
    await meter.getByText('This browser computes 1 ETH of that from 1 transaction').waitFor()
    expect(await meter.getAttribute('data-percent')).toBe('25')
    expect(await faultsOf(bruno.page)).toEqual([])

    const sums = /\/policy\/spent/
    const spent = [{ asset: zeroAddress, period: 30 * 86_400, executed: '0', queued: '0' }]
    await bruno.page.route(sums, (route) => route.fulfill({ json: { spent } }))
    await bruno.page.goto(meters)
    await meter.getByText('returns transactions that move more').waitFor()
    await meter.getByText('3 ETH left of 4 ETH').waitFor()
    await bruno.page.unroute(sums)
  })

  test('behavior: a server that hides what was executed frees no limit: the page reads it from the chain', async () => {
    const limited = await scene.newSafe()
    await addSafeByScript(anna, limited.safeAddress)
    const at = { chainId: limited.chainId, safeAddress: limited.safeAddress }
    const amountLimits = [{ asset: zeroAddress, amount: parseEther('2'), period: 86_400 }]
    const policy = { ...nextPolicy(at, null), amountLimits }
    const [policyHash, data] = [hashPolicy(policy), policyTypedData(policy)]
    const brunoByScript = await signInByScript(scene.product.url, team.bruno.privateKey, limited.chainId)
    // Paid before there is a policy.
    const to = team.relayer.address
    const safeTx = newSafeTx({ to, value: parseEther('1.5'), nonce: 0n })
    const signed = await Promise.all(
      [anna, brunoByScript].map(async ({ account }) => ({
        owner: account.address,
        signature: await signSafeTx(account, limited, safeTx),
      })),
    )
    const execution = encodeExecTransaction(safeTx, encodeSignatures(signed))
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: limited.safeAddress, data: execution })
    const first = await anna.account.signTypedData(data)
    const signature = await brunoByScript.account.signTypedData(data)

    const { safeTxHash } = await proposeByScript(anna, limited, { to, value: parseEther('1'), nonce: 1n })
    await call(anna.options, proposePolicy, { ...at, policy: writePolicy(policy), signature: first })
    await call(brunoByScript.options, approvePolicy, { ...at, policyHash, signature })
    const sums = /\/policy\/spent/
    const spent = [{ asset: zeroAddress, period: 86_400, executed: '0', queued: '0' }]
    await bruno.page.route(sums, (route) => route.fulfill({ json: { spent } }))
    await openTransaction(bruno, limited.safeAddress, safeTxHash)
    await bruno.page.locator('[data-verdict="do-not-sign"]').first().waitFor()
    await bruno.page.locator('[data-finding="POLICY-BROKEN"]').first().waitFor()
    await bruno.page.goto(`${bruno.url}${safePath(limited.chainId, limited.safeAddress)}/team/policy`)
    await bruno.page.getByText('Executed in the period, as the chain says: 1.5 ETH.').waitFor()
    await bruno.page.unroute(sums)
  })
})
