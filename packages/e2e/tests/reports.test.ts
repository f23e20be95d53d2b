import { readFile } from 'node:fs/promises'
import { call, confirmTransaction, proposeTransaction } from '@countersign/contract'
import { type Effects, effectsTypedData } from '@countersign/review'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  demand,
  fillProposal,
  names,
  openEvidence,
  openTransaction,
  safePath,
  safeTxHashOf,
  statusText,
  tick,
  tickAll,
} from '../src/people/owner.ts'
import { proposeByScript, signInByScript, signSafeTx } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const payment = { to: team.stranger.address, value: 1n, nonce: 0n }

describe('what each owner saw', () => {
  test('default: the page of an owner reports it, and the others read it as that owner’s claim', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const { safeTxHash } = await proposeByScript(anna, safe, payment)
    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = bruno
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict]').waitFor()
    await openEvidence(page, 'What each owner saw')
    const ofAnna = page.locator(`[data-reports="${team.anna.address}"]`)
    await ofAnna.getByText('No report', { exact: true }).waitFor()
    await confirmButton(page).click()
    await statusText(page, '2 of 2 confirmations').waitFor()
    const ofBruno = page.locator(`[data-reports="${team.bruno.address}"] [data-reported="matches"]`)
    expect(await ofBruno.textContent()).toMatch(/Saw “Matches”\s*at block \d+\s*facts proved/)
    await ofAnna.getByText('No report', { exact: true }).waitFor()

    await page.goto(`${bruno.url}${safePath(bruno.chainId, safe.safeAddress)}/activity`)
    await page.locator('[data-verb="confirmed"] [data-reported="matches"]').waitFor()
    await page.getByText(/entries on this page match their hashes/).waitFor()
    // A report that the server makes up is not what the hash covers.
    await page.route(/\/activity\?/, async (route) => {
      const served = await (await route.fetch()).text()
      await route.fulfill({ body: served.replace('"verdict":"matches"', '"verdict":"do-not-sign"') })
    })
    await page.reload()
    await page.getByText('This log was altered').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: a claim changes no verdict, and hostile words stay words', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const scripted = await signInByScript(scene.product.url, team.bruno.privateKey, scene.chainId)
    const { safeTxHash } = await proposeByScript(anna, safe, payment)
    await call(scripted.options, confirmTransaction, {
      chainId: scene.chainId,
      safeTxHash,
      signature: await signSafeTx(scripted.account, safe, newSafeTx(payment)),
      reviewed: {
        verdict: 'do-not-sign',
        policyVersion: 9,
        block: 1,
        grade: 'proved',
        findings: [{ id: 'NO-SUCH-FINDING', severity: 'critical', evidence: '<img src=x onerror=alert(1)> ” {words}' }],
        acknowledgements: [],
        leftOut: 7,
      },
    })
    const reader = await scene.owner(team.anna.privateKey)
    const { page } = reader
    await comeBack(reader)
    await openTransaction(reader, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await openEvidence(page, 'What each owner saw')
    const claim = page.locator('[data-reported="do-not-sign"]')
    await claim.getByText('1 finding on that page').click()
    await claim.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('[data-reports] img[src="x"]').count()).toBe(0)
  })
})

