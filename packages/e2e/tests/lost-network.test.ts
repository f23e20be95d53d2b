import { call, listQueue } from '@countersign/contract'
import type { Locator } from 'playwright-core'
import { createPublicClient, http, parseEther } from 'viem'
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
  safeTxHashOf,
  statusText,
  tickAll,
} from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { readTransaction, signInByScript } from '../src/script-owner.ts'
import { team } from '../src/team.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const countOf = ({ wallet }: Owner, method: string) =>
  wallet.requests.filter((request) => request.method.startsWith(method)).length

/** Presses without a connection: the page says so and asks the wallet for nothing. With the connection it goes on by itself. */
async function pressWithoutNetwork(
  owner: Owner,
  button: Locator,
  method: string,
  back: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { page, context } = owner
  await context.setOffline(true)
  await button.click()
  await page.getByText('You are offline').first().waitFor()
  expect(countOf(owner, method)).toBe(0)
  await back()
  await context.setOffline(false)
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
    await pressWithoutNetwork(bruno, confirmButton(bruno.page), 'eth_signTypedData', () =>
      bruno.page.route(/\/confirmations$/, async (route) => {
        await route.fetch()
        return route.abort()
      }),
    )
    await bruno.page.getByRole('alert').first().waitFor()
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
})
