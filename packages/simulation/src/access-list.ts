import type { SafeTxRun, Touched } from '@countersign/review'
import type { RpcRequest } from '@countersign/safe'
import { isRecord } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, isAddress, isHex, numberToHex, parseAbi } from 'viem'

const abi = parseAbi([
  'function simulateAndRevert(address targetContract, bytes calldataPayload)',
  'function simulate(address targetContract, bytes calldataPayload) returns (bytes)',
])
const MAX_SLOTS = 5_000

/**
 * Asks a node which accounts and slots the transaction will probably touch (`eth_createAccessList`): the call in the name of
 * the Safe, or for a delegatecall what Safes since 1.3.0 offer for it. One batch, needs no approvals, and is never trusted.
 *
 * @returns nothing where the node has no such method
 * @example
 * const result = await simulate(reader, run, { hints: await askAccessList(request, run, header.number) })
 */
export async function askAccessList(request: RpcRequest, run: SafeTxRun, blockNumber: bigint): Promise<Touched[]> {
  const answers = await Promise.all(
    questionsOf(run).map((call) =>
      request({ method: 'eth_createAccessList', params: [call, numberToHex(blockNumber)] }).catch(() => null),
    ),
  )
  return answers.flatMap(readAccessList)
}

type Question = { from: Address; to: Address; data: Hex; value?: Hex }

function questionsOf({ safeAddress, safeTx: { to, value, data, operation }, executor }: SafeTxRun): Question[] {
  if (operation === 0) return [{ from: safeAddress, to, data, value: numberToHex(value) }]
  return (['simulateAndRevert', 'simulate'] as const).map((functionName) => ({
    from: executor,
    to: safeAddress,
    data: encodeFunctionData({ abi, functionName, args: [to, data] }),
  }))
}

/** Whatever in the answer looks like an access list. */
function readAccessList(answer: unknown): Touched[] {
  const list = isRecord(answer) && Array.isArray(answer.accessList) ? answer.accessList : []
  let slots = 0
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.address !== 'string' || !isAddress(entry.address, { strict: false })) return []
    const keys: unknown[] = Array.isArray(entry.storageKeys) ? entry.storageKeys : []
    const kept = keys.filter((key): key is Hex => isHex(key) && key.length === 66).slice(0, MAX_SLOTS - slots)
    slots += kept.length
    return [{ address: entry.address, slots: kept.map((key) => key.toLowerCase() as Hex) }]
  })
}
