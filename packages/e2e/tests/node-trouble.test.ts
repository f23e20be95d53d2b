import { startDevnet } from '@countersign/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  openTransaction,
  safePath,
  statusText,
  verdict,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  readChains,
  readTransaction,
  signInByScript,
} from '../src/people/script-owner.ts'
import { newSafe, team } from '../src/people/team.ts'
import { createGate, type Gate } from '../src/product/gate.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const chainId = 845_311
const wrongChainId = 845_312
let scene: Scene
let gate: Gate
let node: Awaited<ReturnType<typeof startDevnet>>

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  gate = await createGate(node.rpcUrl)
  scene = await startScene({
    configuration: {
      chains: [
        { chainId, name: 'Far away', rpcUrls: [gate.rpcUrl] },
        { chainId: wrongChainId, name: 'Mistaken', rpcUrls: [node.rpcUrl] },
      ],
    },
    waitFor: 'healthz',
    // The wallet has its own way to the node.
    rpcUrl: node.rpcUrl,
    chainId,
  })
})
afterAll(async () => {
  await scene?.close()
  await gate?.close()
  await node?.close()
})
afterEach(() => scene?.closeOwners())

describe('a node that cannot be reached', () => {
  test('behavior: at the start it is said, an account is verified all the same, and later all works', async () => {
    const safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/response: 503/)
    // Nobody has added this Safe.
    anna.watch.expect(/response: 404 .*\/safes\//)
    await anna.page.goto(anna.url)
    await statusText(anna.page, 'Cannot reach the Far away node').waitFor()
    await comeBack(anna, '/')
    await statusText(anna.page, 'Cannot reach the Far away node').waitFor()
    await anna.page.goto(`${anna.url}${safePath(chainId, safe.safeAddress)}`)
    await statusText(anna.page, 'CHAIN_UNREACHABLE').waitFor()

    await gate.open()
    // By itself, without a reload.
    await anna.page.locator(`[data-address="${team.bruno.address}"]`).first().waitFor()
    await expect.poll(() => anna.page.getByText('Cannot reach the Far away node').count()).toBe(0)
    await addSafe(anna, safe.safeAddress)
    expect(await readChains(scene.product.url)).toMatchObject([{ status: 'ok' }, { status: 'wrong-chain' }])
  })

  test('behavior: lost later it is said, Confirm is refused, and nothing is written', async () => {
    await gate.open()
    const safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    const other = await signInByScript(scene.product.url, team.bruno.privateKey, chainId)
    await addSafeByScript(script, safe.safeAddress)
    const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, nonce: 0n })
    const bruno = await scene.owner(team.bruno.privateKey)
    bruno.watch.expect(/response: 503/)
    await comeBack(bruno)
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)

    await gate.close()
    await confirmButton(bruno.page).click()
    await statusText(bruno.page, 'CHAIN_UNREACHABLE').waitFor()
    await verdict(bruno.page, /^cannot verify$/i).waitFor()
    await expect.poll(() => confirmButton(bruno.page).isDisabled()).toBe(true)
    expect(bruno.wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4')).toEqual([])
    const writes = [
      confirmByScript(other, safe, safeTxHash),
      proposeByScript(script, safe, { to: team.stranger.address, nonce: 1n }),
    ]
    for (const write of writes.map((one) => one.catch((error: unknown) => error)))
      expect(await write).toMatchObject({ code: 'CHAIN_UNREACHABLE' })
    expect((await readTransaction(script, safeTxHash)).confirmations).toHaveLength(1)

    await gate.open()
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    await confirmButton(bruno.page).click()
    await statusText(bruno.page, '2 of 2').waitFor()
  })
})

describe('a node of another chain than configured', () => {
  test('error: CHAIN_ID_MISMATCH, on screen and from the server', async () => {
    const safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
    const script = await signInByScript(scene.product.url, team.anna.privateKey, wrongChainId)
    await expect(addSafeByScript(script, safe.safeAddress)).rejects.toMatchObject({ code: 'CHAIN_ID_MISMATCH' })
    const anna = await scene.owner(team.anna.privateKey)
    anna.watch.expect(/response: 503/)
    // Nobody has added this Safe.
    anna.watch.expect(/response: 404 .*\/safes\//)
    await comeBack(anna, '/')
    await statusText(anna.page, 'The Mistaken node is on the wrong chain').waitFor()
    await anna.page.goto(`${anna.url}${safePath(wrongChainId, safe.safeAddress)}`)
    await statusText(anna.page, 'CHAIN_ID_MISMATCH').waitFor()
  })
})
