import { createServer, type Server } from 'node:http'
import { startDevnet } from '@countersign/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  confirmButton,
  type Owner,
  openTransaction,
  statusText,
  verdict,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
} from '../src/people/script-owner.ts'
import { newSafe, team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const chainId = 845_331

type Call = { method: string }
type Answer = { id: number; result?: unknown }

let node: Awaited<ReturnType<typeof startDevnet>>
let between: Server
let lie: ((call: Call, result: unknown) => unknown) | null = null
let scene: Scene
let safe: SafeAt
let nonce = 0n

/** The operator's node: the real one, or one that lies. The wallet asks the real one. */
async function startNodeBetween(): Promise<string> {
  const port = await freePort()
  between = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const asked = [JSON.parse(body)].flat() as (Call & { id: number })[]
    const answered = await fetch(node.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const said: unknown = await answered.json()
    const told = ([said].flat() as Answer[]).map((answer) => {
      const call = asked.find(({ id }) => id === answer.id)
      return call && lie && answer.result !== undefined ? { ...answer, result: lie(call, answer.result) } : answer
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(said) ? told : told[0]))
  })
  await new Promise<void>((resolve) => between.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${port}`
}

beforeAll(async () => {
  node = await startDevnet({ port: await freePort(), chainId })
  const rpcUrl = await startNodeBetween()
  scene = await startScene({
    configuration: { chains: [{ chainId, name: 'Two sources', rpcUrls: [rpcUrl] }] },
    // The wallet has its own way to the node.
    rpcUrl: node.rpcUrl,
    chainId,
  })
  safe = await newSafe({ rpcUrl: node.rpcUrl, chainId, version: '1.4.1' })
})
afterAll(async () => {
  await scene?.close()
  between?.closeAllConnections()
  await new Promise((resolve) => between?.close(resolve))
  await node?.close()
})
afterEach(async () => {
  lie = null
  await scene?.closeOwners()
})

async function propose(): Promise<`0x${string}`> {
  const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
  await addSafeByScript(script, safe.safeAddress)
  const { safeTxHash } = await proposeByScript(script, safe, { to: team.stranger.address, nonce })
  nonce += 1n
  return safeTxHash
}

async function openAs(privateKey: `0x${string}`, safeTxHash: `0x${string}`): Promise<Owner> {
  const owner = await scene.owner(privateKey)
  await comeBack(owner)
  await addSafe(owner, safe.safeAddress)
  await openTransaction(owner, safe.safeAddress, safeTxHash)
  return owner
}

const grade = ({ page }: Owner) => page.locator('[data-verdict]').first().getAttribute('data-grade')

/** How many facts have which worth. */
const partsOf = ({ page }: Owner) => page.locator('[data-parts]').first().getAttribute('data-parts')

describe('sources of a block', () => {
  test('default: the node and the wallet name one block: the facts are proved', async () => {
    const bruno = await openAs(team.bruno.privateKey, await propose())
    await verdict(bruno.page, /^matches$/i).waitFor()
    expect(await grade(bruno)).toBe('proved')
    expect(await bruno.page.locator('[data-source="same"]').count()).toBe(2)
    expect(await partsOf(bruno)).toBe('proved 12')
  })

  test('behavior: the node alone: said by one node, and Confirm is on', async () => {
    const safeTxHash = await propose()
    const bruno = await openAs(team.bruno.privateKey, safeTxHash)
    // A wallet on another chain says nothing of this one.
    await bruno.wallet.switchChain(1)
    await verdict(bruno.page, /^matches, said by one node$/i).waitFor()
    expect(await grade(bruno)).toBe('one-node')
    await expect.poll(() => partsOf(bruno)).toBe('one-node 12')
    expect(await bruno.page.locator('[data-source="elsewhere"]').textContent()).toContain(bruno.wallet.name)
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
  })

  test('behavior: a wallet that hangs says nothing, and keeps nobody waiting', async () => {
    const safeTxHash = await propose()
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    await addSafe(bruno, safe.safeAddress)
    bruno.wallet.behave('read', 'hold')
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdict(bruno.page, /^matches, said by one node$/i).waitFor()
    expect(await grade(bruno)).toBe('one-node')
  })

  test('behavior: a wallet that names another block contradicts the node: cannot verify', async () => {
    const safeTxHash = await propose()
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    await addSafe(bruno, safe.safeAddress)
    bruno.wallet.behave('read', 'nonsense')
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await verdict(bruno.page, /^cannot verify$/i).waitFor()
    await bruno.page.locator('[data-finding="SOURCES-DISAGREE"]').first().waitFor()
  })

  test('behavior: a node that makes up a block is contradicted: cannot verify', async () => {
    const safeTxHash = await propose()
    lie = ({ method }, result) =>
      method === 'eth_getBlockByNumber' && result !== null
        ? { ...(result as object), hash: `0x${'ab'.repeat(32)}` }
        : result
    const bruno = await openAs(team.bruno.privateKey, safeTxHash)
    await verdict(bruno.page, /^cannot verify$/i).waitFor()
    await expect.poll(() => confirmButton(bruno.page).isDisabled()).toBe(true)
    await bruno.page.locator('[data-finding="SOURCES-DISAGREE"]').first().waitFor()
  })

  test('behavior: a node that lies about an owner cannot prove it: cannot verify', async () => {
    const safeTxHash = await propose()
    const [owner, other] = [team.bruno, team.stranger].map(({ address }) => address.slice(2).toLowerCase())
    lie = ({ method }, result) =>
      method === 'eth_getProof' ? JSON.parse(JSON.stringify(result).replaceAll(owner ?? '', other ?? '')) : result
    const bruno = await openAs(team.bruno.privateKey, safeTxHash)
    await verdict(bruno.page, /^cannot verify$/i).waitFor()
    await bruno.page.locator('[data-finding="PROOF-WRONG"]').first().waitFor()
    lie = null
    // By itself, once the node is honest.
    await bruno.page.reload()
    await verdict(bruno.page, /^matches$/i).waitFor()
    await confirmButton(bruno.page).click()
    await statusText(bruno.page, '2 of 2').waitFor()
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    expect((await readTransaction(script, safeTxHash)).confirmations).toHaveLength(2)
  })
})
