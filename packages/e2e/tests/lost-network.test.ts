import { call, listQueue } from '@countersign/contract'
import { requestNode, testContracts } from '@countersign/devnet'
import { officialDeployment } from '@countersign/safe'
import type { Locator } from 'playwright-core'
import { createPublicClient, http, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  executeButton,
  fillProposal,
  names,
  type Owner,
  openTransaction,
  safePath,
  safeTxHashOf,
  statusText,
  tickAll,
} from '../src/people/owner.ts'
import { readTransaction, signInByScript } from '../src/people/script-owner.ts'
import { fundTokens, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const countOf = ({ wallet }: Owner, method: string) =>
  wallet.requests.filter((request) => request.method.startsWith(method)).length

/** Bounds the gas of the blocks from the next one on. */
async function limitBlocks(gas: bigint): Promise<void> {
  await requestNode(scene.rpcUrl, 'evm_setBlockGasLimit', toHex(gas))
  await requestNode(scene.rpcUrl, 'evm_mine')
}

/** Takes the connection away, and waits until the page knows. */
async function goOffline({ page, context }: Owner): Promise<void> {
  await context.setOffline(true)
  await page.getByText('You are offline').first().waitFor()
}

/** Presses without a connection: the page says so and asks the wallet for nothing. With the connection it goes on by itself. */
async function pressWithoutNetwork(
  owner: Owner,
  button: Locator,
  method: string,
  back: () => Promise<unknown> = async () => {},
): Promise<void> {
  await goOffline(owner)
  await button.click()
  expect(countOf(owner, method)).toBe(0)
  await back()
  await owner.context.setOffline(false)
}

describe('the network is lost', () => {
  test('behavior: while composing, proposing, confirming and executing; nothing is lost, nothing is sent twice', async () => {
    const { safeAddress, chainId } = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    const bruno = await scene.owner(team.bruno.privateKey)
    for (const { watch } of [anna, bruno]) watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await comeBack(anna)
    await addSafe(anna, safeAddress)
    const { page } = anna

    // Composing: what was typed stays, and its review comes with the network.
    await fillProposal(anna, safeAddress, { to: team.stranger.address, amount: '1' })
    await anna.context.setOffline(true)
    await page.getByLabel(names.amount, { exact: true }).fill('2')
    await anna.context.setOffline(false)
    expect(await page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('2')
    await page.getByRole('button', { name: names.review, exact: true }).click()
    await tickAll(page)
    const propose = page.getByRole('button', { name: names.propose, exact: true })
    await pressWithoutNetwork(anna, propose, 'eth_signTypedData')
    const safeTxHash = await safeTxHashOf(page)

    // Confirming: the server takes it, and its answer is lost.
    await comeBack(bruno)
    await openTransaction(bruno, safeAddress, safeTxHash)
    await tickAll(bruno.page)
    let isTaken = () => {}
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve
    })
    await pressWithoutNetwork(bruno, confirmButton(bruno.page), 'eth_signTypedData', () =>
      bruno.page.route(/\/confirmations$/, async (route) => {
        await route.fetch()
        await route.abort()
        isTaken()
      }),
    )
    // Not by what the page shows: it may show another trouble of the network first, and a reload then would end the sending.
    await taken
    await bruno.page.unroute(/\/confirmations$/)
    await bruno.page.reload()
    await statusText(bruno.page, 'You have confirmed this transaction.').waitFor()

    // Executing: sent once, also where the server cannot be told of it.
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const before = await chain.getBalance(team.stranger)
    await executeButton(page).waitFor()
    await pressWithoutNetwork(anna, executeButton(page), 'eth_sendTransaction', () =>
      page.route(/\/execution$/, (route) => route.abort()),
    )
    await statusText(page, names.executed).waitFor()
    expect(countOf(anna, 'eth_sendTransaction')).toBe(1)
    expect((await chain.getBalance(team.stranger)) - before).toBe(parseEther('2'))

    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const { confirmations, isExecuted } = await readTransaction(script, safeTxHash)
    expect([confirmations.length, isExecuted]).toEqual([2, true])
    const { transactions } = await call(script.options, listQueue, { chainId, safeAddress })
    expect(transactions).toEqual([])
  })

  test('behavior: while a list is split and proposed; it goes on by itself, no part of it is proposed twice', async () => {
    const { safeAddress, chainId } = await scene.newSafe()
    await fundTokens(scene, safeAddress)
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await comeBack(anna)
    await addSafe(anna, safeAddress)
    const { page, url } = anna
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
    await page.getByText('Pay a list').click()
    const lines = Array.from(
      { length: 210 },
      (_, index) => `erc20,${testContracts.erc20.address},${toHex((1n << 150n) + BigInt(index), { size: 20 })},0.01`,
    )
    const file = Buffer.from(['token_type,token_address,receiver,amount', ...lines].join('\n'))
    await page
      .getByLabel('Or choose the file')
      .first()
      .setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: file })
    await page.getByText('2.1 TUSD', { exact: true }).waitFor()

    // Splitting: each part is measured on the chain, whose blocks are so small that there are two.
    const { gasLimit } = await createPublicClient({ transport: http(scene.rpcUrl) }).getBlock()
    await limitBlocks(9_000_000n)
    try {
      await goOffline(anna)
      await press('Split into transactions')
      await page.locator('[data-payout="interrupted"]').waitFor()
      await anna.context.setOffline(false)
      await page.getByText('0 of 2 transactions are proposed or executed').waitFor()
    } finally {
      await limitBlocks(gasLimit)
    }

    // Proposing: the server takes the first part, and its answer is lost.
    await press('Review and propose')
    await tickAll(page)
    let isTaken = () => {}
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve
    })
    const propose = page.getByRole('button', { name: names.propose, exact: true })
    await pressWithoutNetwork(anna, propose, 'eth_signTypedData', () =>
      page.route(/\/transactions$/, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        await route.abort()
        isTaken()
      }),
    )
    await taken
    await page.unroute(/\/transactions$/)
    await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
    await page.getByText('1 of 2 transactions are proposed or executed').waitFor()
    expect(await page.locator('[data-batch]').evaluateAll((rows) => rows.map((row) => row.dataset.batch))).toEqual([
      'proposed',
      'open',
    ])
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const { transactions } = await call(script.options, listQueue, { chainId, safeAddress })
    expect(transactions).toHaveLength(1)
  })

  test('behavior: while a Safe is created; its review comes by itself, nothing is sent without one', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await comeBack(anna)
    const { page, url } = anna
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    // The code of its review loads while the form is filled in, because it could not load later.
    const code = page.waitForEvent('requestfinished', (request) => /\/assets\/creation-worker-/.test(request.url()))
    await page.goto(`${url}/create`)
    await page.getByLabel('Address of owner 2', { exact: true }).fill(team.bruno.address)
    await code
    await goOffline(anna)
    await press('Review')
    await page.locator('[data-create="review"]').waitFor()
    const unverified = page.locator('[data-verdict="cannot-verify"]').first()
    await unverified.waitFor()
    expect(await page.getByRole('button', { name: 'Create the Safe', exact: true }).isEnabled()).toBe(false)
    await anna.context.setOffline(false)
    await unverified.waitFor({ state: 'detached' })
    await tickAll(page)
    await goOffline(anna)
    await press('Create the Safe')
    await page.getByText('The review has not finished').first().waitFor()
    await anna.context.setOffline(false)
    // A page that is loaded anew follows it again, and adds it to My Safes.
    await requestNode(scene.rpcUrl, 'evm_setAutomine', false)
    try {
      await page.locator('[data-confirm="offered"]').waitFor()
      await press('Create the Safe')
      await page.locator('[data-creation="waiting"]').waitFor()
      await page.reload()
      await page.locator('[data-creation="waiting"]').waitFor()
    } finally {
      await requestNode(scene.rpcUrl, 'evm_setAutomine', true)
      await requestNode(scene.rpcUrl, 'evm_mine')
    }
    await page.getByRole('link', { name: 'Open the Safe' }).click()
    await page.getByRole('heading', { name: 'Owners' }).waitFor()
    expect(countOf(anna, 'eth_sendTransaction')).toBe(1)
  })

  test('behavior: the library of batches that cannot be read is told with a retry, and never as one that the chain has not', async () => {
    const { safeAddress } = await scene.newSafe()
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await comeBack(anna)
    await addSafe(anna, safeAddress)
    const { page } = anna
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const library = officialDeployment('multi-send-call-only', '1.4.1')?.address.slice(2).toLowerCase() ?? 'none'
    const rpc = /\/rpc$/
    await page.route(rpc, (route) =>
      (route.request().postData() ?? '').toLowerCase().includes(library) ? route.abort() : route.fallback(),
    )
    await fillProposal(anna, safeAddress, { to: team.stranger.address, amount: '1' })
    await press('Add a payment')
    await page.getByLabel(names.recipient, { exact: true }).fill(team.stranger.address)
    await page.getByLabel(names.amount, { exact: true }).fill('2')
    await press(names.review)
    const told = page.getByRole('alert').filter({ hasText: 'MultiSendCallOnly, and whether the chain has it' })
    await told.waitFor()

    // Without a network nothing is asked, and nothing looks as if it were.
    await goOffline(anna)
    await page.unroute(rpc)
    await told.getByRole('button', { name: 'Retry', exact: true }).click()
    await press(names.review)
    await told.waitFor()
    expect(await page.getByText('Reading from the chain').filter({ visible: true }).count()).toBe(0)
    await anna.context.setOffline(false)
    await told.waitFor({ state: 'detached' })
    await press(names.review)
    await tickAll(page)
    await page.getByRole('button', { name: names.propose, exact: true }).waitFor()
  })
})
