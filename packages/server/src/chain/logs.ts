import { type RpcRequest, safeEventTopics } from '@countersign/safe-core'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import { z } from 'zod'

const ADDRESSES_PER_REQUEST = 500

/** Whatever may change what is kept of a Safe. */
const watched = safeEventTopics(
  'ExecutionSuccess',
  'ExecutionFailure',
  'ExecutionFailed',
  'SafeMultiSigTransaction',
  'AddedOwner',
  'RemovedOwner',
  'ChangedThreshold',
  'EnabledModule',
  'DisabledModule',
  'ExecutionFromModuleSuccess',
  'ChangedGuard',
  'ChangedModuleGuard',
  'ChangedFallbackHandler',
  'ChangedMasterCopy',
)

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const number = hex.transform(Number)

const log = z.object({
  address: hex.transform((text): Address => getAddress(text)),
  topics: z.array(hex).max(4),
  data: hex,
  blockNumber: number,
  blockHash: hex,
  transactionHash: hex,
  logIndex: number,
})
export type SafeLog = z.output<typeof log>

const block = z.object({ number, hash: hex, timestamp: number })
export type Block = z.output<typeof block>

const ethereumTransaction = z.object({
  hash: hex,
  from: hex.transform((text): Address => getAddress(text)),
  input: hex,
})
export type EthereumTransaction = z.output<typeof ethereumTransaction>

/** The block at a number, or the newest; null when the node has none. */
export async function readBlock(request: RpcRequest, at: number | 'latest'): Promise<Block | null> {
  const place = at === 'latest' ? at : numberToHex(at)
  return block.nullable().parse(await request({ method: 'eth_getBlockByNumber', params: [place, false] }))
}

export async function readEthereumTransaction(request: RpcRequest, hash: Hex): Promise<EthereumTransaction | null> {
  return ethereumTransaction.nullable().parse(await request({ method: 'eth_getTransactionByHash', params: [hash] }))
}

/** The logs of some Safes in a range of blocks, in the order of the chain. */
export async function readSafeLogs(
  request: RpcRequest,
  addresses: readonly Address[],
  fromBlock: number,
  toBlock: number,
): Promise<SafeLog[]> {
  const groups: Address[][] = []
  for (let at = 0; at < addresses.length; at += ADDRESSES_PER_REQUEST)
    groups.push(addresses.slice(at, at + ADDRESSES_PER_REQUEST))
  const found = await Promise.all(
    groups.map((address) =>
      request({
        method: 'eth_getLogs',
        params: [{ address, topics: [watched], fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }],
      }),
    ),
  )
  const logs = found.flatMap((answer) => z.array(log).parse(answer))
  return logs.sort((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex)
}
