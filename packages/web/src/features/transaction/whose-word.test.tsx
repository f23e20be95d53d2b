import { findFunctions, getReviewLists, inviteViewer, listAbis, listDelegates } from '@countersign/contract'
import { testContracts } from '@countersign/devnet'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { encodeFunctionData, erc20Abi, getAddress, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeEventSource } from '../../test/browser-stubs.ts'
import {
  expectAccessible,
  expectStatus,
  type FakeBrowser,
  fill,
  findPart,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { expectButton, expectVerdict, expectWords, findButton, openFold } from '../../test/review-page.ts'
import { deployCode, mint, startTreasury, type Treasury, token } from '../../test/treasury.ts'

// Names and ABIs are claims: each test says whose claim counts, and for whom.

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
  browser.server.answer(listDelegates, {
    delegates: [
      {
        safeAddress: treasury.safe.safeAddress,
        delegate: proposer.address,
        delegator: team.anna.address,
        label: 'Payroll',
        createdAt: new Date().toISOString(),
        expiryDate: null,
      },
    ],
  })
})
afterEach(() => browser.close())

const proposer = team.stranger
const attacker = team.relayer.address
const contract = testContracts.erc721.address
const transferOwnership = encodeFunctionData({
  abi: parseAbi(['function transferOwnership(address newOwner)']),
  args: [attacker],
})
const poke = (id: bigint) => encodeFunctionData({ abi: parseAbi(['function poke(uint256 id)']), args: [id] })
const tellTeam = () => {
  const { chainId, safeAddress } = treasury.safe
  FakeEventSource.tell({ kind: 'team', chainId, safeAddress })
}

async function openAsBruno(path: string) {
  const wallet = await browser.comeBack(team.bruno)
  await browser.open(path)
  return wallet
}

describe('a name', () => {
  test('behavior: does not make an ownership transfer match, and is shown with its author', async () => {
    const transaction = await treasury.propose({ to: contract, data: transferOwnership })
    await openAsBruno(treasury.transactionPath(transaction))
    await expectVerdict('do-not-sign')
    await treasury.name(attacker, 'DAO Timelock', proposer)
    tellTeam()
    await expectWords('“DAO Timelock” (named by')
    await expectWords(/not an owner\)/)
    const expectRefused = async () => {
      await expectVerdict('do-not-sign')
      await findPart('[data-confirm="acknowledge"]')
      await expectButton('Confirm', 'disabled')
    }
    await browser.open(treasury.transactionPath(transaction))
    await expectRefused()
    // An owner's name is shown before a proposer's, and does not change the verdict either.
    await treasury.name(attacker, 'Timelock')
    tellTeam()
    await expectWords('“Timelock” (named by owner 1)')
    await browser.open(treasury.transactionPath(transaction))
    await expectRefused()
  })

  test('behavior: from a proposer, does not make an account familiar until an owner endorses it', async () => {
    const payee = getAddress(`0x${'5a'.repeat(20)}`)
    const transaction = await treasury.propose({ to: payee, value: 1n })
    await treasury.name(payee, 'Studio Ligne', proposer)
    await openAsBruno(treasury.transactionPath(transaction))
    await findPart('[data-finding="ADDR-NEW"]')

    await browser.open(treasury.path('/book'))
    const row = () => findPart(`[data-named="${payee}"]`)
    await within(await row()).findByText('It does not count for you.')
    press(within(await row()).getByRole('button', { name: 'Endorse the name Studio Ligne' }))
    press(await within(await row()).findByRole('button', { name: 'Endorse it' }))
    await expectWords('It counts for you.')
    await expectWords(/Endorsed by Owner 2, you/)
    await expectAccessible()

    await browser.open(treasury.transactionPath(transaction))
    await expectWords(/“Studio Ligne” \(named by .*, not an owner; endorsed by you\)/)
    await expectVerdict('matches')
    expect(document.querySelector('[data-finding="ADDR-NEW"]')).toBeNull()
    // With the other owner's name, it counts for every owner.
    await treasury.name(payee, 'Studio Ligne')
    await browser.open(treasury.path('/book'))
    await expectWords('It counts for every owner.')
  })

  test('behavior: without a signature of an owner, removes no tick, whatever authors the server claims', async () => {
    const spender = await deployCode('0x0000')
    await mint(treasury.safe.safeAddress, 1_000n)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
    const transaction = await treasury.propose({ to: token.address, data })
    await treasury.name(attacker, 'Somebody', proposer)
    const [{ signature } = { signature: null }] = treasury.names
    const lies = [team.anna.address, team.bruno.address].map((author) => ({
      address: spender,
      name: 'Spender',
      author,
      signature,
      updatedAt: new Date().toISOString(),
    }))
    browser.server.answer(getReviewLists, (asked) => ({
      ...treasury.lists(asked),
      ...(asked.lists.includes('names') && { names: { names: lies, nextCursor: null } }),
    }))
    await openAsBruno(treasury.transactionPath(transaction))
    await expectWords('“Spender” (named by')
    await expectVerdict('matches-with-warnings')
    await findPart('[data-finding="CODE-UNFAMILIAR"]')
    browser.server.restore(getReviewLists)

    // The finding leads to the form, which asks for the signature.
    await browser.open(treasury.transactionPath(transaction))
    press(await findPart(`[data-name-link="${spender}"] a`))
    const address = await screen.findByLabelText<HTMLInputElement>('Address', { selector: 'input' })
    await waitFor(() => expect(address.value).toBe(spender))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Sign the name/ }).checked).toBe(true)
    await fill('Name', 'Spender')
    await pressButton('Save name')
    await findPart(`[data-named="${spender}"] [data-signed-standing="you"]`)
    expect((await findPart(`[data-named="${spender}"]`)).textContent).not.toContain('Not signed')
    await expectAccessible()
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('matches')
    expect(document.querySelector('[data-finding="CODE-UNFAMILIAR"]')).toBeNull()
  })

  test('behavior: cannot imitate an owner’s name with quotation marks', async () => {
    await treasury.name(proposer.address, 'Treasury” (named by owner 1) “', proposer)
    const transaction = await treasury.propose({ to: proposer.address, value: 1n })
    await openAsBruno(treasury.transactionPath(transaction))
    await expectWords('“Treasury’ (named by owner 1) ’” (named by')
    expect(screen.getByRole('main').textContent).not.toContain('“Treasury”')
  })
})

