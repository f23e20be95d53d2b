import { type Alarm, acknowledgeAlarm, deleteTransaction, listAlarms, proposeTransaction } from '@countersign/contract'
import { newSafeTx } from '@countersign/safe'
import { screen, waitFor, within } from '@testing-library/react'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  choose,
  type FakeBrowser,
  fill,
  findPart,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { expectGone, expectWords, findButton, pressEnabled, tickAllAndPress } from '../../test/review-page.ts'
import { startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const to = team.stranger.address

async function openAsAnna(path: string) {
  await browser.comeBack(team.anna)
  await browser.open(path)
}

async function pressInstead(name: string): Promise<void> {
  await findPart('[data-verdict]')
  press(await screen.findByRole('link', { name }))
}

/** Signs the reviewed transaction. @returns the request to the server */
async function signReviewed() {
  const before = browser.server.asked(proposeTransaction).length
  await tickAllAndPress('Sign and propose')
  await waitFor(() => expect(browser.server.asked(proposeTransaction)).toHaveLength(before + 1))
  const sent = browser.server.asked(proposeTransaction).at(-1)
  if (!sent) throw new Error('Nothing was proposed.')
  return sent
}

const nonce = () => screen.findByLabelText<HTMLInputElement>('Nonce', { selector: 'input' })

describe('alternatives to a proposal', () => {
  test('behavior: another is proposed in its place, with the same nonce', async () => {
    const first = await treasury.propose({ to, value: parseEther('1') })
    await openAsAnna(treasury.transactionPath(first))
    await pressInstead('Propose a replacement')
    await fill('Recipient', to)
    await fill('Amount', '2')
    await pressButton('Review')
    const { safeTx, safeTxHash } = await signReviewed()
    expect(safeTx).toMatchObject({ nonce: 0n, value: parseEther('2') })
    expect(safeTxHash).not.toBe(first.safeTxHash)
  })

  test('behavior: it can be proposed again at the next free nonce, and not at its own', async () => {
    const first = await treasury.propose({ to, value: parseEther('1') })
    await openAsAnna(treasury.transactionPath(first))
    await pressInstead('Propose at another nonce')
    await expectWords('If both are executed, everything in it happens twice.')
    expect((await nonce()).value).toBe('1')
    await fill('Nonce', '0')
    await expectWords('It waits at nonce 0 already.')
    await fill('Nonce', '1')
    await pressButton('Review')
    expect((await signReviewed()).safeTx).toEqual({ ...first.safeTx, nonce: 1n })
  })

  test('behavior: it is cancelled by an empty call; once that is executed, its nonce is used', async () => {
    const first = await treasury.propose({ to, value: parseEther('1') })
    await openAsAnna(treasury.transactionPath(first))
    await pressInstead('Propose a cancellation')
    await screen.findByRole('heading', { name: 'Cancel the transaction with nonce 0' })
    const { safeTx, safeTxHash } = await signReviewed()
    expect(safeTx).toEqual(newSafeTx({ to: treasury.safe.safeAddress, nonce: 0n }))
    await browser.open(treasury.transactionPath(first))
    await expectWords('A cancellation with this nonce is already proposed')
    const cancellation = treasury.transactions.find((one) => one.safeTxHash === safeTxHash)
    if (!cancellation) throw new Error('The server keeps no cancellation.')
    await treasury.confirm(cancellation, team.bruno)
    await browser.open(treasury.transactionPath(cancellation))
    await tickAllAndPress('Execute')
    await expectWords('The chain shows it as executed.')
    await browser.open(treasury.transactionPath(first))
    await expectWords('This nonce is already used')
    expect(findButton('Confirm')?.disabled ?? true).toBe(true)
  })

  test('behavior: its proposer deletes it, after a second click', async () => {
    const transaction = await treasury.propose({ to, value: parseEther('1') })
    await openAsAnna(treasury.transactionPath(transaction))
    await pressEnabled('Delete the proposal')
    expect(browser.server.asked(deleteTransaction)).toEqual([])
    await pressEnabled('Delete')
    await waitFor(() => expect(location.pathname).toBe(treasury.path('/queue')))
    const { chainId } = treasury.safe
    expect(browser.server.asked(deleteTransaction)).toEqual([{ chainId, safeTxHash: transaction.safeTxHash }])
  })

  test('behavior: only its proposer can delete it', async () => {
    const transaction = await treasury.propose({ to }, team.bruno)
    await openAsAnna(treasury.transactionPath(transaction))
    await screen.findByRole('link', { name: 'Propose a cancellation' })
    expect(findButton('Delete the proposal')).toBeNull()
  })
})

describe('a call with raw data', () => {
  test('behavior: is reviewed like any other call, and proposed unchanged', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 0n] })
    await openAsAnna(treasury.path('/new'))
    await choose('Type', 'call')
    await fill('Contract', token.address)
    await fill('Data', '0x123')
    await pressButton('Review')
    await expectWords('Not valid call data.')
    await fill('Data', data)
    await pressButton('Review')
    expect((await signReviewed()).safeTx).toMatchObject({ to: token.address, data, value: 0n, operation: 0 })
  })
})

describe('a signature for another transaction', () => {
  test('behavior: is an alarm for the owners until one marks it as discussed', async () => {
    const { safeTxHash: signedHash } = await treasury.propose({ to, value: 1n }, team.bruno)
    const { safeTxHash: otherSafeTxHash } = await treasury.propose({ to, value: 2n }, team.bruno)
    const alarm: Alarm = {
      id: '1',
      at: new Date().toISOString(),
      signedHash,
      signature: '0x12',
      submittedBy: team.bruno.address,
      signer: team.bruno.address,
      otherSafeTxHash,
      code: 'SIGNATURE_NOT_FROM_OWNER',
      acknowledgedBy: null,
      acknowledgedAt: null,
    }
    let alarms = [alarm]
    browser.server.answer(listAlarms, () => ({ alarms }))
    browser.server.answer(acknowledgeAlarm, () => {
      alarms = []
      return { ...alarm, acknowledgedBy: team.anna.address, acknowledgedAt: alarm.at }
    })
    treasury.servedNow = () => ({ hasAlarms: alarms.length > 0 })
    await openAsAnna(treasury.path('/queue'))
    const shown = await findPart('[data-alarm]')
    expect(shown.textContent).toContain('A signature was made for another transaction')
    expect(shown.querySelector(`[data-hash="${otherSafeTxHash}"]`)).not.toBeNull()
    press(within(shown).getByRole('button', { name: 'Mark as discussed' }))
    await expectGone('[data-alarm]')
  })
})

describe('another order of the queue', () => {
  test('behavior: two change places, each by a new proposal at the nonce of the other', async () => {
    const before = await treasury.propose({ to, value: 1n })
    const behind = await treasury.propose({ to, value: 2n })
    await openAsAnna(treasury.transactionPath(before))
    await pressInstead('Propose at another nonce')
    await choose('Change places with', behind.safeTxHash)
    expect((await nonce()).value).toBe('1')
    await pressButton('Review')
    expect((await signReviewed()).safeTx).toMatchObject({ nonce: 1n, value: 1n })
    await expectWords('This is the second half')
    expect((await nonce()).value).toBe('0')
    await pressButton('Review')
    expect((await signReviewed()).safeTx).toMatchObject({ nonce: 0n, value: 2n })
  })
})
