import { type Devnet, demoAccounts, deployOldSafe, deploySafe, requestNode, startDevnet } from '@countersign/devnet'
import { hashSafeTx, newSafeTx, readSafeState, type SafeTx } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, numberToHex, pad, parseAbi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createRequest, type RpcRequest } from '../../../api/chain-client.ts'
import { readObservation } from '../../../api/sent-transaction.ts'
import { observeExecution, type SentExecution } from '../execution/execution-state.ts'
import { executeInSequence, type SentSight, standingOfSent } from './execution-queue.ts'

// Lists of executions on a chain: each sent, followed by what the node shows, and ended as the page ends it.

const [owner, payee] = demoAccounts
const chainId = 31337
const safeAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])

let devnet: Devnet
let request: RpcRequest
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  request = createRequest(async (batch) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(devnet.rpcUrl, { method: 'POST', headers, body: JSON.stringify(batch) })
    return response.json()
  })
})
afterAll(() => devnet?.close())
afterEach(() => ask('evm_setAutomine', true))

const ask = (method: string, ...params: unknown[]) => requestNode(devnet.rpcUrl, method, ...params)
const wei = (value: bigint) => ({ to: payee.address, value })
let salt = 16_000n

/** A Safe of one owner that holds 5 ETH, and the transactions of its next nonces, which the owner can execute. */
async function listOf(fields: readonly Partial<SafeTx>[], version: '1.0.0' | '1.4.1' = '1.4.1') {
  const made = { rpcUrl: devnet.rpcUrl, chainId, owners: [owner.address], threshold: 1, saltNonce: salt++ }
  const safeAddress =
    version === '1.0.0' ? await deployOldSafe({ ...made, version }) : await deploySafe({ ...made, version })
  await send({ to: safeAddress, value: parseEther('5') })
  await ask('evm_mine')
  return fields.map((one, index) => {
    const safeTx = newSafeTx({ ...wei(1n), nonce: BigInt(index), ...one })
    const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
    return { safeAddress, safeTx, safeTxHash, nonce: safeTx.nonce }
  })
}

/** Sends without an estimate: what fails is mined, and fails on the chain. */
function send(fields: { to: Address; value?: bigint; data?: Hex; nonce?: number; fee?: bigint }): Promise<unknown> {
  const { to, value = 0n, data = '0x', nonce, fee } = fields
  return ask('eth_sendTransaction', {
    from: owner.address,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(500_000n),
    ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
    ...(fee === undefined ? {} : { maxFeePerGas: numberToHex(fee), maxPriorityFeePerGas: numberToHex(fee) }),
  })
}

type Listed = Awaited<ReturnType<typeof listOf>>[number]

async function sendOne({ safeAddress, safeTx }: Listed): Promise<SentExecution> {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = safeTx
  const bySender: Hex = `${pad(owner.address)}${'0'.repeat(64)}01`
  const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, bySender] as const
  const accountNonce = Number(await ask('eth_getTransactionCount', owner.address, 'pending'))
  const input = encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args })
  const transactionHash = (await send({ to: safeAddress, data: input })) as Hex
  return {
    transactionHash,
    executor: owner.address,
    accountNonce,
    submissionDate: new Date().toISOString(),
  }
}

/** Carries a list out. `whileWaiting` happens to each once it is sent. */
async function run(list: readonly Listed[], whileWaiting: (index: number) => Promise<unknown> | undefined) {
  const stands: string[] = list.map(() => 'not sent')
  let isStopped = false
  await executeInSequence(list, {
    executeOne: async (one) => {
      const index = list.indexOf(one)
      const sent = await sendOne(one)
      if ((await whileWaiting(index)) === 'stop') isStopped = true
      for (let undecided = 0; ; ) {
        const seen = observeExecution(sent, one, await readObservation(request, sent))
        const { nonce } = await readSafeState(request, one.safeAddress, chainId)
        const standing = standingOfSent({ seen, served: undefined, isUsed: nonce > one.nonce, undecided })
        undecided = standing.undecided
        stands[index] = standing.progress.step
        if (standing.isExecuted !== null) return standing.isExecuted
      }
    },
    isEnded: () => isStopped,
    onFailed: (one, error) => {
      stands[list.indexOf(one)] = `failed: ${(error as Error).message}`
    },
    onDone: () => {},
  })
  const [first] = list
  const { nonce } = await readSafeState(request, first?.safeAddress ?? payee.address, chainId)
  return { stands, nonce }
}

