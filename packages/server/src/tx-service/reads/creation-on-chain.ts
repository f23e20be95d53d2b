import { decodeSafeEvent, deploymentAt, isSameAddress, safeEventTopics } from '@countersign/safe'
import { type Address, getAddress, type Hex } from 'viem'
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

/** Blocks after which a creation is final and can be cached. */
const SETTLED_BLOCKS = 128
const MAX_REMEMBERED = 10_000
const remembered = new Map<string, FoundCreation>()
/** Time for which a failed search is not repeated. */
const MISSING_MS = 300_000
/** Times until which a failed search is not repeated. */
const missing = new Map<string, number>()
/** Approximate cost of one search for nodes, in the unit of `boundCall`. */
const COST = 40

/**
 * Finds the creation of a Safe of a release before 1.3.0. These releases emit no event at setup, and the factories of 0.1.0 are
 * not known by address. The function therefore finds the first block in which the account has code, and reads the logs of that block.
 *
 * @param pay charges the cost of the search before it starts
 * @returns null if the node does not keep old state, or if no log of that block names the Safe
 * @throws CountersignError `CHAIN_UNREACHABLE`, and what `pay` throws
 */
export async function findCreationOnChain(
  chain: Chain,
  safeAddress: Address,
  pay: (cost: number) => void,
): Promise<FoundCreation | null> {
  const key = `${chain.settings.chainId}/${safeAddress}`
  const known = remembered.get(key)
  if (known) return known
  if ((missing.get(key) ?? 0) > performance.now()) return null
  pay(COST)
  const found = await find(chain, safeAddress).catch((error: unknown) => {
    if (isRefusal(error)) return null
    throw unreachable(chain.settings, error)
  })
  if (!found) remember(missing, key, performance.now() + MISSING_MS)
  else if (found.isSettled) remember(remembered, key, found.creation)
  return found?.creation ?? null
}

function remember<value>(values: Map<string, value>, key: string, value: value): void {
  if (values.size >= MAX_REMEMBERED) values.clear()
  values.set(key, value)
}

async function find(
  chain: Chain,
  safeAddress: Address,
): Promise<{ creation: FoundCreation; isSettled: boolean } | null> {
  const { request } = chain
  const last = await readBlock(request, 'latest')
  const number = last && (await findFirstCode(chain, safeAddress, { first: 0, last: last.number }))
  const block = number === null ? null : await readBlock(request, number)
  if (!last || !block) return null
  const range = { fromBlock: block.number, toBlock: block.number, toHash: block.hash }
  const logs = await readLogsInRange(chain.requestLogs, [{ topics: [safeEventTopics('ProxyCreation')] }], range)
  for (const log of logs) {
    const event = decodeSafeEvent(log)
    if (event?.name !== 'ProxyCreation' || !isSameAddress(event.proxy, safeAddress)) continue
    const [receipt, transaction] = await Promise.all([
      readReceipt(request, log.transactionHash),
      readEthereumTransaction(request, log.transactionHash),
    ])
    const emitter = getAddress(log.address)
    // Any contract can log that it created the Safe. The creator is the contract that the transaction called, or an official factory.
    const isFactory = deploymentAt(emitter)?.kind === 'factory'
    if (!isFactory && !(transaction.to && isSameAddress(transaction.to, emitter))) continue
    const creation = {
      blockTime: blockTime(block.timestamp),
      transactionHash: log.transactionHash,
      subject: getAddress(receipt.from),
      factory: emitter,
      singleton: event.singleton,
    }
    return { creation, isSettled: last.number - block.number > SETTLED_BLOCKS }
  }
  return null
}