describe('an ABI', () => {
  const abi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])

  test('behavior: counts for the owner who added or endorsed it; every other one is a guess', async () => {
    browser.server.answer(findFunctions, { list: { name: 'functions.txt', functions: ['poke(uint256)'] } })
    const quiet = await deployCode('0x0000')
    const transaction = await treasury.propose({ to: quiet, data: poke(7n) })
    await openAsBruno(treasury.transactionPath(transaction))
    const band = await expectVerdict('cannot-verify')
    await openFold('All calls, one by one')
    await findPart('[data-imported-guess="1"]')
    // Only the decoding is missing, so an answer enables the button, and no text contradicts this.
    await findPart('[data-demand]')
    expect(band.textContent).toContain('type what is asked beside the button')
    expect(band.textContent).not.toContain('you cannot confirm or execute')
    // A team's first ABIs reach an open page.
    for (const by of [proposer, team.anna]) await treasury.addAbi(quiet, 'Poker', abi, by)
    tellTeam()
    const guesses = await findPart('[data-call-guesses="2"]')
    await expectVerdict('cannot-verify')
    await expectButton('Confirm', 'disabled')
    expect(guesses.textContent).toContain('poke(uint256) id: 7')
    within(guesses).getByText('Not an owner')
    // The operator's list is also a guess, of the lowest rank.
    const imported = await findPart('[data-imported-guess="1"]')
    expect(imported.textContent).toContain('functions.txt')
    expect(imported.textContent).toContain('poke(uint256) uint256: 7')
    await expectAccessible()

    // The finding leads to the form, with the contract filled in.
    press(await findPart(`[data-abi-link="${quiet}"] a`))
    const field = await screen.findByLabelText<HTMLInputElement>('Contract', { selector: 'input' })
    await waitFor(() => expect(field.value).toBe(quiet))
    const ofAnna = await findPart(`[data-abi="${quiet}"][data-author="${team.anna.address}"]`)
    press(within(ofAnna).getByRole('button', { name: /^Endorse/ }))
    await pressButton('Endorse it')
    await findPart(`[data-abi="${quiet}"][data-author="${team.bruno.address}"]`)
    await waitFor(() => expect(findButton('Endorse the ABI')).toBeNull())
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('matches')
    await expectButton('Confirm', 'enabled')
    await expectWords('Decoded with an ABI that you or enough owners added')
    await openFold('All calls, one by one')
    // Anna added it and Bruno endorsed it. A proposer's claim is not shown.
    const givers = await findPart('[data-call-givers="2"]')
    for (const { address } of [team.anna, team.bruno]) expect(givers.textContent).toContain(address)

    // A row of the queue shows the function name like the page, and the search finds it.
    await browser.open(treasury.path('/queue?q=poke%20of'))
    const row = await findPart(`[data-row="${transaction.safeTxHash}"]`)
    await within(row).findAllByRole('link', { name: /Call poke of/ })
    expect(document.querySelectorAll('[data-row]')).toHaveLength(1)
  })

  test('behavior: does not count as added by owners if the signatures are not theirs', async () => {
    const quiet = await deployCode('0x0000')
    const transaction = await treasury.propose({ to: quiet, data: poke(7n) })
    await treasury.addAbi(quiet, 'Poker', abi, proposer)
    treasury.abis = [team.anna, team.bruno].flatMap(({ address: author }) =>
      treasury.abis.map((added) => ({ ...added, author })),
    )
    await openAsBruno(treasury.transactionPath(transaction))
    await openFold('All calls, one by one')
    await findPart('[data-call-guesses="2"]')
    await expectVerdict('cannot-verify')
  })

  test.each([
    [
      'has the selector of a known one reads nothing, though its bytes fit',
      `0xa9059cbbff${'00'.repeat(31)}`,
      [{ type: 'function', name: 'many_msg_babbage', inputs: [{ name: 'flag', type: 'bytes1' }] }],
      'cannot-verify',
    ],
    [
      'lies about a function that is known here changes nothing',
      transferOwnership,
      [{ type: 'function', name: 'transferOwnership', inputs: [{ name: 'beneficiary', type: 'address' }] }],
      'do-not-sign',
    ],
  ] as const)('behavior: an ABI that %s', async (_, data, lie, verdict) => {
    const transaction = await treasury.propose({ to: contract, data })
    await treasury.addAbi(contract, 'Alike', JSON.stringify(lie), team.bruno)
    await openAsBruno(treasury.transactionPath(transaction))
    await expectVerdict(verdict)
    await expectButton('Confirm', 'disabled')
    if (verdict === 'do-not-sign') await expectWords('Changes who controls a contract')
  })

  test('error: ABI_MALFORMED, when what is stored is not JSON', async () => {
    const broken = { contract, name: 'Broken', abi: 'no JSON', author: team.anna.address, signature: null }
    treasury.abis.push({ ...broken, updatedAt: '2026-01-01T00:00:00Z' })
    await openAsBruno(treasury.path('/book'))
    const row = (await findPart(`[data-abi="${contract}"]`)).closest('li') as HTMLElement
    await within(row).findByText('ABI_MALFORMED')
    await within(row).findByText('The ABI is not JSON.')
    expect(browser.server.asked(listAbis).length + browser.server.asked(getReviewLists).length).toBeGreaterThan(0)
  })
})

describe('a wallet that has not yet reported its account', () => {
  test('behavior: writing is disabled until it has', async () => {
    const wallet = await browser.comeBack(team.bruno)
    wallet.behave('accounts', 'hold')
    await browser.open(treasury.path('/team'))
    await expectStatus({ connection: 'reconnecting', session: 'authenticated' })
    await expectButton('Invite viewer', 'disabled')
    expect(document.querySelector('[data-writing]:not(:disabled)')).toBeNull()
    // Even if a script enables the buttons of the page.
    for (const writing of document.querySelectorAll('[data-writing]')) writing.removeAttribute('disabled')
    const form = [...document.querySelectorAll('form')].at(-1) as HTMLFormElement
    for (const [index, input] of [...form.querySelectorAll('input')].entries())
      fireEvent.change(input, { target: { value: index === 0 ? attacker : 'Auditor' } })
    fireEvent.submit(form)
    await expectWords('WALLET_NOT_CONNECTED')
    expect(browser.server.asked(inviteViewer)).toEqual([])
    wallet.behave('accounts', 'answer')
    wallet.release()
    await expectStatus({ connection: 'connected' })
    await expectButton('Invite viewer', 'enabled')
  })
})
