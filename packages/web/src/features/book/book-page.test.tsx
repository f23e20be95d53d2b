import { nameAddress } from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeEventSource } from '../../test/browser-stubs.ts'
import { type FakeBrowser, fill, findPart, press, pressButton, startBrowser, team } from '../../test/open-page.ts'
import { expectGone, expectWords, openFold } from '../../test/review-page.ts'
import { startTreasury, type Treasury } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const to = team.stranger.address
const other = team.relayer.address

async function openAs(account: typeof team.anna, section: string): Promise<void> {
  await browser.comeBack(account)
  await browser.open(treasury.path(section))
}

async function reviewPayment(): Promise<void> {
  await openAs(team.bruno, '/new')
  await fill('Recipient', to)
  await fill('Amount', '0.5')
  await pressButton('Review')
  await findPart('[data-verdict]')
}

describe('names', () => {
  test('default: saved by one owner, a name reaches the other, and is quoted in the review', async () => {
    await openAs(team.anna, '/book')
    await expectWords('No names yet')
    await fill('Address', to)
    await fill('Name', 'Payroll')
    await pressButton('Save name')
    expect((await findPart(`[data-named="${to}"]`)).textContent).toContain('Payroll')

    await reviewPayment()
    await expectWords('“Payroll” (named by owner 1)')
    // The name is from the other owner, so the account is still new to this one.
    await findPart('[data-finding="ADDR-NEW"]')
  })

  test('behavior: another owner sees a name without reloading, and removes it after a second click', async () => {
    await openAs(team.bruno, '/book')
    await expectWords('No names yet')
    await treasury.name(to, 'Payroll')
    const { chainId, safeAddress } = treasury.safe
    FakeEventSource.tell({ kind: 'team', chainId, safeAddress })
    await findPart(`[data-named="${to}"]`)
    await pressButton('Remove Payroll')
    expect(treasury.names).toHaveLength(1)
    await pressButton('Remove')
    await expectWords('No names yet')
  })

  test('behavior: the link to the import of names opens the import in the settings', async () => {
    await openAs(team.anna, '/book')
    press(await screen.findByRole('link', { name: 'Import names from a Safe Wallet export or a CSV' }))
    const part = within(await findPart('[data-bring-names]'))
    part.getByLabelText('Safe Wallet data export, or its address book as CSV')
    expect((await findPart('#import-names')).closest('details')?.open).toBe(true)
  })

  test.each(['Pay\u202eroll', 'Pay\u200broll', 'x'.repeat(10_000)])('behavior: “%s” is refused', async (odd) => {
    await openAs(team.anna, '/book')
    await fill('Address', other)
    await fill('Name', odd)
    await pressButton('Save name')
    await waitFor(() =>
      expect(document.querySelector('main [role="alert"], main [aria-invalid="true"]')).not.toBeNull(),
    )
    expect(treasury.names).toEqual([])
  })

  test('behavior: a name that looks like another is marked, in the book and in a review', async () => {
    await treasury.name(to, 'Payroll')
    await openAs(team.anna, '/book')
    await fill('Address', other)
    await fill('Name', 'P\u0430yroll')
    await pressButton('Save name')
    for (const named of [to, other]) await findPart(`[data-named="${named}"] [data-confused]`)
    await reviewPayment()
    await findPart('[data-confused]')
    await openAs(team.anna, '/book')
    await pressButton('Remove P\u0430yroll')
    await pressButton('Remove')
    await expectGone(`[data-named="${other}"]`)
    await expectGone('[data-confused]')
    expect(browser.server.asked(nameAddress)).toHaveLength(1)
  })
})

describe('ABIs', () => {
  test('behavior: an ABI that cannot be parsed is refused; one that can shows its functions', async () => {
    const wallet = await browser.comeBack(team.anna)
    await browser.open(treasury.path('/book'))
    await fill('Contract', other)
    await fill('Contract name', 'Poker')
    await fill('ABI (JSON)', '{}')
    await pressButton('Save ABI')
    await expectWords('The ABI cannot be read')
    // The wallet was not asked, nor the server.
    expect(wallet.requests.filter(({ method }) => method.startsWith('eth_signTypedData'))).toEqual([])
    expect(treasury.abis).toEqual([])
    const abi = [{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }]
    await fill('ABI (JSON)', JSON.stringify(abi))
    await pressButton('Save ABI')
    await openFold('1 function')
    await expectWords('poke(uint256 id)')
  })
})
