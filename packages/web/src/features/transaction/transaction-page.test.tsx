import { callNode, confirmTransaction, getTransaction, type MultisigTransaction } from '@countersign/contract'
import { type Effects, effectsTypedData } from '@countersign/review'
import { encodeMultiSend } from '@countersign/safe/calls'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseEther,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  expectAccessible,
  type FakeBrowser,
  fill,
  findPart,
  press,
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
  openFold,
  pressEnabled,
  tick,
  tickAllAndPress,
} from '../../test/review-page.ts'
import { startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
})
afterEach(() => browser.close())

const multiSendCallOnly: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const coin = { to: team.stranger.address, value: 1n }

/** Opens Anna's proposal as Bruno. */
async function open(fields: Parameters<Treasury['propose']>[0], reader = team.bruno) {
  const transaction = await treasury.propose(fields)
  const wallet = await browser.comeBack(reader)
  await browser.open(treasury.transactionPath(transaction))
  return { transaction, wallet }
}

const title = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })

describe('the page of a review', () => {
  test('default: the effect is the title, in the bar and above the button', async () => {
    browser.isWide = false
    await open(coin)
    const words = 'Send 0.000000000000000001 ETH to an unnamed address'
    await title(words)
    await expectVerdict('matches')
    expect(document.querySelector('[data-decision-bar] [data-title]')?.textContent).toBe(words)
    expect(document.querySelector('[data-effect-again]')?.textContent).toBe(words)
    expect(document.title).toContain(words)
    // An address that the title leaves out is shown in full below.
    await findPart(`[data-address="${team.stranger.address}" i]`)
    const bar = await findPart('[data-decision-bar="confirmation"]')
    expect(bar.textContent).toContain('Matches1 of 2 confirmations')
    expect(within(bar).queryByRole('button')).toBeNull()
    within(bar).getByRole('link', { name: 'Go to Confirm' })
    await expectAccessible()
  })

  test('behavior: an unlimited approval is the title, and its points are between verdict and button', async () => {
    const args = [team.stranger.address, maxUint256] as const
    await open({ to: token.address, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) })
    await title('Let an unnamed address take all TUSD, without limit')
    await findPart('[data-decision-card] [data-demand]')
    await expectVerdict('matches-with-warnings')
    expect(document.querySelectorAll('[data-decision-card] [data-verdict]')).toHaveLength(1)
    await expectAccessible()
  })

  test('behavior: beside the button, the way out of a call that cannot be decoded names its contract', async () => {
    await open({ to: token.address, data: '0xdeadbeef' })
    await expectVerdict('cannot-verify')
    press(await screen.findByRole('link', { name: 'Give an ABI of the contract' }))
    const field = await screen.findByLabelText<HTMLInputElement>('Contract', { selector: 'input' })
    await waitFor(() => expect(field.value).toBe(token.address))
  })

  test('behavior: without the chain, it says that something is missing, not to wait, and nothing about sources of a block', async () => {
    browser.server.fail(callNode, 'CHAIN_UNREACHABLE')
    await open(coin)
    const band = await expectVerdict('cannot-verify')
    await expectButton('Confirm', 'disabled')
    await expectWords('You cannot confirm yet: something essential is missing.')
    await expectWords('No simulation has finished')
    expect(band.textContent).not.toContain('independent sources')
  })

  test('behavior: the next step after Confirm and after Execute is in the same card', async () => {
    const { transaction } = await open({ to: team.stranger.address })
    await pressEnabled('Confirm')
    await expectWords('2 of 2 confirmations')
    await pressEnabled('Execute')
    await findPart('[data-decision-card] [data-executed="success"]')
    expect(location.pathname).toBe(treasury.transactionPath(transaction))
    await title('Called an unnamed address without an amount or data')
    within(await findPart('[data-decision-card]')).getByRole('link', { name: 'Go to the queue' })
    // The receipt is compared with a simulation. The rest of the page does not mention the simulation.
    const receipt = await findPart('[data-executed-run="same"]')
    const all = screen.getByRole('main').textContent ?? ''
    expect(all.replace(receipt.textContent ?? '', '')).not.toMatch(/simulat/i)
  })

  test('behavior: for calls that are not decoded, no configuration is shown as unchanged', async () => {
    await open({ to: token.address, data: '0x7b3c8f01' })
    await findPart('[data-configuration="not-known"]')
    await title(/^Call function 0x[0-9a-f]{8} of/)
    await expectVerdict('cannot-verify')
    for (const words of ['nothing leaves the Safe', 'No change.'])
      expect(screen.getByRole('main').textContent).not.toContain(words)
    // A guess of the lowest rank. It is shown with its source and enables nothing.
    await openFold('All calls, one by one')
    expect((await findPart('[data-bytecode-guess="none"]')).textContent).toContain('A guess')
    await expectButton('Confirm', 'disabled')
  })

  test('behavior: the printable sheet has the fields and the commands that compute the hashes', async () => {
    await open(coin)
    await expectVerdict('matches')
    const ledger = [...document.querySelectorAll('option')].find(({ textContent }) => textContent === 'Ledger')
    const devices = screen.getAllByLabelText('You sign with', { selector: 'select' })[0] as HTMLSelectElement
    fireEvent.change(devices, { target: { value: ledger?.value } })
    await waitFor(() => {
      const words = document.querySelector('[data-print-guide]')?.textContent
      expect(words).toContain('cast keccak $(cast concat-hex 0x1901 $DOMAIN $MESSAGE)')
      expect(words).toContain(team.stranger.address)
      expect(words).toMatch(/It will not show: .*nonce/)
    })
  })

  test('behavior: a batch of 500 shows six effects, and its calls are one press away', async () => {
    const pay = (index: number) => {
      const args = [numberToHex(0xa000_0000n + BigInt(index), { size: 20 }), 1_000_000n] as const
      return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    }
    const calls = Array.from({ length: 500 }, (_, index) => ({
      operation: 0 as const,
      to: token.address,
      value: 0n,
      data: pay(index),
    }))
    await open({ to: multiSendCallOnly, operation: 1, data: encodeMultiSend(calls) })
    await findPart('[data-effect]')
    // All folded rows are rendered when the fold is first opened.
    expect(document.querySelectorAll('[data-effect]')).toHaveLength(6)
    await openFold('494 more effects')
    await waitFor(() => expect(document.querySelectorAll('[data-effect]')).toHaveLength(500))
    await openFold('All calls, one by one')
    await expectWords('transfer(address,uint256)')
  })

  test('behavior: a transaction that must not be signed links to the reasons, not to a button', async () => {
    browser.isWide = false
    const data: Hex = `0x12345678${'ab'.repeat(500)}`
    await open({ to: team.stranger.address, data, operation: 1 })
    const bar = await findPart('[data-decision-bar="verdict"]')
    within(bar).getByText('Do not sign')
    expect(findButton('Confirm')).toBeNull()
    const why = within(bar).getByRole('link', { name: 'See why' })
    expect(document.querySelector(String(why.getAttribute('href')))?.textContent).toBe('Do not sign')
    await openFold('All ten fields')
    await openFold('All 504 bytes')
    await expectWords(data)
    await expectAccessible()
  })
})

