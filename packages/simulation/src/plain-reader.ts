import {
  type AccountAnswer,
  type AccountQuestion,
  type BlockHeader,
  forkOfFields,
  type StateReader,
} from '@countersign/review'
import { type CountersignError, coreSentences, failWith, isRecord, type RpcRequest } from '@countersign/safe'
import { type Hex, isHex, numberToHex, padHex } from 'viem'

/**
 * Reads the state of a block from one node by `eth_getBalance`, `eth_getTransactionCount`, `eth_getCode` and
 * `eth_getStorageAt`, everything at the hash of the block (EIP-1898): what the node says, without proof.
 *
 * @param request a transport that batches what is asked at once
 * @example
 * const reader = plainReader(request, { chainId: 1, header: await readHeader(request) })
 */
export function plainReader(
  request: RpcRequest,
  { chainId, header }: Pick<StateReader, 'chainId' | 'header'>,
): StateReader {
  const block = { blockHash: header.hash }
  async function account({ address, withAccount, slots }: AccountQuestion): Promise<AccountAnswer> {
    const [facts, ...words] = await Promise.all([
      withAccount ? accountFacts(address) : null,
      ...slots.map((slot) => request({ method: 'eth_getStorageAt', params: [address, slot, block] })),
    ])
    const values = words.map((value, index) => [slots[index] ?? '0x', padHex(hex(value, 32), { size: 32 })] as const)
    return { address, account: facts, slots: new Map(values), grade: 'one-node' }
  }
  async function accountFacts(address: Hex) {
    const [balance, nonce, code] = await Promise.all([
      request({ method: 'eth_getBalance', params: [address, block] }),
      request({ method: 'eth_getTransactionCount', params: [address, block] }),
      request({ method: 'eth_getCode', params: [address, block] }),
    ])
    return { balance: quantity(balance), nonce: quantity(nonce), code: hex(code, MAX_CODE_BYTES) }
  }
  async function blockHash(number: bigint) {
    if (number + 1n === header.number) return { hash: header.parentHash, grade: 'one-node' as const }
    const answer = await request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
    return { hash: isRecord(answer) ? hex(answer.hash, 32) : null, grade: 'one-node' as const }
  }
  return {
    chainId,
    header,
    headerGrade: 'one-node',
    async read({ accounts, blockNumbers }) {
      const [answers, blockHashes] = await Promise.all([
        Promise.all(accounts.map(account)),
        Promise.all(blockNumbers.map(blockHash)),
      ])
      return { accounts: answers, blockHashes }
    },
  }
}

const fail = failWith(coreSentences)

/** Some chains allow more than Ethereum's 24,576. */
const MAX_CODE_BYTES = 262_144

/**
 * Reads the header of a block as a node tells it.
 *
 * @param at a number, a hash, or `latest`
 * @throws CountersignError `RPC_ERROR` for what is no block, and whatever the request rejects with
 * @example
 * const header = await readHeader(request, 'latest')
 */
export async function readHeader(request: RpcRequest, at: bigint | Hex | 'latest' = 'latest'): Promise<BlockHeader> {
  const [method, key] =
    typeof at === 'string' && at.length === 66
      ? (['eth_getBlockByHash', at] as const)
      : (['eth_getBlockByNumber', typeof at === 'bigint' ? numberToHex(at) : at] as const)
  const block = await request({ method, params: [key, false] })
  if (!isRecord(block)) throw nonsense('a block')
  const isThere = (value: unknown) => value !== undefined && value !== null
  const optional = (value: unknown) => (isThere(value) ? quantity(value) : null)
  const difficulty = optional(block.difficulty) ?? 0n
  return {
    hash: hex(block.hash, 32),
    number: quantity(block.number),
    parentHash: hex(block.parentHash, 32),
    stateRoot: hex(block.stateRoot, 32),
    timestamp: quantity(block.timestamp),
    coinbase: hex(block.miner, 20),
    gasLimit: quantity(block.gasLimit),
    baseFeePerGas: optional(block.baseFeePerGas),
    prevRandao: difficulty === 0n ? hex(block.mixHash ?? word(0n), 32) : word(difficulty),
    excessBlobGas: optional(block.excessBlobGas),
    fork: forkOfFields((name) => isThere(block[name])),
  }
}

function hex(value: unknown, maxBytes: number): Hex {
  if (!isHex(value) || value.length % 2 !== 0 || value.length > 2 + 2 * maxBytes) throw nonsense('hex')
  return value
}

function quantity(value: unknown): bigint {
  if (!isHex(value) || value.length < 3 || value.length > 66) throw nonsense('a number')
  return BigInt(value)
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}

function nonsense(wanted: string): CountersignError {
  return fail('RPC_ERROR', { reason: 'other', wanted })
}
