import type { Page, Route } from 'playwright-core'
import { type Address, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comeBack, confirmButton, names, type Owner, openTransaction } from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

type Served = { safeTxHash: Hex; safeTx: Record<string, unknown>; confirmations: { signature: Hex }[] }
type Tamper = (served: Served) => void

const otherAddress: Address = team.relayer.address
const field = (name: string, value: unknown): [string, Tamper] => [
  name,
  ({ safeTx }) => {
    if (safeTx[name] === value) throw new Error(`\`${name}\` already is \`${String(value)}\``)
    safeTx[name] = value
  },
]

/** Each served field, changed alone, as a server that lies about one thing would. */
const tampers: [string, Tamper][] = [
  field('to', otherAddress),
  field('value', '1'),
  field('data', '0x00'),
  field('operation', 1),
  field('safeTxGas', '1'),
  field('baseGas', '1'),
  field('gasPrice', '1'),
  field('gasToken', otherAddress),
  field('refundReceiver', otherAddress),
  field('nonce', '7'),
  [
    'safeTxHash',
    (served) => {
      served.safeTxHash = flip(served.safeTxHash, 40)
    },
  ],
  [
    'a signature',
    ({ confirmations: [first] }) => {
      if (!first) throw new Error('there is no confirmation to change')
      first.signature = flip(first.signature, 40)
    },
  ],
]

let scene: Scene
let safe: SafeAt
let safeTxHash: Hex
let bruno: Owner
const confirmationsSent: string[] = []

beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  const anna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  await addSafeByScript(anna, safe.safeAddress)
  const proposed = await proposeByScript(anna, safe, {
    to: team.stranger.address,
    value: parseEther('0.1'),
    nonce: 0n,
  })
  safeTxHash = proposed.safeTxHash
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
  bruno.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/confirmations')) confirmationsSent.push(request.url())
  })
})
afterAll(() => scene?.close())

describe('a reply that was changed on its way', () => {
  test('default: unchanged, Confirm is offered', async () => {
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator('[data-confirm="offered"]').waitFor()
    expect(await bruno.page.getByText(names.doNotSign).count()).toBe(0)
  })

  test.each(tampers)('behavior: %s changed, Confirm is refused', async (_, tamper) => {
    const stop = await changeReplies(bruno.page, tamper)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.getByText(names.doNotSign).first().waitFor()
    const confirm = confirmButton(bruno.page)
    expect((await confirm.count()) === 0 || (await confirm.first().isDisabled())).toBe(true)
    expect(confirmationsSent).toEqual([])
    expect(bruno.wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4')).toEqual([])
    expect(stop.changed()).toBeGreaterThan(0)
    await stop()
  })
})

type Stop = (() => Promise<void>) & { changed: () => number }

async function changeReplies(page: Page, tamper: Tamper): Promise<Stop> {
  let changed = 0
  const pattern = new RegExp(`/api/chains/\\d+/transactions/${safeTxHash}$`)
  const answer = async (route: Route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { transaction: Served }
    tamper(body.transaction)
    changed += 1
    await route.fulfill({ response, json: body })
  }
  await page.route(pattern, answer)
  return Object.assign(() => page.unroute(pattern, answer), { changed: () => changed })
}

/** Changes one digit of the hex. */
function flip(hex: Hex, at: number): Hex {
  const digit = hex[at] === 'a' ? 'b' : 'a'
  return `0x${hex.slice(2, at)}${digit}${hex.slice(at + 1)}`
}
