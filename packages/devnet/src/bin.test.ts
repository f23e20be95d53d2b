import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { requestNode } from './node-client.ts'
import { startDevnet } from './start.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-devnet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Message = Record<string, unknown> & { type: string }

function start(statePath: string, detached = false): ChildProcess {
  return fork(fileURLToPath(new URL('./bin.ts', import.meta.url)), ['--port', '0', '--state', statePath], {
    detached,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

function told(child: ChildProcess, type: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said ${type}`)))
    child.on('message', (message: Message) => {
      if (message.type === type) resolve(message)
    })
  })
}

async function isUp(rpcUrl: string): Promise<boolean> {
  return requestNode(rpcUrl, 'eth_chainId').then(
    () => true,
    () => false,
  )
}

describe('bin', () => {
  test('behavior: says when it is ready, answers a failed seed, and SIGTERM ends it with the state written', async () => {
    const statePath = join(folder, 'terminated.json')
    const child = start(statePath)
    const ready = await told(child, 'ready')
    expect(ready).toMatchObject({ chainId: 31337, fresh: true })
    expect(JSON.stringify(ready)).not.toContain('privateKey')
    expect(await isUp(String(ready.rpcUrl))).toBe(true)

    const failed = told(child, 'failed')
    child.send({ type: 'seed', serverUrl: 'http://127.0.0.1:9' })
    expect(await failed).toMatchObject({ code: 'SERVER_UNREACHABLE' })

    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(existsSync(statePath)).toBe(true)
    expect(await isUp(String(ready.rpcUrl))).toBe(false)
  })

  test('behavior: Ctrl-C in a terminal, which reaches the node itself too, loses nothing that was written', async () => {
    const statePath = join(folder, 'interrupted.json')
    const child = start(statePath, true)
    const { rpcUrl } = await told(child, 'ready')
    const { mtimeMs } = statSync(statePath)
    await requestNode(String(rpcUrl), 'evm_mine')
    const block = await requestNode(String(rpcUrl), 'eth_blockNumber')
    await vi.waitUntil(() => statSync(statePath).mtimeMs > mtimeMs, { timeout: 20_000 })
    process.kill(-Number(child.pid), 'SIGINT')
    expect((await once(child, 'exit'))[0]).toBe(0)

    await using next = await startDevnet({ port: 0, statePath })
    expect(await requestNode(next.rpcUrl, 'eth_blockNumber')).toBe(block)
  })

  test('behavior: ends when its parent disconnects', async () => {
    const child = start(join(folder, 'disconnected.json'))
    const { rpcUrl } = await told(child, 'ready')
    child.disconnect()
    expect((await once(child, 'exit'))[0]).toBe(0)
    expect(await isUp(String(rpcUrl))).toBe(false)
  })

  test('behavior: after kill -9 the next start takes over the chain', async () => {
    const statePath = join(folder, 'killed.json')
    const killed = start(statePath)
    const { rpcUrl } = await told(killed, 'ready')
    await requestNode(String(rpcUrl), 'evm_mine')
    const block = await requestNode(String(rpcUrl), 'eth_getBlockByNumber', 'latest', false)
    killed.kill('SIGKILL')
    await once(killed, 'exit')

    await using next = await startDevnet({ port: 0, statePath })
    expect(next.fresh).toBe(false)
    expect(await isUp(String(rpcUrl))).toBe(false)
    expect(await requestNode(next.rpcUrl, 'eth_getBlockByNumber', 'latest', false)).toEqual(block)
  })
})
