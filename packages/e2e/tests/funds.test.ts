import { deployFeeToken, deployHostileToken, requestNode } from '@countersign/devnet'
import { type Address, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  executeButton,
  fillProposal,
  names,
  type Owner,
  openTransaction,
  statusText,
} from '../src/people/owner.ts'
import { confirmByScript, proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { fundTokens, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  await fundTokens(scene, safe.safeAddress)
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const to = team.stranger.address
const warning = () => anna.page.getByRole('main').getByRole('status').filter({ hasText: 'The Safe holds only' })

async function review(): Promise<void> {
  await anna.page.getByRole('button', { name: names.review, exact: true }).click()
  await anna.page.locator('[data-verdict]').waitFor()
}

describe('more than the Safe holds', () => {
  test('default: what it holds is sent without a warning', async () => {
    await fillProposal(anna, safe.safeAddress, { to, amount: '1' })
    await review()
    await statusText(anna.page, 'Matches').waitFor()
    expect(await anna.page.locator('[data-finding="BALANCE-EXCEEDED"]').count()).toBe(0)
  })

  test('behavior: it is said beside the amount, and by the review with both amounts', async () => {
    await fillProposal(anna, safe.safeAddress, { to, amount: '999999999' })
    await warning().waitFor()
    expect(await warning().textContent()).toContain('The Safe holds only 5 ETH: 999,999,994 ETH too little.')
    await review()
    await statusText(anna.page, 'Matches, 1 warning').waitFor()
    const finding = anna.page.locator('[data-finding="BALANCE-EXCEEDED"]')
    expect(await finding.locator('[data-evidence="needed"]').textContent()).toContain('999,999,999 ETH')
    expect(await finding.locator('[data-evidence="held"]').textContent()).toContain('5 ETH')
    expect(await finding.textContent()).toContain('Sends more than the Safe holds')
  })

  test('behavior: the same for a token, in its unit', async () => {
    await fillProposal(anna, safe.safeAddress, { asset: 'TUSD', to, amount: '5000000' })
    await warning().waitFor()
    expect(await warning().textContent()).toContain('TUSD')
    await review()
    await statusText(anna.page, 'Matches, 1 warning').waitFor()
    const finding = anna.page.locator('[data-finding="BALANCE-EXCEEDED"]')
    expect(await finding.locator('[data-evidence="needed"]').textContent()).toContain('5,000,000 TUSD')
  })
})

describe('who executes without the fee', () => {
  const hold = async (amount: bigint) => {
    await requestNode(scene.rpcUrl, 'anvil_setBalance', team.anna.address, toHex(amount))
    await requestNode(scene.rpcUrl, 'evm_mine')
  }

  test('behavior: is told how much is missing before anything is sent, and no more once it is there', async () => {
    const [one, other] = await Promise.all(
      [team.anna, team.bruno].map(({ privateKey }) => signInByScript(scene.product.url, privateKey, safe.chainId)),
    )
    if (!one || !other) throw new Error('nobody is signed in')
    const { safeTxHash } = await proposeByScript(one, safe, { to, value: 1n, nonce: 0n })
    await confirmByScript(other, safe, safeTxHash)
    const short = anna.page
      .locator('[data-execution]')
      .getByRole('status')
      .filter({ hasText: /too little/ })
    await hold(1_000n)
    try {
      await openTransaction(anna, safe.safeAddress, safeTxHash)
      await executeButton(anna.page).waitFor()
      await short
        .getByText(/holds 0.000000000000001 ETH: \S+ ETH too little\. Send it some first, or let another/)
        .waitFor()
      expect(anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([])
    } finally {
      await hold(parseEther('100'))
    }
    // The page asks again by itself.
    await expect.poll(() => short.count()).toBe(0)
    await anna.page.getByText(/Network fee: about .*holds 100 ETH/).waitFor()
    // A node wants the highest fee to be there, however little is paid in the end.
    await anna.page.getByText('Fees and account nonce', { exact: true }).click()
    const fill = (label: string, value: string) => anna.page.getByLabel(label, { exact: true }).fill(value)
    await fill('Gas limit', '1000000')
    await fill('Highest fee for each unit of gas', '100001')
    await short.getByText(/must hold 100\.001 ETH, and it holds 100 ETH: 0\.001 ETH too little/).waitFor()
    await fill('Highest fee for each unit of gas', '99999')
    await expect.poll(() => short.count()).toBe(0)
  })
})

describe('a token that is not what it says', () => {
  const pay = async (token: Address, amount: string) => {
    const { page } = anna
    await fillProposal(anna, safe.safeAddress, { to, amount })
    await page.getByLabel(names.asset, { exact: true }).selectOption('other')
    await page.getByLabel('Token address', { exact: true }).fill(token)
  }

  test('behavior: with decimals that nobody can mean, nothing is composed', async () => {
    await pay(await deployHostileToken(scene.rpcUrl, team.relayer.address, 'has 255 decimals'), '1')
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    await anna.page.getByText('There is no ERC-20 token at this address').waitFor()
    expect(await anna.page.locator('[data-propose]').getAttribute('data-propose')).toBe('edit')
  })

  test('behavior: one that reverts is said to fail before anybody signs', async () => {
    await pay(await deployHostileToken(scene.rpcUrl, team.relayer.address, 'has its texts in one word'), '1')
    await review()
    await anna.page.locator('[data-finding="SIM-REVERT"]').waitFor()
  })

  test('behavior: one that takes a fee is said to bring less than the call says', async () => {
    const token = await deployFeeToken(scene.rpcUrl, team.relayer.address)
    await pay(token, '20')
    await anna.page.getByText('The contract claims to be “Toll” (TOLL) with 2 decimals.').waitFor()
    await review()
    const finding = anna.page.locator('[data-finding="TOKEN-FEE"]')
    expect(await finding.locator('[data-evidence="said"]').textContent()).toMatch(/2,?000 base units/)
    expect(await finding.locator('[data-evidence="amount"]').textContent()).toMatch(/1,?800 base units/)
  })
})
