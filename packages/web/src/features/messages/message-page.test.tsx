import { getMessage, getSafe, listMessages, proposeMessage, type SafeMessage } from '@countersign/contract'
import { canonicalContract } from '@countersign/devnet'
import { encodeMessageContent, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { encodeFunctionData, type Hex, hashMessage, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepMessages, type Messages } from '../../test/messages.ts'
import {
  choose,
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
  expectButton,
  expectGone,
  expectVerdict,
  expectWords,
  findButton,
  openFold,
  pressEnabled,
  tick,
  tickAllAndPress,
} from '../../test/review-page.ts'
import { send, startTreasury, type Treasury } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
let messages: Messages
beforeEach(async () => {
  browser = startBrowser()
  treasury = await startTreasury(browser.server)
  messages = keepMessages(browser.server, treasury)
})
afterEach(() => browser.close())

const order = {
  domain: { name: 'Shop', chainId: 31337 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [
      { name: 'item', type: 'string' },
      { name: 'buyer', type: 'address' },
      { name: 'prices_', type: 'uint256[]' },
    ],
  },
  primaryType: 'Order',
  message: { prices_: ['12', '13'], item: 'pens', buyer: team.anna.address, discount: 5 },
}
const permit = {
  domain: { name: 'USD', chainId: 31337, verifyingContract: team.relayer.address },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { spender: team.stranger.address, value: '1000000' },
}
const disguised = {
  domain: { verifyingContract: team.relayer.address },
  types: {
    EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
    SafeTx: [{ name: 'nonce', type: 'uint256' }],
  },
  primaryType: 'SafeTx',
  message: { nonce: '7' },
}

async function openAs(account: typeof team.anna, path: string) {
  const wallet = await browser.comeBack(account)
  await browser.open(path)
  return wallet
}

/** Opens the form, as Anna, and writes typed data into it. */
async function writeTyped(content: object): Promise<void> {
  await openAs(team.anna, treasury.path('/messages/new'))
  await choose('Type', 'typed')
  await fill('Typed data as JSON', JSON.stringify(content))
  await pressButton('Review')
}

const bruno = privateKeyToAccount(team.bruno.privateKey)

describe('typed data', () => {
  test('behavior: the form reports a permit; the page shows typed data by its types, and the fields that are not signed', async () => {
    await writeTyped(permit)
    await findPart('[data-finding="PERMIT-SIGN"]')

    const message = await messages.propose(order)
    await openAs(team.bruno, messages.path(message))
    await findPart('[data-field]')
    const fields = [...document.querySelectorAll('[data-field]')].map((field) => field.getAttribute('data-field'))
    expect(fields).toEqual([
      'domain.name',
      'domain.chainId',
      'message.item',
      'message.buyer',
      'message.prices_',
      'message.prices_[0]',
      'message.prices_[1]',
    ])
    expect((await findPart('[data-unsigned="1"]')).textContent).toContain('message.discount')
    await expectVerdict('matches-with-warnings')
    await expectAccessible()
    await expectButton('Confirm', 'disabled')
    await tick('PERMIT-SIGN')
    await pressEnabled('Confirm')
    await findPart('[data-collected="accepted"]')
  })

  test('behavior: pasted into the text field, it moves to its own field with the focus, and overwrites nothing', async () => {
    await openAs(team.anna, treasury.path('/messages/new'))
    await fill('Text', JSON.stringify(order))
    await pressButton('Sign it as typed data')
    const typed = await screen.findByLabelText<HTMLTextAreaElement>('Typed data as JSON')
    expect(typed.value).toBe(JSON.stringify(order))
    expect(document.activeElement).toBe(typed)
    await fill('Typed data as JSON', JSON.stringify(permit))
    await choose('Type', 'text')
    await expectWords('This looks like typed data.')
    expect(findButton('Sign it as typed data')).toBeNull()
  })

  test('behavior: a disguised transaction cannot be proposed, and invalid typed data is refused with an explanation', async () => {
    await writeTyped(disguised)
    await findPart('[data-finding="MSG-IS-TX"]')
    expect(findButton('Sign and propose')).toBeNull()
    await pressButton('Edit')
    await fill('Typed data as JSON', '{"domain":{}}')
    await pressButton('Review')
    await expectWords(/primaryType/)
    const field = screen.getByLabelText('Typed data as JSON')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible()
    // A reload keeps the entered text.
    await browser.open(treasury.path('/messages/new'))
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Typed data as JSON')).value).toBe('{"domain":{}}')
    expect(browser.server.asked(proposeMessage)).toEqual([])
  })
})

describe('a signature that was made elsewhere', () => {
  test('behavior: is imported; a signature of the plain message is refused with its signer', async () => {
    const message = await messages.propose('Signed far away')
    await openAs(team.anna, messages.path(message))
    await findPart('[data-import="offered"]')
    await openFold('Import a signature')
    await fill('Signature as hex', await bruno.signMessage({ message: 'Signed far away' }))
    await findPart(`[data-import-problem="other-hash"] [data-address="${bruno.address}"]`)
    const content = parseMessageContent(JSON.stringify('Signed far away'))
    const typedData = safeMessageTypedData({ ...treasury.safe, content })
    await fill('Signature as hex', await bruno.signTypedData(typedData))
    await findPart(`[data-imported="${bruno.address}"]`)
    await expectAccessible()
    await pressEnabled('Import')
    await findPart('[data-collected="accepted"]')
  })
})

describe('a message of two owners', () => {
  test('behavior: its proposer deletes it, after a second click', async () => {
    const message = await messages.propose('A mistake')
    await openAs(team.anna, messages.path(message))
    await pressButton('Delete message')
    await pressButton('Delete for the whole team')
    await expectWords('No messages yet')
    expect(messages.all).toEqual([])
  })

  test('behavior: rejected in the wallet, nothing is saved, and the next try works', async () => {
    const message = await messages.propose('Think twice')
    const wallet = await openAs(team.bruno, messages.path(message))
    wallet.behave('sign', 'reject')
    await pressEnabled('Confirm')
    await expectWords('You rejected the request in the wallet')
    await expectWords('1 of 2')
    wallet.behave('sign', 'answer')
    await pressEnabled('Confirm')
    await expectWords('2 of 2')
  })
})

describe('a message that a transaction signs', () => {
  const signMessage = parseAbi(['function signMessage(bytes)'])
  const { address: library } = canonicalContract('1.4.1', 'sign_message_lib')
  const signing = (data: Hex) => ({
    to: library,
    data: encodeFunctionData({ abi: signMessage, args: [data] }),
    operation: 1 as const,
  })

  test('default: its page and the list say so', async () => {
    const message = await messages.propose('Signed for good')
    const content = parseMessageContent(JSON.stringify('Signed for good'))
    const transaction = await treasury.propose(signing(encodeMessageContent(content)))
    await treasury.confirm(transaction, team.bruno)
    await send(treasury.executionOf(transaction))
    messages.recordOnChain(message)
    await openAs(team.anna, messages.path(message))
    await expectWords('cannot be revoked')
    await expectGone('[data-collected]')
    await browser.open(treasury.path('/messages'))
    await findPart(`[data-signed-on-chain="${message.safeMessageHash}"]`)
    await expectAccessible()
  })

  test('behavior: an owner proposes to sign it on-chain; every owner sees the text behind the hash', async () => {
    const message = await messages.propose('Member since 2026')
    await openAs(team.anna, messages.path(message))
    press(await screen.findByRole('link', { name: 'Propose to sign it on the chain' }))
    expect((await findPart('[data-nested-words]')).textContent).toContain('Member since 2026')
    await screen.findByRole('heading', { name: 'Sign a message on the chain, for good' })
    await tickAllAndPress('Sign and propose')
    await waitFor(() => expect(location.pathname).toMatch(/\/transactions\/0x[0-9a-f]{64}$/))
    await openAs(team.bruno, location.pathname)
    expect((await findPart('[data-nested-words]')).textContent).toContain('Member since 2026')
    await expectVerdict('matches-with-warnings')
    await tickAllAndPress('Confirm')
    await pressEnabled('Execute')
    await expectWords('The chain shows it as executed.')
    await browser.open(messages.path(message))
    await expectWords('Signed on-chain')
  })

  test('behavior: a text that this server lacks can be pasted next to its hash; a different text is refused', async () => {
    const content = 'Member of another club since 2026'
    const transaction = await treasury.propose(signing(hashMessage(content)), team.bruno)
    await openAs(team.anna, treasury.transactionPath(transaction))
    const form = await findPart(`[data-give-approved="${hashMessage(content)}"]`)
    const give = (words: string) => {
      const field = within(form).getByLabelText('Transaction as JSON, or the message')
      fireEvent.change(field, { target: { value: words } })
      press(within(form).getByRole('button', { name: 'Read it' }))
    }
    give('Member of another club since 2027')
    await within(form).findByRole('alert')
    expect(findButton('Confirm')).toBeNull()
    give(content)
    expect((await findPart('[data-nested-words]')).textContent).toContain(content)
    await expectVerdict('matches-with-warnings')
    await tickAllAndPress('Confirm')
    await findPart('[data-confirmations="2"]')
    await expectAccessible()
  })
})

describe('a message that cannot be shown', () => {
  test('behavior: an outsider sees nothing of it', async () => {
    const message = await messages.propose('For us alone')
    browser.server.fail(getMessage, 'MESSAGE_NOT_FOUND', { safeMessageHash: message.safeMessageHash }, 404)
    browser.server.fail(getSafe, 'SAFE_NOT_FOUND', { safeAddress: treasury.safe.safeAddress }, 404)
    await openAs(team.stranger, messages.path(message))
    await expectWords('Not visible to this account')
    browser.server.restore(getSafe)
    treasury.servedNow = () => ({ role: null })
    browser.server.fail(listMessages, 'NOT_A_MEMBER', { safeAddress: treasury.safe.safeAddress }, 403)
    await browser.open(treasury.path('/messages'))
    await expectWords('Only the team of this Safe can see its messages')
    expect(screen.queryByRole('link', { name: 'New message' })).toBeNull()
    await expectAccessible()
  })

  test('behavior: an error of the server is shown, and the next try works', async () => {
    const message = await messages.propose('For us alone')
    browser.server.fail(listMessages, 'INTERNAL', {}, 503)
    await openAs(team.anna, treasury.path('/messages'))
    const retry = await screen.findByRole('button', { name: 'Retry' })
    browser.server.restore(listMessages)
    press(retry)
    await findPart(`[data-message="${message.safeMessageHash}"]`)
  })
})

describe('a reply that was changed in transit', () => {
  /** Changes one digit of the hex. */
  const flip = (hex: Hex): Hex => `0x${hex.slice(2, 40)}${hex[40] === 'a' ? 'b' : 'a'}${hex.slice(41)}`
  const answerWith = (message: SafeMessage) =>
    browser.server.answer(getMessage, { ...message, formerConfirmations: [], reports: [] })

  test.each<[string, (served: SafeMessage) => SafeMessage]>([
    ['the content', (served) => ({ ...served, content: '"We agree to pay."' })],
    ['the hash', (served) => ({ ...served, safeMessageHash: flip(served.safeMessageHash) })],
    [
      'a signature',
      (served) => ({
        ...served,
        confirmations: served.confirmations.map((one) => ({ ...one, signature: flip(one.signature) })),
      }),
    ],
    [
      'whose signature it is',
      (served) => ({
        ...served,
        confirmations: served.confirmations.map((one) => ({ ...one, owner: team.bruno.address })),
      }),
    ],
  ])('behavior: if %s was changed, Confirm is not offered', async (_, tamper) => {
    const message = await messages.propose('We agree.')
    answerWith(tamper(message))
    await openAs(team.bruno, messages.path(message))
    await expectWords(/do not sign/i)
    expect(findButton('Confirm')).toBeNull()
  })

  test('behavior: if it changes only after the button is pressed, nothing is signed', async () => {
    const message = await messages.propose('We agree.')
    const wallet = await openAs(team.bruno, messages.path(message))
    await expectButton('Confirm', 'enabled')
    answerWith({ ...message, content: '"We agree to pay."' })
    await pressEnabled('Confirm')
    await waitFor(() => expect(document.querySelector('[role="alert"]')).not.toBeNull())
    expect(wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4')).toEqual([])
  })
})
