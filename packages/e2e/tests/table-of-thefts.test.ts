import { call, proposeMessage } from '@countersign/contract'
import { startDevnet } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, type SafeTx, safeMessageTypedData } from '@countersign/safe'
import type { Locator } from 'playwright-core'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { isAttack, type Shape, shapeReader, shapes } from '../../review/vectors/verdicts/shapes.ts'
import { UI_TIMEOUT_MS } from '../src/browser/ui-timeout.ts'
import {
  accountsOf,
  giveAbis,
  nameKnown,
  type Place,
  placeOf,
  putCodes,
  settlePlace,
  standIn,
} from '../src/pages/table-stage.ts'
import { comeBack, confirmButton, type Owner, safePath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// The thefts of the table as the owner who is to sign next sees them: what the page reads of a chain leads it where the
// facts of the table lead the review. All of them in a soak, some by chance in each run.

const SAMPLE = 4

const thefts = shapes.filter(isAttack).flatMap((shape) => {
  const place = placeOf(shape)
  return place === null ? [] : [{ ...shape, place }]
})
const randomInt = createRandomInt()
const chosen = isSoak ? thefts : Array.from({ length: SAMPLE }, () => thefts.splice(randomInt(thefts.length), 1)).flat()

let scene: Scene
let node: Awaited<ReturnType<typeof startDevnet>>
let anna: ScriptOwner
let brunoByScript: ScriptOwner
let bruno: Owner
let nonce = 0n
const safes = new Map<string, SafeAt>()

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId: 1 })
  const chains = [{ chainId: 1, name: 'Ethereum', rpcUrls: [node.rpcUrl] }]
  scene = await startScene({ configuration: { chains }, rpcUrl: node.rpcUrl, chainId: 1 })
  await standIn(node.rpcUrl)
  anna = await signInByScript(scene.product.url, team.anna.privateKey, 1)
  brunoByScript = await signInByScript(scene.product.url, team.bruno.privateKey, 1)
  bruno = await scene.owner(team.bruno.privateKey)
  // A page asks what a hash may stand for, and the server knows of nothing.
  bruno.watch.expect(/^response: 404 \/api\/chains\/\d+\/(?:messages|transactions)\/0x[0-9a-f]{64}( \w+_NOT_FOUND)?$/)
  // Nobody reads hundreds of transactions within minutes. The page asks again.
  if (isSoak) bruno.watch.expect(/^response: 429 \/api\/chains\/1\/rpc RATE_LIMITED$/)
  await comeBack(bruno)
})
afterAll(async () => {
  await scene?.close()
  await node?.close()
})

async function safeAt(place: Place): Promise<SafeAt> {
  const key = JSON.stringify(place)
  const known = safes.get(key)
  if (known !== undefined) return known
  const made = await settlePlace(node.rpcUrl, place, BigInt(safes.size))
  safes.set(key, made)
  await addSafeByScript(anna, made.safeAddress)
  if (place.paid === null) await nameKnown(brunoByScript, made)
  return made
}

async function proposed(shape: Shape, safe: SafeAt): Promise<{ section: 'messages' | 'transactions'; hash: Hex }> {
  const { addressOf, batchOf, callOf, namesIn, readValue } = shapeReader(accountsOf(safe.safeAddress))
  if (shape.message !== undefined) {
    const content = JSON.stringify(namesIn(shape.message))
    const context = { ...safe, content: parseMessageContent(content) }
    const { safeMessageHash } = hashSafeMessage(context)
    const signature = await anna.account.signTypedData(safeMessageTypedData(context))
    const { chainId, safeAddress } = safe
    await call(anna.options, proposeMessage, { chainId, safeAddress, content, safeMessageHash, signature })
    return { section: 'messages', hash: safeMessageHash }
  }
  const ofBatch = shape.batch && {
    to: 'Official:multi-send-call-only',
    data: batchOf(shape.batch),
    operation: 1 as const,
  }
  const { to, value, data, operation } = callOf(ofBatch ?? shape.call ?? { to: 'Safe' })
  const fields = readValue(shape.fields ?? {}) as Partial<SafeTx>
  nonce += 1n
  const sent = { to: addressOf(to), value, data, operation: operation as 0 | 1, ...fields, nonce }
  return { section: 'transactions', hash: (await proposeByScript(anna, safe, sent)).safeTxHash }
}

/** From what lets an owner sign to what does not. */
const verdicts = ['matches', 'matches-with-warnings', 'cannot-verify', 'do-not-sign']

async function told(root: Locator, { verdict, findings }: Shape) {
  const shown = (await root.locator('[data-verdict]').first().getAttribute('data-verdict')) ?? ''
  const found = await root
    .locator('[data-finding]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-finding') ?? ''))
  const button = confirmButton(root.page())
  return {
    isMilder: verdicts.indexOf(shown) < verdicts.indexOf(verdict) && shown,
    missing: findings.filter((id) => !found.includes(id)),
    // No button before an answer, and none at all where there is no way.
    isOpen: (await button.count()) > 0 && (await button.isEnabled()),
  }
}

describe('the table of thefts', () => {
  test.each(chosen)('$file: $name', async ({ place, ...shape }) => {
    const safe = await safeAt(place)
    const takeCodesAway = await putCodes(node.rpcUrl, shape)
    const takeAbisAway = await giveAbis(brunoByScript, safe, shape)
    try {
      const { section, hash } = await proposed(shape, safe)
      const { page, url } = bruno
      await page.goto(`${url}${safePath(1, safe.safeAddress)}/${section}/${hash}`)
      const root = page.locator(`[data-transaction-page="${hash}"], [data-message-page="${hash}"]`)
      await root.locator('[data-verdict]').first().waitFor()
      await expect
        .poll(() => told(root, shape), { timeout: UI_TIMEOUT_MS })
        .toEqual({ isMilder: false, missing: [], isOpen: false })
    } finally {
      await takeAbisAway()
      await takeCodesAway()
    }
  })
})