describe('a step that fails', () => {
  test('behavior: rejected in the wallet, nothing is saved, and the next try works', async () => {
    const { wallet } = await open(coin)
    await expectButton('Confirm', 'enabled')
    wallet.behave('sign', 'reject')
    await pressEnabled('Confirm')
    await expectWords(/rejected|declined/i)
    await expectWords('1 of 2')
    expect(browser.server.asked(confirmTransaction)).toEqual([])
    wallet.behave('sign', 'answer')
    await pressEnabled('Confirm')
    await expectWords('2 of 2')
  })

  test('error: EXECUTION_REVERTED, refused before the wallet is asked, with cause and remedy', async () => {
    const { wallet } = await open({ to: team.stranger.address, value: parseEther('500') })
    await tick('BALANCE-EXCEEDED')
    await pressEnabled('Confirm')
    await pressEnabled('Execute')
    // The review also shows the code in its evidence. This is the error of the execution.
    await waitFor(() => {
      const refusal = document.querySelector('[data-execution]')?.textContent
      expect(refusal).toContain('GS013')
      expect(refusal).toMatch(/Find out why the called contract reverts/)
    })
    expect(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([])
  })
})

describe('a reply that was changed in transit', () => {
  type Served = MultisigTransaction & { safeTx: NonNullable<MultisigTransaction['safeTx']> }
  const field = <Name extends keyof Served['safeTx']>(name: Name, value: Served['safeTx'][Name]) =>
    [name, (served: Served) => ({ ...served, safeTx: { ...served.safeTx, [name]: value } })] as const

  test.each<readonly [string, (served: Served) => MultisigTransaction]>([
    field('to', team.relayer.address),
    field('value', 1n),
    field('data', '0x00'),
    field('operation', 1),
    field('safeTxGas', 1n),
    field('baseGas', 1n),
    field('gasPrice', 1n),
    field('gasToken', team.relayer.address),
    field('refundReceiver', team.relayer.address),
    field('nonce', 7n),
    ['safeTxHash', (served) => ({ ...served, safeTxHash: flip(served.safeTxHash) })],
    [
      'a signature',
      (served) => ({
        ...served,
        confirmations: served.confirmations.map((one) => ({ ...one, signature: flip(one.signature) })),
      }),
    ],
  ])('behavior: if %s was changed, Confirm is refused', async (_, tamper) => {
    const transaction = await treasury.propose({ to: team.stranger.address, value: parseEther('0.1') })
    const changed = tamper(transaction as Served)
    expect(changed).not.toEqual(transaction)
    const reply = { transaction: changed, others: [], formerConfirmations: [], reports: [], declaredEffects: null }
    browser.server.answer(getTransaction, reply)
    const wallet = await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectWords(/do not sign/i)
    expect(findButton('Confirm')?.disabled ?? true).toBe(true)
    expect(wallet.requests.filter(({ method }) => method.startsWith('eth_signTypedData'))).toEqual([])
  })

  /** Changes one digit of the hex. */
  function flip(hex: Hex): Hex {
    return `0x${hex.slice(2, 40)}${hex[40] === 'a' ? 'b' : 'a'}${hex.slice(41)}`
  }
})

describe('what each owner saw', () => {
  test('default: the page of an owner reports it, as that owner’s claim', async () => {
    await open(coin)
    await expectVerdict('matches')
    await openFold('What each owner saw')
    const ofAnna = within(await findPart(`[data-reports="${team.anna.address}"]`))
    ofAnna.getByText('No report')
    await pressEnabled('Confirm')
    const ofBruno = await findPart(`[data-reports="${team.bruno.address}"] [data-reported="matches"]`)
    expect(ofBruno.textContent).toMatch(/Saw “Matches”\s*at block \d+\s*facts proved/)
    ofAnna.getByText('No report')
  })

  test('behavior: a claim changes no verdict, and hostile markup is shown as text', async () => {
    const transaction = await treasury.propose(coin)
    const finding = {
      id: 'NO-SUCH-FINDING',
      severity: 'critical',
      evidence: '<img src=x onerror=alert(1)> ” {words}',
    } as const
    const reviewed = {
      verdict: 'do-not-sign',
      policyVersion: 9,
      block: 1,
      grade: 'proved',
      findings: [finding],
      acknowledgements: [],
      leftOut: 7,
    } as const
    const at = new Date().toISOString()
    treasury.reports.set(transaction.safeTxHash, [
      {
        account: team.anna.address,
        at,
        verb: 'proposed',
        reviewed: { ...reviewed, findings: [finding], acknowledgements: [] },
      },
    ])
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('matches')
    await openFold('What each owner saw')
    const claim = await findPart('[data-reported="do-not-sign"]')
    await openFold('1 finding on that page')
    expect(claim.textContent).toContain('<img src=x onerror=alert(1)>')
    expect(document.querySelector('[data-reports] img[src="x"]')).toBeNull()
  })
})

describe('declared effects', () => {
  test('default: the proposer signs the expected effects, and the page of a co-signer finds the same ones', async () => {
    await browser.comeBack(team.anna)
    await browser.open(treasury.path('/new'))
    await fill('Recipient', team.stranger.address)
    await fill('Amount', '0.000001')
    await pressButton('Review')
    fireEvent.click(await screen.findByRole('checkbox', { name: /Declare these changes/ }))
    await findPart('[data-attach-effects="on"]')
    await tickAllAndPress('Sign and propose')
    await waitFor(() => expect(treasury.transactions).toHaveLength(1))
    const [transaction] = treasury.transactions
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction as MultisigTransaction))
    await findPart('[data-finding="EFFECTS-AGREE"]')
  })

  test('behavior: each declared effect that the calldata does not have is listed, and must be acknowledged', async () => {
    const transaction = await treasury.propose({ ...coin, value: 2_000n })
    const { safeAddress } = treasury.safe
    // Half of the paid amount, and an account that receives nothing.
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
    const typedData = effectsTypedData({ ...treasury.safe, safeTxHash: transaction.safeTxHash }, effects)
    const signature = await privateKeyToAccount(team.anna.privateKey).signTypedData(typedData)
    const declared = { ...effects, version: 1, author: team.anna.address, signature } as const
    treasury.declaredEffects.set(transaction.safeTxHash, declared)
    await browser.comeBack(team.bruno)
    await browser.open(treasury.transactionPath(transaction))
    await expectVerdict('matches-with-warnings')
    const words = (await findPart('[data-finding="EFFECTS-DIFFER"]')).textContent?.toLowerCase()
    for (const [account, amount] of [
      [safeAddress, '-1000'],
      [safeAddress, '-2000'],
      [team.relayer.address, '+1000'],
      [team.stranger.address, '+2000'],
    ] as const)
      expect(words).toContain(`${account}: ${amount} native`.toLowerCase())
    expect((await demand('EFFECTS-DIFFER')).textContent).toContain(team.anna.address)
    await expectButton('Confirm', 'disabled')
    await tick('EFFECTS-DIFFER')
    press(await expectButton('Confirm', 'enabled'))
    await expectWords('2 of 2 confirmations')
  })
})
