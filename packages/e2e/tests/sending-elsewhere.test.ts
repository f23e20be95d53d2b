import { call, createApiToken } from '@countersign/contract'
import { startDevnet } from '@countersign/devnet'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, confirmButton, type Owner, openTransaction, propose } from '../src/people/owner.ts'
import { addSafeByScript, readTransaction, type ScriptOwner, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { freePort, type Product, startProduct } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const chainId = 845_320
const to = team.stranger.address
let scene: Scene
let node: Awaited<ReturnType<typeof startDevnet>>
/** A second installation, which others of the team use. It keeps the Safes that Anna adds there, and no others. */
let there: Product
let host: string
let annaThere: ScriptOwner

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  const chain = { chainId, name: 'Another chain', rpcUrls: [node.rpcUrl] }
  there = await startProduct({
    configuration: { chains: [chain], access: { safes: 'admins', admins: [team.anna.address] } },
  })
  host = new URL(there.url).host
  annaThere = await signInByScript(there.url, team.anna.privateKey, chainId)
  const brunoThere = await signInByScript(there.url, team.bruno.privateKey, chainId)
  const { token } = await call(brunoThere.options, createApiToken, {
    name: 'here',
    expiresAt: null,
    scopes: ['read', 'propose', 'confirm'],
  })
  const bringFrom = { url: `${there.url}/tx-service/${chainId}/api`, apiKey: token }
  scene = await startScene({ configuration: { chains: [{ ...chain, bringFrom }] }, rpcUrl: node.rpcUrl, chainId })
})
afterAll(async () => {
  await scene?.close()
  await there?.[Symbol.asyncDispose]()
  await node?.close()
})
afterEach(() => scene?.closeOwners())

const place = ({ page }: Owner) => page.locator('[data-also-there]')
const send = (owner: Owner) =>
  place(owner)
    .getByRole('button', { name: `Send to ${host}, too` })
    .click()

test('default: an owner sends a proposal and what is confirmed later; the page says where it is', async () => {
  const safe = await scene.newSafe()
  await addSafeByScript(annaThere, safe.safeAddress)
  const [anna, bruno] = [await scene.owner(team.anna.privateKey), await scene.owner(team.bruno.privateKey)]
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  const safeTxHash = await propose(anna, safe.safeAddress, { to, amount: '0.5' })
  await place(anna).getByText(`This proposal is not at ${host}: owners who use it do not see it there.`).waitFor()
  expect(await faultsOf(anna.page)).toEqual([])
  await send(anna)
  await place(anna).getByText(`${host} has taken it.`).waitFor()
  await place(anna).getByText(`${host} has this proposal, with all confirmations that are here.`).waitFor()
  await place(anna).locator(`[data-outcome="taken"] [data-address="${team.anna.address}"]`).waitFor()
  const signers = async () => {
    const { confirmations } = await readTransaction(annaThere, safeTxHash)
    return confirmations.map(({ owner, signatureType }) => [owner, signatureType])
  }
  expect(await readTransaction(annaThere, safeTxHash)).toMatchObject({ proposer: team.anna.address })
  expect(await signers()).toEqual([[team.anna.address, 'EOA']])

  await comeBack(bruno)
  await openTransaction(bruno, safe.safeAddress, safeTxHash)
  await confirmButton(bruno.page).click()
  await place(bruno).getByText(`One confirmation that is here is not at ${host}.`).waitFor()
  await send(bruno)
  await place(bruno).getByText(`${host} has taken it.`).waitFor()
  await place(bruno).locator(`[data-outcome="there"] [data-address="${team.anna.address}"]`).waitFor()
  await place(bruno).locator(`[data-outcome="taken"] [data-address="${team.bruno.address}"]`).waitFor()
  expect((await signers()).map(([owner]) => owner).sort()).toEqual([team.anna.address, team.bruno.address].sort())
})

test('error: a service that refuses is told with its words, and one that is away with what to do', async () => {
  const safe = await scene.newSafe()
  const anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  await propose(anna, safe.safeAddress, { to, amount: '0.25' })
  // Nobody added this Safe there, and the account of the key may not.
  await send(anna)
  await place(anna).getByText(`${host} has not taken all of it.`).waitFor()
  const refused = place(anna).locator('[data-outcome="refused"]')
  await refused.getByText(`Refused by ${host}.`).waitFor()
  await refused.getByText('It answered 403: Only accounts that the operator of this server has named').waitFor()
  await refused.locator(`[data-address="${team.anna.address}"]`).waitFor()
  expect(await place(anna).getAttribute('data-also-there')).toBe('not')
  expect(await faultsOf(anna.page)).toEqual([])

  await there.stop()
  anna.watch.expect(/502 .*OTHER_SERVICE_FAILED/)
  await send(anna)
  await place(anna).getByText(`${host} did not answer, or its answer was too long.`).waitFor()
  await place(anna).getByText('Nothing was changed here. Try again,').waitFor()
})