describe('declared effects', () => {
  test('default: the proposer signs what to expect, and the page of a co-signer finds the same', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    await addSafe(anna, safe.safeAddress)
    await fillProposal(anna, safe.safeAddress, { to: team.stranger.address, amount: '0.000001' })
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    await anna.page.getByRole('checkbox', { name: /Declare these changes/ }).check()
    await anna.page.locator('[data-attach-effects="on"]').waitFor()
    await tickAll(anna.page)
    await anna.page.getByRole('button', { name: names.propose, exact: true }).click()
    const hash = await safeTxHashOf(anna.page)
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, hash)
    await bruno.page.locator('[data-finding="EFFECTS-AGREE"]').waitFor({ state: 'attached' })
  })

  test('behavior: what the proposer declared and the bytes do not do is named on the page of a co-signer, line by line', async () => {
    const safe = await scene.newSafe()
    const { chainId, safeAddress } = safe
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const safeTx = newSafeTx({ ...payment, value: 2_000n })
    const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
    // She says half of what is paid, and an account that gets nothing.
    const move = { token: zeroAddress, tokenId: null, amount: 1_000n }
    const effects: Effects = {
      covers: ['native', 'tokens', 'approvals'],
      assets: [
        { ...move, account: safeAddress, isOut: true },
        { ...move, account: team.relayer.address, isOut: false },
      ],
      approvals: [],
      slots: [],
    }
    const signature = await anna.account.signTypedData(effectsTypedData({ chainId, safeAddress, safeTxHash }, effects))
    await call(anna.options, proposeTransaction, {
      chainId,
      safeAddress,
      safeTx,
      safeTxHash,
      sender: team.anna.address,
      signature: await signSafeTx(anna.account, safe, safeTx),
      declaredEffects: { ...effects, version: 1, author: team.anna.address, signature },
    })

    const bruno = await scene.owner(team.bruno.privateKey)
    const { page } = bruno
    await comeBack(bruno)
    await openTransaction(bruno, safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches-with-warnings"]').first().waitFor()
    const differ = page.locator('[data-finding="EFFECTS-DIFFER"]').first()
    await differ.waitFor()
    const words = (await differ.textContent())?.toLowerCase()
    const line = (account: string, amount: string) => `${account}: ${amount} native`.toLowerCase()
    for (const [account, declared, real] of [
      [safeAddress, '-1000', '-2000'],
      [team.relayer.address, '+1000', ''],
      [team.stranger.address, '', '+2000'],
    ] as const) {
      if (declared) expect(words).toContain(line(account, declared))
      if (real) expect(words).toContain(line(account, real))
    }
    // It is asked beside the button, and signed only with an answer.
    await demand(page, 'EFFECTS-DIFFER').getByText(team.anna.address).waitFor()
    expect(await confirmButton(page).isEnabled()).toBe(false)
    await tick(page, 'EFFECTS-DIFFER')
    await confirmButton(page).click()
    await statusText(page, '2 of 2 confirmations').waitFor()
  })

  test('behavior: both files that are downloaded can be declared again, of this transaction alone', async () => {
    const safe = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    const { page } = anna
    const { safeTxHash } = await proposeByScript(
      await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId),
      safe,
      { ...payment, value: 1_000_000_000_000n },
    )
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    await openEvidence(page, 'Expected changes')
    await page.getByText(`${safe.safeAddress}: −0.000001 ETH`).waitFor()
    const files: { name: string; mimeType: string; buffer: Buffer }[] = []
    for (const label of ['Download JSON', 'Download Markdown']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: label, exact: true }).click(),
      ])
      const buffer = await readFile(await download.path())
      files.push({ name: download.suggestedFilename(), mimeType: 'text/plain', buffer })
    }
    const attached = (state: 'on' | 'off') => page.locator(`[data-attach-effects="${state}"]`)
    for (const [file, amount] of files.flatMap((path) => [[path, '0.000001'] as const, [path, '0.000002'] as const])) {
      await fillProposal(anna, safe.safeAddress, { to: team.stranger.address, amount })
      await page.getByLabel('Nonce', { exact: true }).fill('0')
      await page.getByRole('button', { name: names.review, exact: true }).click()
      await attached('off').locator('input[type="file"]').setInputFiles(file)
      // Markdown holds slots alone.
      if (amount === '0.000001')
        await attached('on')
          .getByText(/ 0x0{63}5: /)
          .waitFor()
      else await attached('off').getByRole('alert').waitFor()
    }
    expect(files.map(({ name }) => name.split('.').at(-1))).toEqual(['json', 'md'])
  })
})
