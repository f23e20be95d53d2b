import { deployLimitModule, deployOldSafe, requestNode } from '@countersign/devnet'
import { officialDeployment, readSafeState, readSpendingLimits, type SafeState } from '@countersign/safe'
import type { Page } from 'playwright-core'
import { type Address, createPublicClient, encodeFunctionData, http, parseAbi, parseEther, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { widthsInTurn } from '../src/browser/widths.ts'
import {
  addSafe,
  comeBack,
  executeButton,
  names,
  type Owner,
  safePath,
  safeTxHashOf,
  sectionPath,
  statusText,
  tickAll,
  typeChange,
} from '../src/people/owner.ts'
import { confirmByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { deployCode, fundTeam, newSafe, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// Settings as a person changes them by their forms, on real contracts: given in one transaction, taken away in the next. A
// soak does it for each release.

let scene: Scene
/** The Allowance Module. */
let module: Address
beforeAll(async () => {
  scene = await startScene()
  module = await deployLimitModule(scene.rpcUrl, team.relayer.address)
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Answers 1 to everything: whoever asks whether it is a guard is told yes, and it refuses nothing. */
const YES = '0x600160005260206000f3'
/** A handler of another release than the Safe has. */
const otherHandler = (version: string) =>
  officialDeployment('handler', version === '1.3.0' ? '1.4.1' : '1.3.0')?.address ?? zeroAddress

const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const choose = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).selectOption(value)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Pages that are used on a phone and on a desk by turns. */
const turns = new WeakMap<Page, () => Promise<void>>()

/** Adds a change, or turns the entry that is there into one, and fills it in. */
async function change(page: Page, kind: string, isFirst: boolean, fields: () => Promise<unknown>): Promise<void> {
  await turns.get(page)?.()
  if (!isFirst) await press(page, 'Add a change of the Safe')
  await choose(page, 'Type', kind)
  await fields()
}

async function safeOf(version: '1.1.1' | '1.3.0' | '1.4.1' | '1.5.0'): Promise<SafeAt> {
  const at = { rpcUrl: scene.rpcUrl, chainId: scene.chainId }
  if (version !== '1.1.1') return newSafe({ ...at, version })
  const owners = [team.anna.address, team.bruno.address]
  const safeAddress = await deployOldSafe({ ...at, version, owners, threshold: 2, saltNonce: BigInt(Date.now()) })
  return { chainId: at.chainId, version, safeAddress }
}

type Changed = { guard: Address; handler: Address; hasGuard: boolean; hasGuardOfModules: boolean }

async function give(page: Page, { guard, handler, hasGuard, hasGuardOfModules }: Changed): Promise<void> {
  await change(page, 'swap-owner', true, async () => {
    await choose(page, 'Owner who leaves', team.bruno.address)
    await fill(page, 'Owner who joins', team.relayer.address)
  })
  await change(page, 'enable-module', false, () => fill(page, 'Module', module))
  await change(page, 'set-limit', false, async () => {
    await chooseLimit(page)
    await fill(page, names.amount, '1')
    await choose(page, 'The limit starts anew', '1440')
  })
  if (hasGuard) await change(page, 'set-guard', false, () => fill(page, 'Guard', guard))
  if (hasGuardOfModules) await change(page, 'set-module-guard', false, () => fill(page, 'Module guard', guard))
  await change(page, 'set-handler', false, () => choose(page, 'New contract', handler))
}

async function chooseLimit(page: Page): Promise<void> {
  await choose(page, 'Allowance Module', module)
  await fill(page, 'Who may spend', team.stranger.address)
}

async function takeAway(page: Page, { hasGuard, hasGuardOfModules }: Changed): Promise<void> {
  await change(page, 'reset-limit', true, () => chooseLimit(page))
  await change(page, 'delete-limit', false, () => chooseLimit(page))
  await change(page, 'disable-module', false, () => choose(page, 'Module', module))
  if (hasGuard) await change(page, 'set-guard', false, () => choose(page, 'New contract', 'none'))
  if (hasGuardOfModules) await change(page, 'set-module-guard', false, () => choose(page, 'New contract', 'none'))
  await change(page, 'set-handler', false, () => choose(page, 'New contract', 'none'))
  await change(page, 'remove-owner', false, async () => {
    await choose(page, 'Owner who leaves', team.relayer.address)
    await choose(page, 'Confirmations needed', '1')
  })
}

/** Answers each point of the review: ticks, and types what changes, by what it is that changes. */
async function answer(page: Page, typed: Readonly<Record<string, string>>): Promise<void> {
  await tickAll(page)
  for (const finding of await page.locator('[data-way="typed"]').all()) {
    const id = (await finding.getAttribute('data-demand')) ?? ''
    const what = typed[id]
    if (what === undefined) throw new Error(`Nothing is typed for ${id}.`)
    await typeChange(page, id, what)
  }
}

async function propose(
  { page, url }: Owner,
  { chainId, safeAddress }: SafeAt,
  compose: () => Promise<void>,
  typed: Readonly<Record<string, string>>,
) {
  await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
  await page.getByLabel('Type', { exact: true }).waitFor()
  await compose()
  await page.locator('[data-settings="afterwards"]').waitFor()
  await press(page, names.review)
  await answer(page, typed)
  await press(page, names.propose)
  return safeTxHashOf(page)
}

describe('owners, module, limit, guards and handler', () => {
  test.each(isSoak ? (['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const) : (['1.5.0'] as const))(
    'behavior: of a Safe %s, given and taken away as the forms said it',
    async (version) => {
      const safe = await safeOf(version)
      const { chainId, safeAddress } = safe
      const guard = await deployCode(scene.rpcUrl, YES)
      const handler = otherHandler(version)
      const hasGuard = version !== '1.1.1'
      const changed: Changed = { guard, handler, hasGuard, hasGuardOfModules: version === '1.5.0' }
      const chain = createPublicClient({ transport: http(scene.rpcUrl) })
      const request = (call: unknown) => chain.request(call as never)
      const read = (): Promise<SafeState> => readSafeState(request, safeAddress, chainId)
      const limits = async () => (await readSpendingLimits(request, safeAddress, module)).limits
      const lastOf = (address: Address) => address.slice(-6)
      const given = {
        'OWNER-QUORUM-UNKNOWN': lastOf(team.relayer.address),
        'MODULE-ENABLE': lastOf(module),
        'GUARD-SET': lastOf(guard),
        'MODGUARD-CHANGE': lastOf(guard),
      }
      const anna = await scene.owner(team.anna.privateKey)
      const { page } = anna
      await comeBack(anna)
      const turn = widthsInTurn(page, ['1.1.1', '1.4.1'].includes(version))
      turns.set(page, turn)
      await addSafe(anna, safeAddress)
      const execute = async (by: typeof team.bruno, hash: `0x${string}`, typed: Readonly<Record<string, string>>) => {
        await confirmByScript(await signInByScript(scene.product.url, by.privateKey, chainId), safe, hash)
        await turn()
        await answer(page, typed)
        await executeButton(page).click()
        await statusText(page, names.executed).waitFor()
      }

      const first = await propose(anna, safe, () => give(page, changed), given)
      await execute(team.bruno, first, given)
      const after = await read()
      expect(after.owners.toSorted()).toEqual([team.anna.address, team.relayer.address].toSorted())
      expect(after).toMatchObject({
        threshold: 2,
        modules: [module],
        guard: hasGuard ? guard : null,
        fallbackHandler: handler,
        moduleGuard: changed.hasGuardOfModules ? guard : null,
      })

      expect(await limits()).toMatchObject([{ delegate: team.stranger.address, amount: parseEther('1') }])

      const taken = { 'THRESHOLD-DOWN': '1' }
      const second = await propose(anna, safe, () => takeAway(page, changed), taken)
      await execute(team.relayer, second, taken)
      expect(await read()).toMatchObject({
        owners: [team.anna.address],
        threshold: 1,
        modules: [],
        guard: null,
        moduleGuard: null,
        fallbackHandler: null,
        nonce: 2n,
      })
      expect(await limits()).toEqual([])
    },
  )
})

describe('a spending limit', () => {
  test('behavior: set, spent by its delegate alone, begun anew and removed, each by its form', async () => {
    await fundTeam(scene.rpcUrl)
    const safe = await scene.newSafe()
    const { chainId, safeAddress } = safe
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const anna = await scene.owner(team.anna.privateKey)
    const { page, url } = anna
    await comeBack(anna)
    await addSafe(anna, safeAddress)
    const typed = { 'MODULE-ENABLE': module.slice(-6) }
    const carryOut = async () => {
      await press(page, names.review)
      await answer(page, typed)
      await press(page, names.propose)
      const hash = await safeTxHashOf(page)
      await confirmByScript(await signInByScript(scene.product.url, team.bruno.privateKey, chainId), safe, hash)
      await answer(page, typed)
      await executeButton(page).click()
      await statusText(page, names.executed).waitFor()
    }
    /** The form of a limit, from its line among the settings. */
    const open = async (action: string, spent: string) => {
      await page.goto(`${url}${sectionPath(chainId, safeAddress, 'settings')}`)
      const line = page.locator(`[data-limit="${team.relayer.address}"]`)
      await line.getByText(spent).waitFor()
      await line.getByRole('link', { name: action, exact: true }).click()
    }
    const standing = page.locator('[data-limit-standing="read"] dd')

    await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
    await change(page, 'enable-module', true, () => fill(page, 'Module', module))
    await change(page, 'set-limit', false, async () => {
      await choose(page, 'Allowance Module', module)
      await fill(page, 'Who may spend', team.relayer.address)
      await fill(page, names.amount, '1')
      await choose(page, 'The limit starts anew', '1440')
    })
    await expect.poll(() => standing.allTextContents()).toEqual(['No limit', expect.stringMatching(/^0 of 1 /)])
    await carryOut()

    const spend = (amount: string) =>
      sendAs(team.relayer.privateKey, scene.rpcUrl, {
        to: module,
        data: encodeFunctionData({
          abi: parseAbi([
            'function executeAllowanceTransfer(address safe, address token, address to, uint96 amount, address paymentToken, uint96 payment, address delegate, bytes signature)',
          ]),
          args: [
            safeAddress,
            zeroAddress,
            team.stranger.address,
            parseEther(amount),
            zeroAddress,
            0n,
            team.relayer.address,
            '0x',
          ],
        }),
      })
    const before = await chain.getBalance(team.stranger)
    await spend('0.4')
    expect((await chain.getBalance(team.stranger)) - before).toBe(parseEther('0.4'))
    await expect(spend('0.7')).rejects.toThrow()

    await open('Reset', '0.4 of 1 ETH spent')
    await expect.poll(() => standing.allTextContents()).toEqual(['0.4 of 1 ETH spent', '0 of 1 ETH spent'])
    await carryOut()
    await open('Remove', '0 of 1 ETH spent')
    await expect.poll(() => standing.last().textContent()).toBe('No limit')
    await carryOut()
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'settings')}`)
    await page.getByText('The module is enabled, and nobody has a limit.').waitFor()
    await expect(spend('0.1')).rejects.toThrow()

    // A limit that is kept while the module is disabled counts once it is enabled: the form warns of it.
    const limits = 'function setAllowance(address delegate, address token, uint96 amount, uint16 minutes, uint32 base)'
    await requestNode(scene.rpcUrl, 'anvil_impersonateAccount', safeAddress)
    for (const [to, data] of [
      [
        module,
        encodeFunctionData({
          abi: parseAbi([limits]),
          args: [team.relayer.address, zeroAddress, parseEther('2'), 0, 0],
        }),
      ],
      [
        safeAddress,
        encodeFunctionData({
          abi: parseAbi(['function disableModule(address previous, address module)']),
          args: ['0x0000000000000000000000000000000000000001', module],
        }),
      ],
    ] as const)
      await requestNode(scene.rpcUrl, 'eth_sendTransaction', { from: safeAddress, to, data, gas: '0x493e0' })
    await expect(spend('0.1')).rejects.toThrow()
    await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
    await change(page, 'enable-module', true, () => fill(page, 'Module', module))
    await page.getByText('This module still stores 1 spending limit of the Safe.').waitFor()
  })
})
