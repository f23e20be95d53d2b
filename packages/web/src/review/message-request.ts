import type { getMessage, Reply } from '@countersign/contract'
import { parseMessageContent } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { type MessageRequest, signaturesOf } from './subject.ts'

type ServedMessage = Reply<typeof getMessage>

/**
 * Builds the review request for a message from the server, from a list (without former owners) or from the form.
 *
 * @throws CountersignError `FIELD_MALFORMED` if its content cannot be read
 */
export function messageRequest(
  message: Pick<ServedMessage, 'chainId' | 'safeAddress' | 'content' | 'confirmations' | 'origin'> &
    Partial<Pick<ServedMessage, 'formerConfirmations'>>,
  safeMessageHash: Hex | null,
  account: Address | null,
): MessageRequest {
  const { chainId, safeAddress, content: json, origin } = message
  const subject = { kind: 'message', chainId, safeAddress, content: parseMessageContent(json) } as const
  return { subject, json, claimedHash: safeMessageHash, ...signaturesOf(message), others: [], account, origin }
}
