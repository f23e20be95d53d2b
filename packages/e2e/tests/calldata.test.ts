import { encodeMultiSend } from '@countersign/safe/calls'
import { concat, encodeFunctionData, type Hex, parseAbi, size, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, type Owner, openTransaction } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const multiSendCallOnly = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const abi = parseAbi(['function multiSend(bytes transactions)', 'function transfer(address to, uint256 amount)'])
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [team.stranger.address, 5n] })

let scene: Scene
let safe: SafeAt
let anna: ScriptOwner
let bruno: Owner

beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
})
afterAll(() => scene?.close())

/** Opens a proposal with this data, and the list of its calls. */
async function openCalls(to: Hex, data: Hex, operation: 0 | 1, nonce: bigint) {
  const { safeTxHash } = await proposeByScript(anna, safe, { to, data, operation, nonce })
  await openTransaction(bruno, safe.safeAddress, safeTxHash)
  await bruno.page.getByText(/^All calls, one by one/).click()
  return bruno.page.locator('[data-call-doubts]')
}

describe('bytes that hide something', () => {
  test('behavior: data after the arguments is named, with its place', async () => {
    const doubts = await openCalls(team.stranger.address, concat([transfer, '0xc0ffee']), 0, 0n)
    await doubts.first().waitFor()
    expect(await doubts.first().textContent()).toContain('3 bytes of the call data are not decoded. bytes 68 to 70')
    expect(await doubts.locator('[data-call-issue]').getAttribute('data-call-issue')).toBe('trailing-bytes')
  })

  test('behavior: data that the batch contract would ignore is named, and the entries before it are read', async () => {
    const blob = encodeMultiSend([{ to: team.stranger.address, value: 0n, data: transfer }])
    const entries = slice(blob, 68, 68 + 85 + size(transfer))
    const data = encodeFunctionData({ abi, functionName: 'multiSend', args: [concat([entries, '0xdecade'])] })
    const doubts = await openCalls(multiSendCallOnly, data, 1, 1n)
    await doubts.first().waitFor()
    expect(await doubts.locator('[data-call-issue]').getAttribute('data-call-issue')).toBe('batch-leftover')
    expect(await doubts.first().textContent()).toContain('bytes 221 to 223')
    await bruno.page.getByText('transfer(address,uint256)').first().waitFor()
    await bruno.page.setViewportSize({ width: 360, height: 800 })
    const { scrollWidth } = await bruno.page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }))
    expect(scrollWidth).toBeLessThanOrEqual(360)
  })

  test('behavior: nothing is said of a call that is what it seems', async () => {
    await bruno.page.setViewportSize({ width: 1280, height: 800 })
    const doubts = await openCalls(team.stranger.address, transfer, 0, 2n)
    await bruno.page.getByText('transfer(address,uint256)').first().waitFor()
    expect(await doubts.count()).toBe(0)
  })
})
