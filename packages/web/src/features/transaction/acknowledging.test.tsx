import { confirmTransaction, proposeTransaction } from '@countersign/contract'
import { requestNode } from '@countersign/devnet'
import { safeAbi } from '@countersign/safe'
import { fireEvent, waitFor } from '@testing-library/react'
import { encodeFunctionData, encodeFunctionResult, erc20Abi, keccak256, maxUint256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  expectAccessible,
  type FakeBrowser,
  fill,
  findPart,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import {
  demand,
  expectButton,
  expectVerdict,
  expectWords,
  findButton,
  pressEnabled,
  tick,
  typeChange,
} from '../../test/review-page.ts'
import { startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const spender = team.stranger.address
const unlimited = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
const lower = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })

const checkbox = async (finding: string) =>
  (await demand(finding)).querySelector<HTMLInputElement>('input[type=checkbox]') as HTMLInputElement

describe('a high finding', () => {
  test('default: each owner ticks it next to Confirm; then Execute is possible', async () => {
    const transaction = await treasury.propose({ to: token.address, data: unlimited })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    expect((await expectVerdict('matches-with-warnings')).querySelector('h2')?.textContent).toMatch(
      /^Matches, \d+ warnings?$/,
    )
    const sentence = (await demand('APPROVE-UNLIMITED')).textContent ?? ''
    expect(sentence.replaceAll(/\s/g, '').toLowerCase()).toContain(spender.slice(2).toLowerCase())
    expect(sentence).toContain('unlimited')
    await findPart('[data-confirm="acknowledge"]')
    await expectButton('Confirm', 'disabled')
    await expectAccessible()

    await tick('APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expectButton('Confirm', 'enabled')
    // Unticking one answer disables it again, and a reload keeps the answers.
    fireEvent.click(await checkbox('APPROVE-EOA'))
    await expectButton('Confirm', 'disabled')
    await browser.open(treasury.transactionPath(transaction))
    await findPart('[data-confirm="acknowledge"]')
    expect((await checkbox('APPROVE-UNLIMITED')).checked).toBe(true)
    await tick('APPROVE-EOA')
    await pressEnabled('Confirm')
    await findPart('[data-confirm="done"]')
    // The other owners see the ticked sentences as this owner's claim.
    const [{ reviewed } = { reviewed: undefined }] = browser.server.asked(confirmTransaction)
    expect(reviewed?.verdict).toBe('matches-with-warnings')
    expect(reviewed?.acknowledgements).toHaveLength(2)
    expect(JSON.stringify(reviewed?.acknowledgements)).toContain(`${spender} may take all TUSD`)
    await tick('APPROVE-UNLIMITED', 'APPROVE-EOA')
    await pressEnabled('Execute')
    await expectWords('The chain shows it as executed.')
    const args = [treasury.safe.safeAddress, spender] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    expect(await callNode({ to: token.address, data })).toBe(numberToHex(maxUint256))
  })

  test('behavior: answers to one transaction do not count for another', async () => {
    const first = await treasury.propose({ to: token.address, data: unlimited })
    const second = await treasury.propose({ to: token.address, data: unlimited })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(first))
    await tick('APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expectButton('Confirm', 'enabled')
    await browser.open(treasury.transactionPath(second))
    await findPart('[data-confirm="acknowledge"]')
    await expectButton('Confirm', 'disabled')
  })

  test('error: REVIEW_NOT_ACKNOWLEDGED, when a finding appears between the page and the wallet', async () => {
    const transaction = await treasury.propose({ to: token.address, data: unlimited })
    const wallet = await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await tick('APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expectButton('Confirm', 'enabled')
    const other = keccak256('0x01')
    const signature = await privateKeyToAccount(team.anna.privateKey).sign({ hash: other })
    treasury.others.push({
      safeTxHash: other,
      nonce: 0n,
      isCancellation: false,
      confirmations: [{ owner: team.anna.address, signature }],
      formerConfirmations: [],
    })
    await pressEnabled('Confirm')
    await expectWords('REVIEW_NOT_ACKNOWLEDGED')
    await expectWords('NONCE-CONFLICT')
    expect(wallet.requests.filter(({ method }) => method.startsWith('eth_signTypedData'))).toEqual([])
  })
})

describe('a power that owners may grant on purpose', () => {
  test('default: the owner types the change and a reason; then it is executed', async () => {
    const { safeAddress } = treasury.safe
    const transaction = await treasury.propose({ to: safeAddress, data: lower })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('do-not-sign')
    await typeChange('THRESHOLD-DOWN', '2')
    await expectAccessible()
    await tick('THRESHOLD-ONE')
    await expectButton('Confirm', 'disabled')
    await typeChange('THRESHOLD-DOWN', '1', '..')
    await expectButton('Confirm', 'disabled')
    await typeChange('THRESHOLD-DOWN', '1')
    await pressEnabled('Confirm')
    await findPart('[data-confirm="done"]')
    await pressEnabled('Execute')
    await expectWords('The chain shows it as executed.')
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' })
    const one = encodeFunctionResult({ abi: safeAbi, functionName: 'getThreshold', result: 1n })
    expect(await callNode({ to: safeAddress, data })).toBe(one)
  })
})

describe('a proposal', () => {
  test('behavior: its proposer also answers before signing', async () => {
    await browser.comeBack(team.anna)
    await browser.open(treasury.path('/new'))
    await fill('Recipient', spender)
    await fill('Amount', '4.9')
    await pressButton('Review')
    await findPart('[data-confirm="acknowledge"]')
    await expectButton('Sign and propose', 'disabled')
    expect((await demand('VALUE-DRAIN')).textContent).toContain('4.9')
    await tick('VALUE-DRAIN')
    await pressEnabled('Sign and propose')
    await waitFor(() => expect(browser.server.asked(proposeTransaction)).toHaveLength(1))
  })
})

describe('a finding that no answer overrides', () => {
  test('behavior: unknown code that runs as the Safe has no button', async () => {
    const transaction = await treasury.propose({ to: token.address, data: '0xdeadbeef', operation: 1 })
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('do-not-sign')
    expect(findButton('Confirm')).toBeNull()
    expect(document.querySelector('[data-demand]')).toBeNull()
  })
})

describe('a verdict', () => {
  test('behavior: is the same in the queue, on the page and in My Safes', async () => {
    const expected = {
      matches: await treasury.propose({ to: spender, value: 1n }),
      'matches-with-warnings': await treasury.propose({ to: token.address, data: unlimited }),
      'cannot-verify': await treasury.propose({ to: token.address, data: '0xdeadbeef' }),
      'do-not-sign': await treasury.propose({ to: treasury.safe.safeAddress, data: lower }),
    } as const
    await browser.comeBack(team.bruno)
    await browser.open(treasury.path('/queue'))
    for (const verdict of Object.keys(expected)) await findPart(`[data-listed-verdict="${verdict}"]`)
    await browser.open('/')
    const entry = `[data-safe="${treasury.safe.safeAddress}"]`
    for (const verdict of ['matches-with-warnings', 'cannot-verify', 'do-not-sign'])
      await findPart(`${entry} [data-waiting-verdict="${verdict}"]`)
    for (const verdict of ['matches', 'matches-with-warnings', 'cannot-verify', 'do-not-sign'] as const) {
      await browser.open(treasury.transactionPath(expected[verdict]))
      await expectVerdict(verdict)
    }
  })
})

function callNode(call: { to: string; data: string }): Promise<unknown> {
  return requestNode(inject('rpcUrl'), 'eth_call', call, 'latest')
}
