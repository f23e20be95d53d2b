import { call, proposePolicy } from '@countersign/contract'
import { hashPolicy, nextPolicy, policyTypedData, type TeamPolicy, writePolicy } from '@countersign/review'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { comeBack, confirmButton, type Owner, openTransaction, safePath, sectionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
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
})
