import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSafeState } from '@countersign/safe'
import { createPublicClient, erc20Abi, type Hex, http, keccak256, parseAbi } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { startAnvil } from './anvil.ts'
import { canonicalContracts } from './canonical-contracts.ts'
import { demoScenario } from './demo.ts'
import { readCodes, requestNode } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-devnet-'))
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(async () => {
  await devnet?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('startDevnet', () => {
  test('behavior: has the official contracts of three versions, at the canonical addresses', async () => {
    const contracts = canonicalContracts()
    expect(contracts).toHaveLength(33)
    const addresses = contracts.map(({ address }) => address)
    expect(addresses).toContain('0x3E5c63644E683549055b9Be8653de26E0B4CD36E')
    expect(addresses).toContain('0x29fcB43b46531BcA003ddC8FCB67FFE91900C762')
    expect(addresses).toContain('0xEdd160fEBBD92E350D4D398fb636302fccd67C7e')
    const hashes = (await readCodes(devnet.rpcUrl, addresses)).map((code) => keccak256(code))
    expect(hashes).toEqual(contracts.map(({ codeHash }) => codeHash))
  })

  test('behavior: has a funded 2-of-3 demo Safe with a settled history', async () => {
    const state = await readSafeState(
      ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params),
      devnet.demoSafe,
      devnet.chainId,
    )
    expect(state).toMatchObject({
      owners: expect.arrayContaining(demoAccounts.slice(0, 3).map(({ address }) => address)),
      threshold: 2,
      nonce: 3n,
      version: '1.4.1+L2',
      modules: [],
      guard: null,
      balance: demoScenario.balance,
    })
    expect(state.owners).toHaveLength(3)

    const client = createPublicClient({ transport: http(devnet.rpcUrl) })
    const balance = await client.readContract({
      address: devnet.tokens.erc20,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [devnet.demoSafe],
    })
    expect(balance).toBe(demoScenario.tokenBalance)
    const [event] = parseAbi(['event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)'])
    const logs = await client.getLogs({ address: devnet.demoSafe, event, fromBlock: 0n })
    expect(logs).toHaveLength(demoScenario.historyLength)
  })

  test('behavior: mines what anvil left in its pool', async () => {
    const { rpcUrl } = devnet
    // Each burns so much gas that a block has room for one; anvil mines that, and waits for something to happen.
    const endless = { from: demoAccounts[8].address, data: '0x5b600056', gas: '0x1000000' }
    await requestNode(rpcUrl, 'evm_setAutomine', false)
    await requestNode(rpcUrl, 'eth_sendTransaction', endless)
    const second = await requestNode(rpcUrl, 'eth_sendTransaction', endless)
    await requestNode(rpcUrl, 'evm_setAutomine', true)
    await vi.waitUntil(() => requestNode(rpcUrl, 'eth_getTransactionReceipt', second), { timeout: 20_000 })
  })

  test('behavior: a restart with the state file goes on with the same chain', async () => {
    const statePath = join(folder, 'kept', 'chain.json')
    const first = await startDevnet({ port: 0, statePath })
    expect(first.fresh).toBe(true)
    await requestNode(first.rpcUrl, 'evm_mine')
    const blocks = await readBlocks(first.rpcUrl)
    await first.close()

    const second = await startDevnet({ port: 0, statePath })
    try {
      expect(second.fresh).toBe(false)
      expect(await readBlocks(second.rpcUrl)).toEqual(blocks)
    } finally {
      await second.close()
    }
  })

  test('behavior: the chain is written while it runs, so that a killed node loses little', async () => {
    const statePath = join(folder, 'killed', 'chain.json')
    const first = await startDevnet({ port: 0, statePath })
    const { mtimeMs } = statSync(statePath)
    await requestNode(first.rpcUrl, 'evm_mine')
    const blocks = await readBlocks(first.rpcUrl)
    await vi.waitUntil(() => statSync(statePath).mtimeMs > mtimeMs, { timeout: 20_000 })
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    await first.close()

    const second = await startDevnet({ port: 0, statePath })
    try {
      expect(await readBlocks(second.rpcUrl)).toEqual(blocks)
    } finally {
      await second.close()
    }
  })

  test('behavior: a chain that cannot be saved goes on and says so, and is saved when it can be', async () => {
    const statePath = join(folder, 'refused', 'chain.json')
    const said: string[] = []
    const refused = await startDevnet({ port: 0, statePath, log: (text) => said.push(text) })
    mkdirSync(`${statePath}.new`)
    await requestNode(refused.rpcUrl, 'evm_mine')
    await vi.waitUntil(() => said.some((text) => /cannot be saved: EISDIR/.test(text)), { timeout: 60_000 })
    rmSync(`${statePath}.new`, { recursive: true })
    await vi.waitUntil(() => said.includes('The local chain is saved again'), { timeout: 60_000 })
    const blocks = await readBlocks(refused.rpcUrl)
    await refused.close()
    const second = await startDevnet({ port: 0, statePath })
    expect(await readBlocks(second.rpcUrl)).toEqual(blocks)
    await second.close()
  })

  test('behavior: a node that outlived its parent is ended, and its newest state taken', async () => {
    const statePath = join(folder, 'orphan', 'chain.json')
    const orphan = await startDevnet({ port: 0, statePath })
    await requestNode(orphan.rpcUrl, 'evm_mine')
    const blocks = await readBlocks(orphan.rpcUrl)

    const second = await startDevnet({ port: 0, statePath })
    try {
      await orphan.exited
      expect(await readBlocks(second.rpcUrl)).toEqual(blocks)
    } finally {
      await second.close()
    }
  })

  test('behavior: takes the next port when the wanted one is taken, and says so', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
    const lines: string[] = []
    const other = await startDevnet({ port, log: (text) => lines.push(text) })
    try {
      expect(other.port).toBeGreaterThan(port)
      expect(lines.join('\n')).toContain(`Port ${port} is taken`)
    } finally {
      await other.close()
      server.close()
    }
  })

  test('behavior: another node that takes the port between the look and the start is not taken for ours', async () => {
    const stranger = createHttpServer((_, response) => response.end('[{"jsonrpc":"2.0","id":0,"result":"0x1"}]'))
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const address = stranger.address()
    const wanted = typeof address === 'object' && address ? address.port : 0
    await new Promise((resolve) => stranger.close(resolve))
    // The look has the port while it lasts.
    const takePort = () =>
      stranger
        .once('error', () => setImmediate(takePort))
        .listen(wanted, '127.0.0.1', () => stranger.removeAllListeners('error'))
    const starting = startAnvil({ port: wanted, chainId: 7 })
    takePort()
    const anvil = await starting
    try {
      expect(stranger.listening).toBe(true)
      expect(anvil.port).not.toBe(wanted)
      expect(await requestNode(anvil.rpcUrl, 'eth_chainId')).toBe('0x7')
    } finally {
      stranger.close()
      await anvil.close()
    }
  })

  test('behavior: old states are kept beside the chain, and go with the node', async () => {
    const statePath = join(folder, 'long.json')
    const runs = () => readdirSync(folder).filter((name) => name.startsWith('long.json.run'))
    const killed = 'long.json.run-of-a-node-that-was-killed'
    mkdirSync(join(folder, killed, 'anvil-state-1'), { recursive: true })
    const anvil = await startAnvil({ port: 0, chainId: 7, statePath })
    expect(runs()).toEqual([expect.stringMatching(/^long\.json\.run-/)])
    await requestNode(anvil.rpcUrl, 'anvil_mine', '0x300')
    const states = () => runs().flatMap((run) => readdirSync(join(folder, run)))
    await vi.waitUntil(() => states().some((name) => name.startsWith('anvil-state-')), { timeout: 20_000 })
    await anvil.close()
    expect(runs()).toEqual([])
  })

  test('behavior: has the same contracts under another chain id', async () => {
    const other = await startDevnet({ port: 0, chainId: 31338 })
    try {
      expect(await requestNode(other.rpcUrl, 'eth_chainId')).toBe('0x7a6a')
      expect(other.demoSafe).toBe(devnet.demoSafe)
    } finally {
      await other.close()
    }
  })

  test('error: CHAIN_UNREACHABLE when the state file is damaged, and the file stays', async () => {
    const statePath = join(folder, 'damaged.json')
    writeFileSync(statePath, '{"block":')
    await expect(startDevnet({ port: 0, statePath })).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' })
    expect(readFileSync(statePath, 'utf8')).toBe('{"block":')
  })
})

describe('demoAccounts', () => {
  test('default: are those of anvil', () => {
    const mnemonic = 'test test test test test test test test test test test junk'
    expect(demoAccounts.map(({ address }) => address)).toEqual(
      demoAccounts.map((_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address),
    )
  })
})

async function readBlocks(rpcUrl: string): Promise<unknown[]> {
  const latest = Number((await requestNode(rpcUrl, 'eth_blockNumber')) as Hex)
  const blocks = await Promise.all(
    [0, 1, latest].map((number) => requestNode(rpcUrl, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)),
  )
  return blocks.map((block) => (typeof block === 'object' && block && 'hash' in block ? block.hash : undefined))
}
