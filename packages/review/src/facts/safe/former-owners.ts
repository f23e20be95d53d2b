import { decodeSafeEvent, isSameAddress } from '@countersign/safe'
import { type Address, isHex } from 'viem'
import type { RemovedOwner } from '../../given.ts'
import { defineFact } from '../fact.ts'

/** Limit of receipts, so that nobody waits for more. */
const MAX_RECEIPTS = 20

/**
 * Signers who were owners once: the Safe itself logged the removal. The server only says in which transaction to
 * look; a former owner whom the chain does not know stays a stranger.
 */
export const formerOwners = defineFact({
  id: 'formerOwners',
  needs: ({ chainId, safeAddress, state, confirmations, removedOwners = [] }) => {
    if (state === null) return null
    const asked = removedOwners.filter(
      ({ owner }) =>
        confirmations.some((confirmation) => isSameAddress(confirmation.owner, owner)) &&
        !state.owners.some((other) => isSameAddress(other, owner)),
    )
    return asked.length === 0 ? null : { chainId, safeAddress, asked: asked.slice(0, MAX_RECEIPTS) }
  },
  async read(chain, { chainId, safeAddress, asked }): Promise<Address[]> {
    const request = chain(chainId)
    const found = await Promise.all(
      asked.map(async (removed) => {
        try {
          const receipt = await request({ method: 'eth_getTransactionReceipt', params: [removed.transactionHash] })
          return isRemovedIn(receipt, removed, safeAddress) ? [removed.owner] : []
        } catch {
          return []
        }
      }),
    )
    return found.flat()
  },
})

function isRemovedIn(receipt: unknown, { owner }: RemovedOwner, safeAddress: Address): boolean {
  if (typeof receipt !== 'object' || receipt === null || !('logs' in receipt) || !Array.isArray(receipt.logs))
    return false
  return receipt.logs.some((log: unknown) => {
    const event = isLog(log) ? decodeSafeEvent(log) : null
    return (
      event?.name === 'RemovedOwner' && isSameAddress(event.address, safeAddress) && isSameAddress(event.owner, owner)
    )
  })
}

function isLog(log: unknown): log is Parameters<typeof decodeSafeEvent>[0] {
  return (
    typeof log === 'object' &&
    log !== null &&
    ['address' in log && isHex(log.address), 'data' in log && isHex(log.data)].every(Boolean) &&
    'topics' in log &&
    Array.isArray(log.topics) &&
    log.topics.every((topic) => isHex(topic) && topic.length === 66)
  )
}
