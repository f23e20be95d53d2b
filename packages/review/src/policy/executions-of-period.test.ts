import { hashSafeTx, newSafeTx, type RpcRequest } from '@countersign/safe'
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { readExecutionsOfPeriod } from './executions-of-period.ts'

const safeAddress: Address = '0x5aFE3855358E112B5647B952709E6165e1c1eEEe'
const module: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const safe = { chainId: 1, safeAddress, version: '1.4.1+L2', nonce: 1n }
const NOW = 1_000_000

const events = parseAbi([
  'event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)',
  'event ExecutionFromModuleSuccess(address indexed module)',
  'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
  'event ExecutionSuccess(bytes32 indexed safeTxHash, uint256 payment)',
])

type Log = { topics: Hex[]; data: Hex; transaction?: number; block?: number }

const detailOf = (operation = 0): Log => ({
  topics: encodeEventTopics({ abi: events, eventName: 'SafeModuleTransaction' }) as Hex[],
  data: encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'uint8' }],
    [module, to, 7n, '0x1234', operation],
  ),
})
const success: Log = {
  topics: encodeEventTopics({ abi: events, eventName: 'ExecutionFromModuleSuccess', args: { module } }) as Hex[],
  data: '0x',
}
const safeTx = newSafeTx({ to, value: 5n, nonce: 0n })
const { safeTxHash } = hashSafeTx({ ...safe, safeTx })
/** The owners' own transaction, which the Safe's nonce asks for. */
const ofOwners: Log[] = [
  {
    topics: encodeEventTopics({ abi: events, eventName: 'SafeMultiSigTransaction' }) as Hex[],
    data: encodeAbiParameters(
      'address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes'
        .split(',')
        .map((type) => ({ type })),
      [to, 5n, '0x', 0, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x', '0x'],
    ),
    transaction: 99,
  },
  {
    topics: encodeEventTopics({ abi: events, eventName: 'ExecutionSuccess', args: { safeTxHash } }) as Hex[],
    data: pad('0x', { size: 32 }),
    transaction: 99,
  },
]

/** A node whose Safe has these logs, in their order; its blocks are a second apart. */
function read(logs: readonly Log[], seconds = 1_000, of = safe) {
  const answer = logs.map(({ topics, data, transaction = 1, block = 990 }, index) => ({
    address: safeAddress,
    topics,
    data,
    blockNumber: numberToHex(block),
    logIndex: numberToHex(index),
    transactionHash: pad(numberToHex(transaction)),
  }))
  const blockOf = (number: number) => ({ number: numberToHex(number), timestamp: numberToHex(NOW - 1_000 + number) })
  const request: RpcRequest = async ({ method, params = [] }) => {
    if (method === 'eth_getLogs') return answer
    if (method === 'eth_getBlockByNumber') return blockOf(Number((params as Hex[])[0]))
    throw new Error(`nothing is known of ${method}`)
  }
  return readExecutionsOfPeriod(request, of, { newest: Promise.resolve(blockOf(1_000)), seconds })
}

describe('readExecutionsOfPeriod', () => {
  it('default: what the owners and a module executed, by the events before', async () => {
    expect(await read([...ofOwners, detailOf(), success])).toMatchObject([
      { safeTx: { to, value: 5n, data: '0x', operation: 0 }, isSuccessful: true, payment: 0n },
      { safeTx: { to, value: 7n, data: '0x1234', operation: 0 }, isSuccessful: true, payment: 0n },
    ])
    expect(await read([...ofOwners, detailOf(1), success])).toMatchObject([{}, { safeTx: { operation: 1 } }])
  })

  it.each([
    ['tells nothing of it', [success]],
    ['tells of it in another transaction', [{ ...detailOf(), transaction: 2 }, success]],
    ['names no operation that there is', [detailOf(2), success]],
    ['tells of it after a second success', [detailOf(), success, success]],
  ])('error: what a module did cannot be told where the Safe %s', async (_what, logs) => {
    await expect(read([...ofOwners, ...logs])).rejects.toThrow('Nobody can tell what a module did.')
  })

  it('error: an execution that the node leaves out is noticed', async () => {
    await expect(read(ofOwners, 1_000, { ...safe, nonce: 2n })).rejects.toThrow('The node leaves out an execution.')
  })

  it('behavior: what is older than the period is left out, what is as old as it is not', async () => {
    const old = [detailOf(), success].map((log) => ({ ...log, block: 989 }))
    expect(await read([...old, ...ofOwners], 10)).toHaveLength(1)
    expect(await read([...old, ...ofOwners], 11)).toHaveLength(2)
  })
})
