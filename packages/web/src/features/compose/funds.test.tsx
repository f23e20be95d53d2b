import { deployFeeToken, deployHostileToken, requestNode } from '@countersign/devnet'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type Address, numberToHex, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  choose,
  expectStatus,
  type FakeBrowser,
  fill,
  findPart,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { expectButton, expectGone, expectVerdict, expectWords, openFold } from '../../test/review-page.ts'
import { mint, startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const to = team.stranger.address
const evidence = (finding: string, name: string) =>
  document.querySelector(`[data-finding="${finding}"] [data-evidence="${name}"]`)?.textContent

async function fillForm(amount: string, asset?: string): Promise<void> {
  await browser.comeBack(team.anna)
  await browser.open(treasury.path('/new'))
  await expectStatus({ connection: 'connected' })
  if (asset) {
    await screen.findByLabelText('Asset', { selector: 'select' })
    await waitFor(() => expect(document.querySelector(`option[value="${asset}"]`)).not.toBeNull())
    await choose('Asset', asset)
  }
  await fill('Recipient', to)
  await fill('Amount', amount)
}

const warning = (words: string) =>
  waitFor(() => {
    const statuses = [...document.querySelectorAll('main [role="status"]')].map(({ textContent }) => textContent)
    expect(statuses).toContainEqual(expect.stringContaining(words))
  })

describe('more than the Safe holds', () => {
  test('default: its whole balance is sent without a warning', async () => {
    await fillForm('1')
    await pressButton('Review')
    await expectVerdict('matches')
    expect(document.querySelector('[data-finding="BALANCE-EXCEEDED"]')).toBeNull()
  })

  test('behavior: a warning is next to the amount, and the review shows both amounts', async () => {
    await fillForm('999999999')
    await warning('The Safe holds only 5 ETH: 999,999,994 ETH too little.')
    await pressButton('Review')
    await expectWords('Matches, 1 warning')
    const finding = await findPart('[data-finding="BALANCE-EXCEEDED"]')
    expect(evidence('BALANCE-EXCEEDED', 'needed')).toContain('999,999,999 ETH')
    expect(evidence('BALANCE-EXCEEDED', 'held')).toContain('5 ETH')
    expect(finding.textContent).toContain('Sends more than the Safe holds')
  })

  test('behavior: the same for a token, in its unit', async () => {
    await mint(treasury.safe.safeAddress, 1_000_000_000n)
    await fillForm('5000000', token.address)
    await warning('The Safe holds only 1,000 TUSD')
    await pressButton('Review')
    await expectWords('Matches, 1 warning')
    expect(evidence('BALANCE-EXCEEDED', 'needed')).toContain('5,000,000 TUSD')
  })
})

describe('an executor who cannot pay the fee', () => {
  // No other test has Carla pay.
  const { carla } = team
  const hold = async (amount: bigint) => {
    await requestNode(inject('rpcUrl'), 'anvil_setBalance', carla.address, numberToHex(amount))
    await requestNode(inject('rpcUrl'), 'evm_mine')
  }
  const short = () => document.querySelector('[data-execution]')?.textContent ?? ''

  test('behavior: sees how much is missing before anything is sent, until the account has enough', async () => {
    treasury = await startTreasury(browser.server, { owners: [carla.address, team.bruno.address] })
    const transaction = await treasury.propose({ to, value: 1n }, carla)
    await treasury.confirm(transaction, team.bruno)
    const wallet = await browser.comeBack(carla)
    await hold(1_000n)
    try {
      await browser.open(treasury.transactionPath(transaction))
      await waitFor(() =>
        expect(short()).toMatch(/holds 0.000000000000001 ETH: \S+ ETH too little\. Send it some first, or let another/),
      )
      expect(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([])
    } finally {
      await hold(parseEther('100'))
    }
    // The page asks again automatically.
    await waitFor(() => expect(short()).not.toContain('too little'))
    await expectWords(/Network fee: about .*holds 100 ETH/)
    // A node requires a balance for the maximum fee, even if less is paid in the end.
    await openFold('Fees and account nonce')
    const fillFee = async (label: string, value: string) =>
      fireEvent.change(await screen.findByLabelText(label), { target: { value } })
    await fillFee('Gas limit', '1000000')
    await fillFee('Highest fee for each unit of gas', '100001')
    await waitFor(() => expect(short()).toMatch(/must hold 100\.001 ETH, and it holds 100 ETH: 0\.001 ETH too little/))
    await fillFee('Highest fee for each unit of gas', '99999')
    await waitFor(() => expect(short()).not.toContain('too little'))
    await expectButton('Execute', 'enabled')
  })
})

describe('a token that does not behave as it claims', () => {
  const pay = async (address: Address, amount: string) => {
    await fillForm(amount)
    await choose('Asset', 'other')
    await fill('Token address', address)
  }
  const hostile = (manner: Parameters<typeof deployHostileToken>[2]) =>
    deployHostileToken(inject('rpcUrl'), team.relayer.address, manner)

  test('behavior: with impossible decimals, nothing is composed', async () => {
    await pay(await hostile('has 255 decimals'), '1')
    await pressButton('Review')
    await expectWords('There is no ERC-20 token at this address')
    expect(document.querySelector('[data-propose]')?.getAttribute('data-propose')).toBe('edit')
  })

  test('behavior: a revert is reported before anyone signs', async () => {
    await pay(await hostile('has its texts in one word'), '1')
    await pressButton('Review')
    await findPart('[data-finding="SIM-REVERT"]')
  })

  test('behavior: a transfer fee is reported, because less moves than the call states', async () => {
    await pay(await deployFeeToken(inject('rpcUrl'), team.relayer.address), '20')
    await expectWords('The contract claims to be “Toll” (TOLL) with 2 decimals.')
    await pressButton('Review')
    await findPart('[data-finding="TOKEN-FEE"]')
    expect(evidence('TOKEN-FEE', 'said')).toMatch(/2,?000 base units/)
    expect(evidence('TOKEN-FEE', 'amount')).toMatch(/1,?800 base units/)
    await expectGone('[data-propose="edit"]')
  })
})
