import { decodeSafeEvent, deploymentAt, safeEventTopics } from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { blockTime } from '../../indexer/block-time.ts'
import { findFirstCode } from '../../indexer/origin.ts'
import type { Chain } from '../../rpc/clients.ts'
import { unreachable } from '../../rpc/clients.ts'
import { isRefusal } from '../../rpc/errors.ts'
import { readBlock, readEthereumTransaction, readLogsInRange, readReceipt } from '../../rpc/logs.ts'

/** Facts of a creation, as an entry of the history has them. */
export type FoundCreation = {
  blockTime: Date
  transactionHash: Hex
  /** Account that sent the Ethereum transaction. */
  subject: Address
  factory: Address | null
  singleton: Address | null
}

/** A creation does not change; behind so many blocks it is not undone either. */
const SETTLED_BLOCKS = 128
const MAX_REMEMBERED = 10_000
const remembered = new Map<string, FoundCreation>()

/**
 * Finds how a Safe of a release before 1.3.0 came about. These say nothing when they are set up, and of 0.1.0 no factory
 * is known by its address: the chain is asked for the block from which on there is code, and for what was said in it.
 *
 * @returns null where the node does not keep old state, or nothing in that block names the Safe
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
export async function findCreationOnChain(chain: Chain, safeAddress: Address): Promise<FoundCreation | null> {
  const key = `${chain.settings.chainId}/${safeAddress}`
  const known = remembered.get(key)
  if (known) return known
  try {
    return await find(chain, safeAddress, (found) => {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(key, found)
    })
  } catch (error) {
    if (isRefusal(error)) return null
    throw unreachable(chain.settings, error)
  }
}

async function find(
  chain: Chain,
  safeAddress: Address,
  remember: (found: FoundCreation) => void,
): Promise<FoundCreation | null> {
  const { request } = chain
  const last = await readBlock(request, 'latest')
  const number = last && (await findFirstCode(chain, safeAddress, { first: 0, last: last.number }))
  const block = number === null ? null : await readBlock(request, number)
  if (!last || !block) return null
  const range = { fromBlock: block.number, toBlock: block.number, toHash: block.hash }
  const logs = await readLogsInRange(chain.requestLogs, [{ topics: [safeEventTopics('ProxyCreation')] }], range)
  for (const log of logs) {
    const event = decodeSafeEvent(log)
    if (event?.name !== 'ProxyCreation' || !isAddressEqual(event.proxy, safeAddress)) continue
    const [receipt, transaction] = await Promise.all([
      readReceipt(request, log.transactionHash),
      readEthereumTransaction(request, log.transactionHash),
    ])
    const emitter = getAddress(log.address)
    // Anybody may log that it was them. Whoever was called in that transaction did it, or an official factory inside of it.
    const isFactory = deploymentAt(emitter)?.kind === 'factory'
    if (!isFactory && !(transaction.to && isAddressEqual(transaction.to, emitter))) continue
    const found = {
      blockTime: blockTime(block.timestamp),
      transactionHash: log.transactionHash,
      subject: getAddress(receipt.from),
      factory: emitter,
      singleton: event.singleton,
    }
    if (last.number - block.number > SETTLED_BLOCKS) remember(found)
    return found
  }
  return null
}
