import { encodeSafeTxPreimage, hashSafeDomain, hashSafeMessage, hashSafeTx, type SafeTx } from '@countersign/safe'
import { decodeExecTransaction, encodeExecTransaction } from '@countersign/safe/calls'
import fc from 'fast-check'
import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, allVersions, anySafeTx, bytesOf, callAll, deployAnySafe } from './test-safes.ts'

// The names of the arguments do not count: `dataGas` and `baseGas` are one.
const abi = parseAbi([
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)',
  'function encodeTransactionData(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes)',
  'function getMessageHash(bytes message) view returns (bytes32)',
  'function domainSeparator() view returns (bytes32)',
])

let devnet: Devnet
let safes: { version: AnyVersion; safeAddress: Address; chainId: number }[]

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  safes = await Promise.all(
    allVersions.map(async (version) => {
      const owners = [demoAccounts[4].address]
      const safeAddress = await deployAnySafe({ rpcUrl, chainId, version, owners, threshold: 1, saltNonce: 51n })
      return { version, safeAddress, chainId }
    }),
  )
})
afterAll(() => devnet?.close())

function argumentsOf(tx: SafeTx) {
  return [
    tx.to,
    tx.value,
    tx.data,
    tx.operation,
    tx.safeTxGas,
    tx.baseGas,
    tx.gasPrice,
    tx.gasToken,
    tx.refundReceiver,
    tx.nonce,
  ] as const
}

/** Asks every Safe, by version. A revert fails the test. */
async function askAll(data: Hex): Promise<Record<string, Hex>> {
  const results = await callAll(
    devnet.rpcUrl,
    safes.map(({ safeAddress }) => ({ to: safeAddress, data })),
  )
  return Object.fromEntries(results.map((result, index) => [safes[index]?.version, result.data]))
}

function expectEach(answer: (context: (typeof safes)[number]) => Hex): Record<string, Hex> {
  return Object.fromEntries(safes.map((context) => [context.version, answer(context)]))
}

describe('hashes of every release', () => {
  test('property: domain separator', async () => {
    const answers = await askAll(encodeFunctionData({ abi, functionName: 'domainSeparator' }))
    expect(answers).toEqual(expectEach((context) => hashSafeDomain(context)))
  })

  test('property: hashSafeTx is getTransactionHash', async () => {
    await fc.assert(
      fc.asyncProperty(anySafeTx, async (safeTx) => {
        const call = { abi, functionName: 'getTransactionHash', args: argumentsOf(safeTx) } as const
        const answers = await askAll(encodeFunctionData(call))
        expect(answers).toEqual(expectEach((context) => hashSafeTx({ ...context, safeTx }).safeTxHash))
      }),
      runs(150),
    )
  })

  test('property: encodeSafeTxPreimage is encodeTransactionData, in 1.5.0 of the fallback handler', async () => {
    await fc.assert(
      fc.asyncProperty(anySafeTx, async (safeTx) => {
        const call = { abi, functionName: 'encodeTransactionData', args: argumentsOf(safeTx) } as const
        const answers = await askAll(encodeFunctionData(call))
        const bytes = Object.fromEntries(
          Object.entries(answers).map(([version, data]) => [
            version,
            decodeAbiParameters([{ type: 'bytes' }], data)[0],
          ]),
        )
        expect(bytes).toEqual(expectEach((context) => encodeSafeTxPreimage({ ...context, safeTx })))
      }),
      runs(50),
    )
  })

  test('property: hashSafeMessage is getMessageHash, since 1.3.0 of the fallback handler', async () => {
    await fc.assert(
      fc.asyncProperty(bytesOf(0, 300), async (bytes) => {
        const answers = await askAll(encodeFunctionData({ abi, functionName: 'getMessageHash', args: [bytes] }))
        const content = { encoding: 'RAW', bytes } as const
        expect(answers).toEqual(expectEach((context) => hashSafeMessage({ ...context, content }).safeMessageHash))
      }),
      runs(100),
    )
  })

  test('property: the calldata of execTransaction is read back as it was written', () => {
    fc.assert(
      fc.property(anySafeTx, bytesOf(0, 300), (safeTx, signatures) => {
        const data = encodeExecTransaction(safeTx, signatures)
        const decoded = decodeExecTransaction(data)
        const { nonce, ...fields } = safeTx
        expect(decoded).toEqual({ safeTx: fields, signatures })
        expect(encodeExecTransaction({ ...fields, nonce }, decoded?.signatures ?? '0x')).toBe(data)
      }),
      runs(100),
    )
  })
})
