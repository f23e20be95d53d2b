import { call, proposeMessage } from '@countersign/contract'
import { deploySafe } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { gallery, type Stage, settleIn, sweptAccount } from '../src/pages/gallery.ts'
import { comeBack, confirmButton, type Owner, safePath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { fundTokens, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// Thefts against the contracts of the devnet, as the owner who is to sign next sees them: one page goes from each to the
// next.

let scene: Scene
let anna: ScriptOwner
let bruno: Owner
let safe: SafeAt
let stage: Stage
beforeAll(async () => {
  scene = await startScene()
  const { rpcUrl, chainId } = scene
  safe = await scene.newSafe()
  const { safeAddress } = safe
  const vault = await deploySafe({
    rpcUrl,
    chainId,
    version: '1.4.1',
    threshold: 1,
    owners: [safeAddress],
    saltNonce: BigInt(safeAddress),
  })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: vault, value: parseEther('100') })
  await fundTokens(scene, safeAddress)
  const { safeAddress: settled } = await scene.newSafe()
  const delegated = await deploySafe({
    rpcUrl,
    chainId,
    version: '1.4.1',
    threshold: 2,
    saltNonce: BigInt(settled),
    owners: [team.anna.address, team.bruno.address, sweptAccount],
  })
  await sendAs(team.relayer.privateKey, rpcUrl, { to: delegated, value: parseEther('1') })
  stage = { safe: safeAddress, vault, settled, delegated, guard: privateKeyToAddress(generatePrivateKey()) }
  await settleIn(rpcUrl, stage)
  anna = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
  for (const address of [safeAddress, settled, delegated]) await addSafeByScript(anna, address)
  bruno = await scene.owner(team.bruno.privateKey)
  // A page asks what a hash may stand for, and the server knows of nothing.
  bruno.watch.expect(/^response: 404 \/api\/chains\/\d+\/(?:messages|transactions)\/0x[0-9a-f]{64}( \w+_NOT_FOUND)?$/)
  await comeBack(bruno)
  await bruno.page.goto(`${bruno.url}${safePath(chainId, safeAddress)}`)
})
afterAll(() => scene?.close())

async function proposeMessageByScript(content: string): Promise<Hex> {
  const { chainId, safeAddress } = safe
  const context = { ...safe, content: parseMessageContent(content) }
  const { safeMessageHash } = hashSafeMessage(context)
  const signature = await anna.account.signTypedData(safeMessageTypedData(context))
  await call(anna.options, proposeMessage, { chainId, safeAddress, content, safeMessageHash, signature })
  return safeMessageHash
}

describe('the gallery of thefts', () => {
  const thefts = Object.entries(gallery)
  // Verdicts and findings are those of the review, whose own tests have each theft; all of them are shown in a soak.
  test.each(isSoak ? thefts : thefts.filter((_, index) => index % 4 === 0))(
    '%s',
    async (name, { verdict, finding, names, at, ...signed }) => {
      const { chainId } = safe
      const safeAddress = stage[at ?? 'safe']
      const nonce = BigInt(thefts.findIndex(([title]) => title === name))
      const [hash, section] =
        'message' in signed
          ? [await proposeMessageByScript(signed.message(stage)), 'messages']
          : [
              (await proposeByScript(anna, { ...safe, safeAddress }, { ...signed.transaction(stage), nonce }))
                .safeTxHash,
              'transactions',
            ]
      const { page } = bruno
      // As a link does: nothing is loaded anew.
      await page.evaluate((to) => history.pushState({}, '', to), `${safePath(chainId, safeAddress)}/${section}/${hash}`)
      const root = page.locator(`[data-transaction-page="${hash}"], [data-message-page="${hash}"]`)
      await root.locator(`[data-verdict="${verdict}"]`).first().waitFor()

      // The words that name the thing: where the finding stands, and in what is to be answered beside the button.
      const isAnswered = (await root.locator(`[data-demand="${finding}"]`).count()) > 0
      const places = isAnswered ? ['data-finding', 'data-demand'] : ['data-finding']
      for (const place of places) {
        const words = await root.locator(`[${place}="${finding}"]`).allTextContents()
        const text = words.join('\n').toLowerCase()
        const missing = names(stage).filter((word) => !text.includes(word.toLowerCase()))
        expect({ place, missing, text: missing.length > 0 ? text : '' }).toEqual({ place, missing: [], text: '' })
      }
      if (verdict === 'matches-with-warnings') expect(isAnswered).toBe(true)
      // No button before an answer, and none at all where there is no way.
      const button = confirmButton(page)
      if ((await button.count()) > 0) expect(await button.isEnabled()).toBe(false)
    },
  )
})
