import { concat, createWalletClient, type Hex, http, isHash, numberToHex, pad, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  comeBack,
  executeButton,
  names,
  type Owner,
  openTransaction,
  sectionPath,
  shownHash,
  statusText,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(async () => {
  await ask('evm_setAutomine', [true])
  // A test that ends early leaves her without coin for the next one.
  await ask('anvil_setBalance', [team.anna.address, numberToHex(parseEther('10000'))])
  await ask('evm_mine')
  await scene?.closeOwners()
})

async function ask(method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(scene.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: { result?: unknown; error?: { message: string } } = await response.json()
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}

type Ready = { safe: SafeAt; safeTxHash: Hex; script: ScriptOwner }

/** A transaction with both confirmations, made without a browser. */
async function readyToExecute(): Promise<Ready> {
  const safe = await scene.newSafe()
  const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
  await addSafeByScript(script, safe.safeAddress)
  const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
  await confirmByScript(bruno, safe, safeTxHash)
  return { safe, safeTxHash, script }
}

function execution({ page }: Pick<Owner, 'page'>, step: string) {
  return page.locator(`[data-execution="${step}"]`)
}

/** From now on the server's answers say that so much more time has passed: the page goes by the server's clock. */
async function passAtServer({ page }: Pick<Owner, 'page'>, milliseconds: number): Promise<void> {
  await page.route(/\/api\/(?!events)/, async (route) => {
    const response = await route.fetch()
    const date = new Date(Date.now() + milliseconds).toUTCString()
    await route.fulfill({ response, headers: { ...response.headers(), date } })
  })
}

/** Executes in the browser while nothing is mined, and answers the Ethereum transaction that was sent. */
async function executeUnmined(owner: Owner, { script, safe, safeTxHash }: Ready): Promise<Hex> {
  await comeBack(owner)
  await openTransaction(owner, safe.safeAddress, safeTxHash)
  await executeButton(owner.page).waitFor()
  await ask('evm_setAutomine', [false])
  // Two presses before the first is drawn as busy.
  await executeButton(owner.page).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await execution(owner, 'waiting').waitFor()
  expect(owner.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
  expect(await executeButton(owner.page).count()).toBe(0)
  await expect.poll(() => sentHash(script, safeTxHash)).not.toBeNull()
  const sent = await sentHash(script, safeTxHash)
  if (!sent || !isHash(sent)) throw new Error('nothing was sent')
  await shownHash(owner.page, sent).waitFor()
  // The page has asked the node for it at least once.
  await expect
    .poll(() => owner.page.evaluate((hash) => sessionStorage.getItem(`countersign.account-nonce.${hash}`), sent))
    .not.toBeNull()
  return sent
}

async function sentHash(script: ScriptOwner, safeTxHash: Hex): Promise<Hex | null> {
  return (await readTransaction(script, safeTxHash)).pendingExecution?.transactionHash ?? null
}

describe('an execution that was sent', () => {
  test('behavior: sent again with a higher fee at the same account nonce, cancelled by its sender, and executed again', async () => {
    const ready = await readyToExecute()
    const anna = await scene.owner(team.anna.privateKey)
    const sent = await executeUnmined(anna, ready)
    const { page } = anna
    await page.getByText('Waiting long?').click()
    await page.getByRole('button', { name: 'Speed up' }).click()
    await expect.poll(() => sentHash(ready.script, ready.safeTxHash)).not.toBe(sent)
    const again = await sentHash(ready.script, ready.safeTxHash)
    const [first, second] = anna.wallet.requests.flatMap(({ method, params }) =>
      method === 'eth_sendTransaction' ? [(params as Record<string, Hex>[])[0]] : [],
    )
    expect(second).toMatchObject({ to: first?.to, data: first?.data, value: '0x0' })
    const known = (await ask('eth_getTransactionByHash', [again])) as Record<string, Hex>
    expect(known.nonce).toBe(second?.nonce)
    expect(await ask('eth_getTransactionByHash', [sent])).toBeNull()
    await shownHash(page, again as Hex).waitFor()

    await page.getByText('Waiting long?').click()
    await page.getByRole('button', { name: 'Cancel this sending' }).click()
    await page.getByText('The empty transaction was sent.').waitFor()
    await ask('evm_mine')
    await execution(anna, 'replaced').waitFor()
    expect(await readTransaction(ready.script, ready.safeTxHash)).toMatchObject({ isExecuted: false })
    const third = anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').at(-1)
    expect(third?.params).toMatchObject([{ to: team.anna.address, data: '0x', value: '0x0', nonce: second?.nonce }])

    await statusText(page, /account nonce for another on-chain transaction/).waitFor()
    const held = await ask('eth_getBalance', [team.anna.address, 'latest'])
    await page.getByText(/^Network fee: about/).waitFor()
    await ask('anvil_setBalance', [team.anna.address, '0x1'])
    await statusText(page, /holds 0.000000000000000001 ETH.*too little/).waitFor()
    await ask('anvil_setBalance', [team.anna.address, held])
    await ask('evm_setAutomine', [true])
    await executeButton(page).click()
    await statusText(page, names.executed).waitFor()
    await expect
      .poll(() => readTransaction(ready.script, ready.safeTxHash))
      .toMatchObject({ isExecuted: true, isSuccessful: true })
    const { transactionHash } = await readTransaction(ready.script, ready.safeTxHash)
    expect([sent, again]).not.toContain(transactionHash)
  })

  test('behavior: dropped by the node, said after a while, and executed again', async () => {
    const ready = await readyToExecute()
    const anna = await scene.owner(team.anna.privateKey)
    const sent = await executeUnmined(anna, ready)
    await ask('anvil_dropTransaction', [sent])
    await passAtServer(anna, 95_000)
    await execution(anna, 'dropped').waitFor()
    await statusText(anna.page, /may have been dropped/).waitFor()
    await ask('evm_setAutomine', [true])
    await executeButton(anna.page).click()
    await statusText(anna.page, names.executed).waitFor()
    await expect.poll(() => readTransaction(ready.script, ready.safeTxHash)).toMatchObject({ isExecuted: true })
  })

  test('behavior: its tab closed, another tab and another owner see it waiting, then executed', async () => {
    const ready = await readyToExecute()
    const { safe, safeTxHash } = ready
    const anna = await scene.owner(team.anna.privateKey)
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    const sent = await executeUnmined(anna, ready)
    await anna.page.close()

    const again = { ...anna, page: await anna.context.newPage() }
    for (const owner of [again, bruno]) {
      await openTransaction(owner, safe.safeAddress, safeTxHash)
      await execution(owner, 'waiting').waitFor()
      await shownHash(owner.page, sent).waitFor()
      expect(await executeButton(owner.page).count()).toBe(0)
    }
    await ask('evm_mine')
    for (const owner of [again, bruno]) await statusText(owner.page, names.executed).waitFor()
    await expect
      .poll(() => readTransaction(ready.script, safeTxHash))
      .toMatchObject({ isExecuted: true, transactionHash: sent })
  })
})

/** Payments of so many ETH at the next nonces, each with both confirmations. */
async function readyInTurn(coins: readonly number[]) {
  const safe = await scene.newSafe()
  const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
  await addSafeByScript(script, safe.safeAddress)
  const hashes: Hex[] = []
  for (const [nonce, amount] of coins.entries()) {
    const fields = { to: team.stranger.address, value: parseEther(String(amount)), nonce: BigInt(nonce) }
    const { safeTxHash } = await proposeByScript(script, safe, fields)
    await confirmByScript(bruno, safe, safeTxHash)
    hashes.push(safeTxHash)
  }
  return { safe, script, hashes }
}

describe('fees and account nonce', () => {
  test('behavior: sent as they were typed; a later account nonce waits for its turn', async () => {
    const ready = await readyToExecute()
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    await openTransaction(anna, ready.safe.safeAddress, ready.safeTxHash)
    await executeButton(page).waitFor()
    await page.getByText('Fees and account nonce', { exact: true }).click()
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
    const next = Number(await ask('eth_getTransactionCount', [team.anna.address, 'pending']))
    await fill('Highest fee for each unit of gas', '30')
    await fill('Tip of it', '31')
    await page.getByText('The tip is a part of the highest fee. Enter a smaller one.').waitFor()
    expect(await executeButton(page).isDisabled()).toBe(true)
    await fill('Tip of it', '2.5')
    await fill('Gas limit', '-1')
    await page.getByText('Enter a whole number up to 1,000,000,000.').waitFor()
    await fill('Gas limit', '300000')
    await fill('Nonce of the sending account', String(next + 1))
    await executeButton(page).click()
    await execution(anna, 'waiting').waitFor()
    const [sent] = anna.wallet.requests.flatMap(({ method, params }) =>
      method === 'eth_sendTransaction' ? [(params as Record<string, Hex>[])[0]] : [],
    )
    expect(sent).toMatchObject({
      maxFeePerGas: numberToHex(parseGwei('30')),
      maxPriorityFeePerGas: numberToHex(parseGwei('2.5')),
      gas: numberToHex(300_000),
      nonce: numberToHex(next + 1),
    })
    expect(await readTransaction(ready.script, ready.safeTxHash)).toMatchObject({ isExecuted: false })
    const account = privateKeyToAccount(team.anna.privateKey)
    await createWalletClient({ account, transport: http(scene.rpcUrl) }).sendTransaction({
      chain: null,
      to: account.address,
      nonce: next,
    })
    await ask('evm_mine')
    await statusText(page, names.executed).waitFor()
    await expect.poll(() => readTransaction(ready.script, ready.safeTxHash)).toMatchObject({ isExecuted: true })
    const { transactionHash } = await readTransaction(ready.script, ready.safeTxHash)
    const mined = (await ask('eth_getTransactionByHash', [transactionHash])) as Record<string, Hex>
    expect(mined).toMatchObject(sent ? { gas: sent.gas, nonce: sent.nonce, maxFeePerGas: sent.maxFeePerGas } : {})
  })
})

describe('several executions', () => {
  test('behavior: the network is lost before the first and while one waits: all are executed, each is sent once', async () => {
    const { safe, script, hashes } = await readyInTurn([0.1, 0.1, 0.1])
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const { page, context } = anna
    const lose = async () => {
      await context.setOffline(true)
      await page.getByText('You are offline').first().waitFor()
    }
    await comeBack(anna)
    await page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    // A chain that takes half a coin for the bytes of each, and half a coin for its operator.
    const oracle = '0x420000000000000000000000000000000000000F'
    const half = pad(numberToHex(parseEther('0.5')), { size: 32 })
    await ask('anvil_setCode', [oracle, concat(['0x7f', half, '0x60005260206000f3'])])
    await ask('evm_mine')
    await page.getByRole('link', { name: 'Execute 3, one after the other' }).click()
    await page.getByText(/^Network fee: about 3(\.0\d+)? ETH/).waitFor()
    await ask('anvil_setCode', [oracle, '0x'])
    await ask('evm_mine')
    await page.getByText('Fees', { exact: true }).click()
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
    await fill('Highest fee for each unit of gas', 'much')
    await expect
      .poll(() => page.getByRole('button', { name: 'Execute 3, one after the other' }).isDisabled())
      .toBe(true)
    await fill('Highest fee for each unit of gas', '30')
    await fill('Tip of it', '2.5')
    // Each has its own.
    expect(await page.getByLabel('Gas limit', { exact: true }).count()).toBe(0)
    await ask('evm_setAutomine', [false])
    await lose()
    await page.getByRole('button', { name: 'Execute 3, one after the other' }).click()
    await page.locator('[data-several="sending"]').waitFor()
    const countSent = () => anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length
    expect(countSent()).toBe(0)
    await context.setOffline(false)
    await page.locator('[data-several="waiting"]').waitFor()
    await lose()
    await ask('evm_mine')
    await ask('evm_setAutomine', [true])
    await context.setOffline(false)
    await page.getByText('3 of 3 executed').waitFor()
    expect(countSent()).toBe(3)
    const chosen = { maxFeePerGas: numberToHex(parseGwei('30')), maxPriorityFeePerGas: numberToHex(parseGwei('2.5')) }
    const sent = anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    for (const { params } of sent) expect(params).toMatchObject([chosen])
    for (const hash of hashes)
      await expect.poll(() => readTransaction(script, hash)).toMatchObject({ isExecuted: true, isSuccessful: true })
  })

  test('behavior: one after the other, each checked anew; the one that those before it made impossible ends them', async () => {
    // The Safe holds 5 ETH: each can be paid, and not all of them.
    const { safe, script, hashes } = await readyInTurn([1, 3, 2, 1])
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    await page.getByRole('link', { name: 'Execute 4, one after the other' }).click()
    await page.getByLabel('How many').selectOption('3')
    await page.getByText(/^Network fee: about/).waitFor()
    await ask('evm_setAutomine', [false])
    // Two presses before the first is drawn as busy.
    await page.getByRole('button', { name: 'Execute 3, one after the other' }).evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await page.locator('[data-several="waiting"]').waitFor()
    const countSent = () => anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length
    // Another tab sends nothing a second time, and can send it with a higher fee: the list goes on from there.
    const [other] = await Promise.all([
      anna.context.waitForEvent('page'),
      page.getByRole('link', { name: 'Speed it up or cancel it, in a new tab' }).click(),
    ])
    await other.getByText('Waiting long?').click()
    await other.getByRole('button', { name: 'Speed up' }).click()
    await expect.poll(countSent).toBe(2)
    await other.goto(page.url())
    await other.getByText('It was sent already, and waits to be mined.').waitFor()
    await other.close()
    await ask('evm_mine')
    await ask('evm_setAutomine', [true])
    await page.getByText('2 of 3 executed').waitFor()
    const steps = () => page.locator('[data-several]').evaluateAll((rows) => rows.map((row) => row.dataset.several))
    expect(await steps()).toEqual(['executed', 'executed', 'failed', 'none'])
    await page
      .locator('[data-several="failed"]')
      .getByText(/Sends more than the Safe holds/)
      .first()
      .waitFor()
    expect(countSent()).toBe(3)
    for (const [index, isExecuted] of [true, true, false, false].entries())
      await expect.poll(() => readTransaction(script, hashes[index] as Hex)).toMatchObject({ isExecuted })
    // The rest is the queue of now, with a review of now.
    await page.getByRole('button', { name: 'Look at the rest again' }).click()
    await expect.poll(steps).toEqual(['none', 'none'])
  })

  test('behavior: cancelled in the middle, then reverted in the middle: each ends the list, and the rest waits', async () => {
    const { safe, script, hashes } = await readyInTurn([0.1, 0.1, 0.1, 0.1])
    const anna = await scene.owner(team.anna.privateKey)
    const { page } = anna
    await comeBack(anna)
    await page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    await page.getByRole('link', { name: 'Execute 4, one after the other' }).click()
    const steps = () => page.locator('[data-several]').evaluateAll((rows) => rows.map((row) => row.dataset.several))
    const row = (index: number) => page.locator(`[data-transaction="${hashes[index]}"]`)
    const begin = async (count: number) => {
      await page.getByRole('button', { name: `Execute ${count}, one after the other` }).click()
      await page.locator('[data-several="waiting"]').waitFor()
    }
    await ask('evm_setAutomine', [false])
    await begin(4)
    await ask('evm_mine')
    await expect.poll(steps).toEqual(['executed', 'waiting', 'none', 'none'])
    // Its sender cancels the second one, in the page of it.
    const [other] = await Promise.all([
      anna.context.waitForEvent('page'),
      row(1).getByRole('link', { name: 'Speed it up or cancel it, in a new tab' }).click(),
    ])
    await other.getByText('Waiting long?').click()
    await other.getByRole('button', { name: 'Cancel this sending' }).click()
    await other.getByText('The empty transaction was sent.').waitFor()
    await ask('evm_mine')
    await other.close()
    await page.getByText('1 of 4 executed').waitFor()
    expect(await steps()).toEqual(['executed', 'replaced', 'none', 'none'])
    await row(1)
      .getByText(/account nonce for another on-chain transaction/)
      .waitFor()
    await page.getByText('Those without a hash above were not sent').waitFor()

    // The Safe is emptied while the second one of the rest waits: it reverts on the chain.
    await page.getByRole('button', { name: 'Look at the rest again' }).click()
    await expect.poll(steps).toEqual(['none', 'none', 'none'])
    await begin(3)
    await ask('evm_mine')
    await expect.poll(steps).toEqual(['executed', 'waiting', 'none'])
    const held = await ask('eth_getBalance', [safe.safeAddress, 'latest'])
    await ask('anvil_setBalance', [safe.safeAddress, '0x0'])
    await ask('evm_mine')
    await page.getByText('1 of 3 executed').waitFor()
    expect(await steps()).toEqual(['executed', 'reverted', 'none'])
    await row(2)
      .getByText(/reverted. Nothing changed, but the gas was spent/)
      .waitFor()

    // Nothing was lost or sent twice by that: the two that are left are executed.
    await ask('anvil_setBalance', [safe.safeAddress, held])
    await ask('evm_setAutomine', [true])
    await ask('evm_mine')
    await page.getByRole('button', { name: 'Look at the rest again' }).click()
    await page.getByRole('button', { name: 'Execute 2, one after the other' }).click()
    await page.getByText('2 of 2 executed').waitFor()
    for (const hash of hashes)
      await expect.poll(() => readTransaction(script, hash)).toMatchObject({ isExecuted: true, isSuccessful: true })
    const paid = anna.wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    expect(paid).toHaveLength(7)
  })
})
