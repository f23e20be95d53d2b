import type { SafeMessage } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Address } from 'viem'
import { messageRequest } from '../../review/message-request.ts'
import type { MessageRequest } from '../../review/subject.ts'
import type { Listed } from '../../review/use-verdicts.ts'

/** Gives each message as its page reviews it. A message that cannot be read is left out: its page shows why. */
export function listedMessages(messages: readonly SafeMessage[], account: Address | null): Listed<MessageRequest>[] {
  return messages.flatMap((message) => {
    const request = readRequest(message, account)
    return request ? [{ hash: message.safeMessageHash, request, spent: [] }] : []
  })
}

function readRequest(message: SafeMessage, account: Address | null): MessageRequest | null {
  try {
    return messageRequest(message, message.safeMessageHash, account)
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}
