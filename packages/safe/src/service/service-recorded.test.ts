import { type Address, type Hex, hashMessage, hexToNumber, numberToHex, recoverAddress, slice } from 'viem'
import { describe, expect, it } from 'vitest'
import recorded from '../../vectors/service-answers.json' with { type: 'json' }
import { parseServiceDelegates } from './service-delegates.ts'
import { parseServiceMessages } from './service-messages.ts'
import { parseServiceQueue } from './service-queue.ts'

const safeAddress = recorded.safeAddress as Address
const place = { chainId: recorded.chainId, safeAddress, version: '1.4.1' } as const
const [proposer, owner]: Address[] = [
  '0xa6d3DEBAAB2B8093e69109f23A75501F864F74e2',
  '0x3A16E3090e32DDeD2250E862B9d5610BEF13e93d',
]

/** Whose signature it is: all of these were given to the hash as to a text (`eth_sign`, v + 4). */
function recover(hash: Hex, signature: Hex): Promise<Address> {
  const v = numberToHex(hexToNumber(slice(signature, 64)) - 4, { size: 1 })
  return recoverAddress({ hash: hashMessage({ raw: hash }), signature: `${slice(signature, 0, 64)}${v.slice(2)}` })
}

describe('answers that the hosted service gave', () => {
  it('a page of its queue and a pending transaction: the hash is ours, and each signature its owner’s', async () => {
    const { proposals, ...rest } = parseServiceQueue(JSON.stringify([recorded.queue, recorded.pending]), place)
    expect(rest).toEqual({ unusable: [], executed: 1, beyond: 0 })
    expect(proposals).toMatchObject([{ safeTxHash: recorded.pending.safeTxHash, origin: null }])
    const given = proposals.flatMap(({ safeTxHash, signatures }) =>
      signatures.map(async (one) => [one.owner, await recover(safeTxHash, one.signature)]),
    )
    expect(await Promise.all(given)).toEqual([
      [proposer, proposer],
      [owner, owner],
    ])
    // On another chain it is another transaction, and nothing of it is taken.
    const elsewhere = parseServiceQueue(JSON.stringify(recorded.pending), { ...place, chainId: 1 })
    expect(elsewhere).toMatchObject({ proposals: [], unusable: [{ reason: 'other-hash' }] })
  })

  it('a page of messages', async () => {
    const { messages, ...rest } = parseServiceMessages(JSON.stringify(recorded.messages), place)
    expect(rest).toEqual({ unusable: [], beyond: 0 })
    const [message] = messages
    expect(message).toMatchObject({
      content: '"string message"',
      safeMessageHash: recorded.messages.results[0]?.messageHash,
      signatures: [{ owner: proposer }],
    })
    const [signed] = message?.signatures ?? []
    expect(message && signed && (await recover(message.safeMessageHash, signed.signature))).toBe(proposer)
  })

  it('a page of delegates, from before they could expire', () => {
    const { delegates, unusable } = parseServiceDelegates(JSON.stringify(recorded.delegates), safeAddress)
    expect(unusable).toBe(0)
    expect(delegates).toMatchObject([{ safeAddress, delegator: proposer, label: 'Sample Delegator 2' }])
  })
})
