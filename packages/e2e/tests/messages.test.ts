import { canonicalContract } from '@countersign/devnet'
import { approvedHash } from '@countersign/review'
import {
  encodeContractQuestion,
  encodeMessageContent,
  encodeSignatures,
  newSafeTx,
  parseMessageContent,
  safeMessageTypedData,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import type { Page, Route } from 'playwright-core'
import { createPublicClient, encodeFunctionData, type Hex, hashMessage, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  names,
  type Owner,
  openTransaction,
  safePath,
  shownHash,
  statusText,
  tick,
  tickAll,
} from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript, signSafeTx } from '../src/people/script-owner.ts'
import { sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const order = JSON.stringify({
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
})
const permit = JSON.stringify({
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
})
const disguised = JSON.stringify({
  domain: { verifyingContract: team.relayer.address },
  types: {
    EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
    SafeTx: [{ name: 'nonce', type: 'uint256' }],
  },
  primaryType: 'SafeTx',
  message: { nonce: '7' },
})

async function annaAndBruno(): Promise<{ safe: SafeAt; anna: Owner; bruno: Owner }> {
  const safe = await scene.newSafe()
  const anna = await scene.owner(team.anna.privateKey)
  const bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  await comeBack(bruno)
  return { safe, anna, bruno }
}

function messagesUrl({ url }: Owner, safe: SafeAt, rest = ''): string {
  return `${url}${safePath(safe.chainId, safe.safeAddress)}/messages${rest}`
}

async function write(owner: Owner, safe: SafeAt, content: { text: string } | { typed: string }): Promise<void> {
  const { page } = owner
  await page.goto(messagesUrl(owner, safe, '/new'))
  if ('typed' in content) await page.getByLabel('Type', { exact: true }).selectOption('typed')
  const label = 'typed' in content ? 'Typed data as JSON' : 'Text'
  await page.getByLabel(label, { exact: true }).fill('typed' in content ? content.typed : content.text)
  await page.getByRole('button', { name: names.review, exact: true }).click()
}

async function proposeMessage(owner: Owner, safe: SafeAt, content: Parameters<typeof write>[2]): Promise<Hex> {
  await write(owner, safe, content)
  await tickAll(owner.page)
  await owner.page.getByRole('button', { name: names.propose, exact: true }).click()
  await owner.page.waitForURL(/\/messages\/0x[0-9a-f]{64}$/)
  return `0x${owner.page.url().slice(-64)}`
}

/** The page asks for a transaction that the typed data may stand for; the server knows of none. */
function expectNoTransaction({ watch }: Owner, { chainId }: SafeAt, ...typed: string[]): void {
  for (const json of typed) {
    const hash = approvedHash(encodeMessageContent(parseMessageContent(json)))
    // The code is lost with its body when the page moves on.
    watch.expect(
      new RegExp(
        `^response: 404 /api/chains/${chainId}/(transactions|messages)/${hash}( (TRANSACTION|MESSAGE)_NOT_FOUND)?$`,
      ),
    )
  }
}

/** Uses the signature as an application does. */
async function isValidOnChain(safe: SafeAt, json: string, signature: string): Promise<boolean> {
  const chain = createPublicClient({ transport: http(scene.rpcUrl) })
  const data = encodeContractQuestion({
    owner: safe.safeAddress,
    asks: 'bytes32',
    data: encodeMessageContent(parseMessageContent(json)),
    signature: signature as Hex,
  })
  const answer = await chain.call({ to: safe.safeAddress, data })
  return answer.data?.startsWith('0x1626ba7e') ?? false
}

async function signatureOfSafe(page: Page): Promise<string> {
  await page.locator('[data-collected="accepted"]').waitFor()
  return (await page.locator('[data-signature-of-safe]').textContent()) ?? ''
}

describe('a message of two owners', () => {
  test('default: a text, from writing to a signature that the chain accepts, live on both screens', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    await bruno.page.goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}`)
    await bruno.page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click()
    await bruno.page.getByText('No messages yet').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])

    const words = 'We agree to the terms\nof 2026.'
    const safeMessageHash = await proposeMessage(anna, safe, { text: words })
    await shownHash(anna.page, safeMessageHash).waitFor({ state: 'attached' })
    await statusText(anna.page, '1 of 2').waitFor()
    expect(await anna.page.locator('[data-message-text]').textContent()).toContain('of 2026.')

    // Bruno's list was open before: the message comes to him.
    const row = bruno.page.locator(`[data-message="${safeMessageHash}"]`)
    // The line of the section counts what waits for him, until he has signed.
    const inNavigation = bruno.page.getByRole('navigation').getByRole('link', { name: /^Messages/ })
    const waiting = inNavigation.getByRole('img', { name: '1 message to review' })
    await waiting.waitFor()
    await row.getByText(names.waitsForYou).waitFor()
    await row.getByRole('link').click()
    await bruno.page.locator('[data-verdict="matches"]').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])
    await confirmButton(bruno.page).click()
    for (const { page } of [bruno, anna]) {
      const signature = await signatureOfSafe(page)
      expect(await isValidOnChain(safe, JSON.stringify(words), signature)).toBe(true)
      expect(await isValidOnChain(safe, '"other"', signature).catch(() => false)).toBe(false)
    }
    await waiting.waitFor({ state: 'detached' })
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.getByRole('link', { name: 'All messages' }).click()
    await anna.page.locator(`[data-message="${safeMessageHash}"][data-standing="complete"]`).waitFor()
  })

  test('behavior: typed data is shown by its types, with what is not signed; a permit is named', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    expectNoTransaction(anna, safe, permit, order)
    expectNoTransaction(bruno, safe, order)
    await write(anna, safe, { typed: permit })
    await anna.page.locator('[data-finding="PERMIT-SIGN"]').waitFor()
    const safeMessageHash = await proposeMessage(anna, safe, { typed: order })
    await bruno.page.goto(messagesUrl(bruno, safe, `/${safeMessageHash}`))
    const fields = bruno.page.locator('[data-field]')
    await fields.first().waitFor()
    expect(await fields.evaluateAll((all) => all.map((field) => field.getAttribute('data-field')))).toEqual([
      'domain.name',
      'domain.chainId',
      'message.item',
      'message.buyer',
      'message.prices_',
      'message.prices_[0]',
      'message.prices_[1]',
    ])
    await bruno.page.locator('[data-unsigned="1"]').getByText('message.discount').waitFor()
    expect(await faultsOf(bruno.page)).toEqual([])
    await bruno.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
    await tick(bruno.page, 'PERMIT-SIGN')
    await confirmButton(bruno.page).click()
    expect(await isValidOnChain(safe, order, await signatureOfSafe(bruno.page))).toBe(true)
  })

  test('behavior: typed data in the place of a text moves to its own field with the focus, and overwrites nothing', async () => {
    const { safe, anna } = await annaAndBruno()
    const { page } = anna
    await page.goto(messagesUrl(anna, safe, '/new'))
    await page.getByLabel('Text', { exact: true }).fill(order)
    const move = page.getByRole('button', { name: 'Sign it as typed data', exact: true })
    await move.click()
    const typed = page.getByLabel('Typed data as JSON')
    expect(await typed.inputValue()).toBe(order)
    expect(await typed.evaluate((field) => field === document.activeElement)).toBe(true)
    await typed.fill(permit)
    await page.getByLabel('Type', { exact: true }).selectOption('text')
    await page.getByText('This looks like typed data.').waitFor()
    expect(await move.count()).toBe(0)
  })

  test('behavior: a transaction in disguise cannot be proposed, and what is no typed data is refused in words', async () => {
    const { safe, anna } = await annaAndBruno()
    expectNoTransaction(anna, safe, disguised)
    await write(anna, safe, { typed: disguised })
    await anna.page.locator('[data-finding="MSG-IS-TX"]').waitFor()
    expect(await anna.page.getByRole('button', { name: names.propose, exact: true }).count()).toBe(0)
    await anna.page.getByRole('button', { name: names.change, exact: true }).click()
    await anna.page.getByLabel('Typed data as JSON').fill('{"domain":{}}')
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    await anna.page.getByText(/primaryType/).waitFor()
    expect(await anna.page.getByLabel('Typed data as JSON').getAttribute('aria-invalid')).toBe('true')
    expect(await faultsOf(anna.page)).toEqual([])
    // Entered text outlives a reload.
    await anna.page.reload()
    expect(await anna.page.getByLabel('Typed data as JSON').inputValue()).toBe('{"domain":{}}')
  })

  test('behavior: a signature that was made elsewhere is imported; one on the message itself is refused by name', async () => {
    const { safe, anna } = await annaAndBruno()
    await proposeMessage(anna, safe, { text: 'Signed far away' })
    const { page } = anna
    await page.locator('[data-import="offered"] summary').click()
    const by = privateKeyToAccount(team.bruno.privateKey)
    await page.getByLabel('Signature as hex').fill(await by.signMessage({ message: 'Signed far away' }))
    await page.locator('[data-import-problem="other-hash"]').locator(`[data-address="${by.address}"]`).waitFor()
    const content = parseMessageContent(JSON.stringify('Signed far away'))
    await page.getByLabel('Signature as hex').fill(await by.signTypedData(safeMessageTypedData({ ...safe, content })))
    await page.locator(`[data-imported="${by.address}"]`).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    expect(await isValidOnChain(safe, JSON.stringify('Signed far away'), await signatureOfSafe(page))).toBe(true)
  })

  test('behavior: deleted by its proposer, it is gone for the other', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    await bruno.page.goto(messagesUrl(bruno, safe))
    const safeMessageHash = await proposeMessage(anna, safe, { text: 'A mistake' })
    const row = bruno.page.locator(`[data-message="${safeMessageHash}"]`)
    await row.waitFor()
    // The event of the deletion can reach the page before the answer does, and has it ask once more.
    anna.watch.expect(new RegExp(`^response: 404 \\S+/messages/${safeMessageHash}( MESSAGE_NOT_FOUND)?$`))
    await anna.page.getByRole('button', { name: 'Delete message', exact: true }).click()
    await anna.page.getByRole('button', { name: 'Delete for the whole team', exact: true }).click()
    await anna.page.getByText('No messages yet').waitFor()
    await row.waitFor({ state: 'detached' })
  })
})

describe('a message that a transaction signs', () => {
  test('default: the list tells it, and so does the page of the same message', async () => {
    const { safe, anna } = await annaAndBruno()
    const words = 'Signed for good'
    const safeMessageHash = await proposeMessage(anna, safe, { text: words })
    await anna.page.locator('[data-verdict="matches"]').waitFor()
    const inner = encodeMessageContent(parseMessageContent(JSON.stringify(words)))
    const safeTx = newSafeTx({
      to: canonicalContract('1.4.1', 'sign_message_lib').address,
      data: encodeFunctionData({ abi: parseAbi(['function signMessage(bytes)']), args: [inner] }),
      operation: 1,
      nonce: 0n,
    })
    const confirmations = await Promise.all(
      [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
        owner: address,
        signature: await signSafeTx(privateKeyToAccount(privateKey), safe, safeTx),
      })),
    )
    const data = encodeExecTransaction(safeTx, encodeSignatures(confirmations))
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safe.safeAddress, data })
    await anna.page.getByText('cannot be revoked').waitFor()
    expect(await anna.page.locator('[data-collected]').count()).toBe(0)
    await anna.page.goto(messagesUrl(anna, safe))
    await anna.page.locator(`[data-signed-on-chain="${safeMessageHash}"]`).waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('behavior: the Safe signs it itself on the chain; every owner reads the words behind the hash', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    const content = 'Member since 2026'
    const safeMessageHash = await proposeMessage(anna, safe, { text: content })
    await anna.page.getByRole('link', { name: 'Propose to sign it on the chain' }).click()
    await anna.page.locator('[data-nested-words]').getByText(content).waitFor()
    await anna.page.getByRole('heading', { name: 'Sign a message on the chain, for good' }).waitFor()
    await tickAll(anna.page)
    await anna.page.getByRole('button', { name: names.propose, exact: true }).click()
    await anna.page.waitForURL(/\/transactions\/0x[0-9a-f]{64}$/)
    await openTransaction(bruno, safe.safeAddress, `0x${anna.page.url().slice(-64)}`)
    await bruno.page.locator('[data-nested-words]').getByText(content).waitFor()
    await bruno.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await tickAll(bruno.page)
    await confirmButton(bruno.page).click()
    await executeButton(bruno.page).click()
    await statusText(bruno.page, 'The chain shows it as executed.').waitFor()
    const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
    const client = createPublicClient({ transport: http(scene.rpcUrl) })
    const answer = await client.readContract({
      address: safe.safeAddress,
      abi,
      functionName: 'isValidSignature',
      args: [hashMessage(content), '0x'],
    })
    expect(answer).toBe('0x1626ba7e')
    await anna.page.goto(messagesUrl(anna, safe, `/${safeMessageHash}`))
    await statusText(anna.page, 'Signed on-chain').waitFor()
  })

  test('behavior: words that this server does not have are pasted beside the bare hash; others are not taken', async () => {
    const { safe, anna } = await annaAndBruno()
    const content = 'Member of another club since 2026'
    const script = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    const { safeTxHash } = await proposeByScript(script, safe, {
      to: canonicalContract('1.4.1', 'sign_message_lib').address,
      data: encodeFunctionData({ abi: parseAbi(['function signMessage(bytes)']), args: [hashMessage(content)] }),
      operation: 1,
      nonce: 0n,
    })
    anna.watch.expect(/^response: 404 \S+( (TRANSACTION|MESSAGE)_NOT_FOUND)?$/)
    await openTransaction(anna, safe.safeAddress, safeTxHash)
    const form = anna.page.locator(`[data-give-approved="${hashMessage(content)}"]`)
    const give = async (words: string) => {
      await form.getByLabel('Transaction as JSON, or the message').fill(words)
      await form.getByRole('button', { name: 'Read it' }).click()
    }
    await give('Member of another club since 2027')
    await form.getByRole('alert').waitFor()
    expect(await confirmButton(anna.page).count()).toBe(0)
    await give(content)
    await anna.page.locator('[data-nested-words]').getByText(content).waitFor()
    await anna.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await tickAll(anna.page)
    await confirmButton(anna.page).click()
    await anna.page.locator('[data-confirmations="2"]').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
  })
})

describe('what is not to be had', () => {
  test('behavior: an outsider learns nothing, a server that fails is told, and the next try works', async () => {
    const { safe, anna } = await annaAndBruno()
    const safeMessageHash = await proposeMessage(anna, safe, { text: 'For us alone' })
    const outsider = await scene.owner(team.stranger.privateKey)
    // The code is lost with its body when the page moves on; another code than these is a trouble.
    outsider.watch.expect(/^response: 40[34] \S+( (MESSAGE_NOT_FOUND|NOT_A_MEMBER|SAFE_NOT_FOUND))?$/)
    await comeBack(outsider)
    await outsider.page.goto(messagesUrl(outsider, safe, `/${safeMessageHash}`))
    await outsider.page.getByText('Not visible to this account').waitFor()
    await addSafe(outsider, safe.safeAddress)
    await outsider.page.goto(messagesUrl(outsider, safe))
    await outsider.page.getByText('Only the team of this Safe can see its messages').waitFor()
    expect(await outsider.page.getByRole('link', { name: 'New message' }).count()).toBe(0)
    expect(await faultsOf(outsider.page)).toEqual([])

    const { page } = anna
    anna.watch.expect(/response: 503|console: .*503/)
    await page.route('**/messages?**', (route) => route.fulfill({ status: 503, body: 'away' }))
    await page.goto(messagesUrl(anna, safe))
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    await page.unroute('**/messages?**')
    await retry.click()
    await page.locator(`[data-message="${safeMessageHash}"]`).waitFor()
  })

  test('behavior: rejected in the wallet, nothing is saved, and the next try works', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    const safeMessageHash = await proposeMessage(anna, safe, { text: 'Think twice' })
    await bruno.page.goto(messagesUrl(bruno, safe, `/${safeMessageHash}`))
    bruno.wallet.behave('sign', 'reject')
    await confirmButton(bruno.page).click()
    await bruno.page.getByText('You rejected the request in the wallet').waitFor()
    await statusText(bruno.page, '1 of 2').waitFor()
    bruno.wallet.behave('sign', 'answer')
    await confirmButton(bruno.page).click()
    await statusText(bruno.page, '2 of 2').waitFor()
  })
})

type Served = { content: string; safeMessageHash: Hex; confirmations: { signature: Hex; owner: string }[] }

const tampers: [string, (served: Served) => void][] = [
  [
    'the content',
    (served) => {
      served.content = '"We agree to pay."'
    },
  ],
  [
    'the hash',
    (served) => {
      served.safeMessageHash = flip(served.safeMessageHash, 40)
    },
  ],
  [
    'a signature',
    ({ confirmations: [first] }) => {
      if (!first) throw new Error('there is no confirmation to change')
      first.signature = flip(first.signature, 40)
    },
  ],
  [
    'whose signature it is',
    ({ confirmations: [first] }) => {
      if (!first) throw new Error('there is no confirmation to change')
      first.owner = team.bruno.address
    },
  ],
]

describe('a reply that was changed on its way', () => {
  test('behavior: Confirm is not offered, whatever was changed', async () => {
    const { safe, anna, bruno } = await annaAndBruno()
    const safeMessageHash = await proposeMessage(anna, safe, { text: 'We agree.' })
    for (const [what, tamper] of tampers) {
      const pattern = new RegExp(`/api/chains/\\d+/messages/${safeMessageHash}$`)
      let changed = 0
      const answer = async (route: Route) => {
        const response = await route.fetch()
        const body = (await response.json()) as Served
        tamper(body)
        changed += 1
        await route.fulfill({ response, json: body })
      }
      await bruno.page.route(pattern, answer)
      await bruno.page.goto(messagesUrl(bruno, safe, `/${safeMessageHash}`))
      await bruno.page.getByText(names.doNotSign).first().waitFor()
      expect(await confirmButton(bruno.page).count(), what).toBe(0)
      expect(changed).toBeGreaterThan(0)
      // One more may be on its way: the page asks again by itself.
      await bruno.page.unrouteAll({ behavior: 'wait' })
    }
    // Changed only when the button is pressed: nothing is signed.
    await bruno.page.goto(messagesUrl(bruno, safe, `/${safeMessageHash}`))
    await confirmButton(bruno.page).waitFor()
    await bruno.page.route(new RegExp(`/messages/${safeMessageHash}$`), async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as Served
      await route.fulfill({ response, json: { ...body, content: '"We agree to pay."' } })
    })
    await confirmButton(bruno.page).click()
    await bruno.page.getByRole('alert').first().waitFor()
    expect(bruno.wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4')).toEqual([])
  })
})

/** Changes one digit of the hex. */
function flip(hex: Hex, at: number): Hex {
  const digit = hex[at] === 'a' ? 'b' : 'a'
  return `0x${hex.slice(2, at)}${digit}${hex.slice(at + 1)}`
}
