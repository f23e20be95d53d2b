import {
  confirmMessage,
  deleteMessage,
  getMessage,
  type HistoryEntry,
  listHistory,
  listMessages,
  proposeMessage,
  type SafeMessage,
} from '@countersign/contract'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { type Hex, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serverNow } from '../device/server-time.ts'
import { type FakeServer, failure } from './fake-server.ts'
import { historyEntry } from './history-entry.ts'
import { type Account, team } from './open-page.ts'
import type { Treasury } from './treasury.ts'

/** Off-chain messages of the Safe. */
export type Messages = {
  all: SafeMessage[]
  /** Adds an entry to the history that the Safe signed the message on-chain. */
  recordOnChain(message: SafeMessage): void
  /** Adds a message that an owner has signed. Typed data is an object. */
  propose(content: string | object, by?: Account): Promise<SafeMessage>
  path(message: Pick<SafeMessage, 'safeMessageHash'>): string
}

/** Makes the server keep messages of the Safe and the signatures of its owners. */
export function keepMessages(server: FakeServer, { safe, owners, path }: Treasury): Messages {
  const signedOnChain: HistoryEntry[] = []
  const messages: Messages = {
    all: [],
    recordOnChain: ({ safeMessageHash }) => void signedOnChain.push(signedEntry(safeMessageHash)),
    propose: async (json, by = team.anna) => {
      const content = parseMessageContent(JSON.stringify(json))
      const signature = await privateKeyToAccount(by.privateKey).signTypedData(
        safeMessageTypedData({ ...safe, content }),
      )
      return keep(JSON.stringify(json), signature, by.address)
    },
    path: ({ safeMessageHash }) => path(`/messages/${safeMessageHash}`),
  }
  const keep = (content: string, signature: Hex, proposer: SafeMessage['proposer']): SafeMessage => {
    const { safeMessageHash } = hashSafeMessage({ ...safe, content: parseMessageContent(content) })
    const message: SafeMessage = {
      chainId: safe.chainId,
      safeAddress: safe.safeAddress,
      safeMessageHash,
      content,
      proposer,
      safeAppId: null,
      origin: null,
      submissionDate: now(),
      modifiedDate: now(),
      confirmations: [confirmationOf(proposer, signature)],
      confirmationsRequired: 2,
    }
    messages.all = [message, ...messages.all]
    return message
  }
  const find = (hash: Hex) => messages.all.find(({ safeMessageHash }) => safeMessageHash === hash)
  const missing = (safeMessageHash: Hex) => failure('MESSAGE_NOT_FOUND', { safeMessageHash }, 404)

  server.answer(listMessages, () => ({ messages: messages.all, nextCursor: null }))
  server.answer(listHistory, () => ({ entries: signedOnChain, nextCursor: null }))
  server.answer(getMessage, ({ safeMessageHash }) => {
    const message = find(safeMessageHash)
    return message ? { ...message, formerConfirmations: [], reports: [] } : missing(safeMessageHash)
  })
  server.answer(proposeMessage, async ({ content, safeMessageHash, signature }) => {
    const signer = await recoverAddress({ hash: safeMessageHash, signature })
    if (!owners.includes(signer)) return failure('SIGNATURE_NOT_FROM_OWNER', { signer }, 422)
    return keep(content, signature, signer)
  })
  server.answer(confirmMessage, async ({ safeMessageHash, signature }) => {
    const message = find(safeMessageHash)
    if (!message) return missing(safeMessageHash)
    const owner = await recoverAddress({ hash: safeMessageHash, signature })
    message.confirmations = [...message.confirmations, confirmationOf(owner, signature)]
    return message
  })
  server.answer(deleteMessage, ({ safeMessageHash }) => {
    messages.all = messages.all.filter((message) => message.safeMessageHash !== safeMessageHash)
    return undefined
  })
  return messages
}

function signedEntry(safeMessageHash: Hex): HistoryEntry {
  return historyEntry({
    id: safeMessageHash,
    kind: 'message-signed',
    blockTime: now(),
    transactionHash: safeMessageHash,
    safeTxHash: safeMessageHash,
  })
}

function confirmationOf(owner: SafeMessage['proposer'], signature: Hex): SafeMessage['confirmations'][number] {
  return { owner, signature, signatureType: 'EOA', submissionDate: now() }
}

function now(): string {
  return new Date(serverNow()).toISOString()
}