describe('executeInTurn', () => {
  test('default: each is executed, one after the other', async () => {
    const list = await listOf([{}, {}, {}])
    expect(await run(list, () => undefined)).toEqual({ stands: ['executed', 'executed', 'executed'], nonce: 3n })
  })

  test('behavior: of a Safe 1.0.0, which has no event of a success', async () => {
    const list = await listOf([{}, {}, { ...wei(parseEther('6')), safeTxGas: 50_000n }, {}], '1.0.0')
    const stands = ['executed', 'executed', 'inner-failed', 'not sent']
    expect(await run(list, () => undefined)).toEqual({ stands, nonce: 3n })
  })

  test('behavior: one that reverts on the chain ends the list, and nothing after it is sent', async () => {
    const list = await listOf([{}, wei(parseEther('6')), {}])
    expect(await run(list, () => undefined)).toEqual({ stands: ['executed', 'reverted', 'not sent'], nonce: 1n })
  })

  test('behavior: so does one whose own call fails, although it uses up its nonce', async () => {
    const list = await listOf([{}, { ...wei(parseEther('6')), safeTxGas: 50_000n }, {}])
    expect(await run(list, () => undefined)).toEqual({ stands: ['executed', 'inner-failed', 'not sent'], nonce: 2n })
  })

  test('behavior: one that is cancelled while it waits ends the list', async () => {
    const list = await listOf([{}, {}, {}])
    const cancelSecond = async (index: number) => {
      if (index === 0) return ask('evm_setAutomine', false)
      const nonce = Number(await ask('eth_getTransactionCount', owner.address, 'latest'))
      await send({ to: owner.address, nonce, fee: 50_000_000_000n })
      return ask('evm_mine')
    }
    expect(await run(list, cancelSecond)).toEqual({ stands: ['executed', 'replaced', 'not sent'], nonce: 1n })
  })

  test('behavior: one that is refused in the wallet ends the list', async () => {
    const done: string[] = []
    const told: string[] = []
    await executeInSequence(['a', 'b', 'c'], {
      executeOne: async (one) => {
        if (one === 'b') throw new Error('refused')
        return true
      },
      isEnded: () => false,
      onFailed: (one, error) => told.push(`${one} ${(error as Error).message}`),
      onDone: (one) => done.push(one),
    })
    expect({ done, told }).toEqual({ done: ['a', 'b'], told: ['b refused'] })
  })

  test('behavior: one that waits when the list is stopped is followed to its end, and is the last', async () => {
    const list = await listOf([{}, {}, {}])
    const stopAtSecond = async (index: number) => (index === 1 ? 'stop' : null)
    expect(await run(list, stopAtSecond)).toEqual({ stands: ['executed', 'executed', 'not sent'], nonce: 2n })
  })
})

describe('standingOfSent', () => {
  const sight = (fields: Partial<SentSight>): SentSight => ({
    seen: { step: 'waiting' },
    served: undefined,
    isUsed: false,
    undecided: 0,
    ...fields,
  })
  const waits = { progress: { step: 'waiting' }, isExecuted: null }

  test('default: the list goes on once the receipt and the nonce say so', () => {
    const seen = { step: 'executed' } as const
    expect(standingOfSent(sight({ seen }))).toMatchObject({ progress: seen, isExecuted: null })
    expect(standingOfSent(sight({ seen, isUsed: true }))).toMatchObject({ progress: seen, isExecuted: true })
    expect(standingOfSent(sight({}))).toMatchObject(waits)
  })

  test('behavior: one that the node lost is what the server read of it', () => {
    const seen = { step: 'replaced' } as const
    const read = { isExecuted: true, isSuccessful: true }
    expect(standingOfSent(sight({ seen, isUsed: true, served: read }))).toMatchObject({
      progress: { step: 'executed' },
      isExecuted: true,
    })
    expect(standingOfSent(sight({ seen, isUsed: true, served: { ...read, isSuccessful: false } }))).toMatchObject({
      progress: { step: 'inner-failed' },
      isExecuted: false,
    })
    expect(standingOfSent(sight({ seen }))).toMatchObject({ progress: seen, isExecuted: false })
  })

  test('behavior: a used nonce that nobody explains is waited for, and not for ever', () => {
    const seen = { step: 'dropped' } as const
    let undecided = 0
    for (let polls = 0; polls < 20; polls++) {
      const standing = standingOfSent(sight({ seen, isUsed: true, undecided }))
      expect(standing).toMatchObject(waits)
      undecided = standing.undecided
    }
    expect(standingOfSent(sight({ seen, isUsed: true, undecided }))).toMatchObject({
      progress: seen,
      isExecuted: false,
    })
  })
})
