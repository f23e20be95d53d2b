import { hashSafeTx } from '@countersign/safe'
import { createPublicClient, erc20Abi, http, parseAbi, parseUnits, recoverAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { canonicalContract } from './canonical-contracts.ts'
import { demoExecution, demoQueue, demoScenario, isDemoSafeLost, readDemoNonce } from './demo.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'

const [alice, bob, carol] = demoAccounts
let devnet: Devnet
let snapshot: unknown

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(() => devnet?.close())
beforeEach(async () => {
  if (snapshot) await requestNode(devnet.rpcUrl, 'evm_revert', snapshot)
  snapshot = await requestNode(devnet.rpcUrl, 'evm_snapshot')
})

describe('demoQueue', () => {
  test('behavior: is the same every time, and signed by its proposers', async () => {
    const queue = await demoQueue(devnet.chainId)
    expect(await demoQueue(devnet.chainId)).toEqual(queue)
    expect([queue.harmless.safeTx.nonce, queue.malicious.safeTx.nonce]).toEqual([3n, 4n])
    for (const [{ safeTxHash, signature }, owner] of [
      [queue.harmless, bob],
      [queue.malicious, carol],
    ] as const)
      expect(await recoverAddress({ hash: safeTxHash, signature })).toBe(owner.address)
  })

  test('behavior: its hashes are those that the Safe itself computes', async () => {
    const client = createPublicClient({ transport: http(devnet.rpcUrl) })
    const abi = parseAbi([
      'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)',
    ])
    for (const { safeTx, safeTxHash } of Object.values(await demoQueue(devnet.chainId))) {
      const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
      const onChain = await client.readContract({
        address: devnet.demoSafe,
        abi,
        functionName: 'getTransactionHash',
        args: [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce],
      })
      expect(safeTxHash).toBe(onChain)
      const context = { chainId: devnet.chainId, safeAddress: devnet.demoSafe, version: '1.4.1', safeTx }
      expect(hashSafeTx(context).safeTxHash).toBe(onChain)
    }
  })

  test('behavior: the harmless transaction transfers 1,250 TUSD', async () => {
    const client = createPublicClient({ transport: http(devnet.rpcUrl) })
    const readBalance = () =>
      client.readContract({
        address: devnet.tokens.erc20,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [demoAccounts[5].address],
      })
    const before = await readBalance()
    const { harmless } = await demoQueue(devnet.chainId)
    await sendAll(devnet.rpcUrl, alice.address, [await demoExecution(devnet.chainId, harmless.safeTx, [alice, bob])])
    expect((await readBalance()) - before).toBe(parseUnits('1250', 6))
    expect(await readDemoNonce(devnet.rpcUrl)).toBe(4n)
    expect(await isDemoSafeLost(devnet.rpcUrl)).toBe(false)
  })

  test('behavior: the malicious transaction really replaces the singleton', async () => {
    const { harmless, malicious } = await demoQueue(devnet.chainId)
    const slotZero = () => requestNode(devnet.rpcUrl, 'eth_getStorageAt', devnet.demoSafe, '0x0', 'latest')
    expect(BigInt(String(await slotZero()))).toBe(BigInt(canonicalContract('1.4.1', 'safe_l2').address))
    await sendAll(devnet.rpcUrl, alice.address, [
      await demoExecution(devnet.chainId, harmless.safeTx, [alice, bob]),
      await demoExecution(devnet.chainId, malicious.safeTx, [bob, carol]),
    ])
    expect(BigInt(String(await slotZero()))).toBe(BigInt(demoAccounts[7].address))
    expect(await isDemoSafeLost(devnet.rpcUrl)).toBe(true)
    // The nonce is still readable, so that the next start of a lost demo does not stumble.
    expect(await readDemoNonce(devnet.rpcUrl)).toBe(BigInt(demoScenario.historyLength + 2))
  })

  test('error: EXECUTION_REVERTED with one signature of two', async () => {
    const { harmless } = await demoQueue(devnet.chainId)
    const send = await demoExecution(devnet.chainId, harmless.safeTx, [alice])
    await expect(sendAll(devnet.rpcUrl, alice.address, [send])).rejects.toMatchObject({ code: 'EXECUTION_REVERTED' })
  })
})
