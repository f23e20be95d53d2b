import {
  findFunctions,
  findPayments,
  getMessage,
  getReviewLists,
  getSafe,
  getSpentAmounts,
  getTransaction,
  getWaitingSignIn,
  listAbis,
  listActivity,
  listAlarms,
  listApiTokens,
  listChainStatus,
  listDelegates,
  listDrafts,
  listHistory,
  listIdleOwners,
  listMessages,
  listMovedListed,
  listNotes,
  listOutboundHosts,
  listPacks,
  listPriceSources,
  listQueue,
  listSafeAccess,
  listSafes,
  listSessions,
  listSignatures,
  listSignInRequests,
  listTokenLists,
  listTokens,
  listViewers,
  listWebhooks,
  readBlockHashes,
} from '@countersign/contract'
import { type FakeServer, failure } from './fake-server.ts'

const nextCursor = null

/** Makes the server answer as if it had no data of Safes, teams and accounts. */
export function answerEmpty(server: FakeServer): void {
  server.answer(listSafes, { safes: [] })
  server.answer(getSafe, ({ chainId, safeAddress }) =>
    failure('SAFE_NOT_FOUND', { chainId, address: safeAddress }, 404),
  )
  server.answer(listQueue, { transactions: [], nextCursor })
  server.answer(getTransaction, ({ safeTxHash }) => failure('TRANSACTION_NOT_FOUND', { safeTxHash }, 404))
  server.answer(getReviewLists, ({ lists }) => ({
    ...(lists.includes('claims') && { claims: { proposals: [], others: [], deleted: [] } }),
    ...(lists.includes('names') && { names: { names: [], nextCursor } }),
    ...(lists.includes('abis') && { abis: { abis: [], nextCursor } }),
    ...(lists.includes('policy') && { policy: { inForce: null, proposed: null } }),
  }))
  server.answer(listMessages, { messages: [], nextCursor })
  server.answer(getMessage, ({ safeMessageHash }) => failure('MESSAGE_NOT_FOUND', { safeMessageHash }, 404))
  server.answer(listSignInRequests, { requests: [], hasMore: false })
  server.answer(getWaitingSignIn, { waiting: null })
  server.answer(listSignatures, { signed: [], nextCursor })
  server.answer(listPacks, { packs: [], nextCursor })
  server.answer(listHistory, { entries: [], nextCursor })
  server.answer(listActivity, { entries: [], nextCursor })
  server.answer(readBlockHashes, { nodes: [] })
  server.answer(findPayments, { executions: [], isWhole: true })
  server.answer(findFunctions, { list: null })
  server.answer(listTokens, { tokens: [], nextCursor })
  server.answer(listMovedListed, { tokens: [] })
  answerEmptyTeam(server)
  server.answer(listChainStatus, { chains: [] })
  server.answer(listPriceSources, { sources: [] })
  server.answer(listTokenLists, { lists: [] })
  server.answer(listOutboundHosts, { hosts: [], mayReload: false })
  server.answer(listApiTokens, { tokens: [] })
  server.answer(listSessions, { sessions: [] })
}

function answerEmptyTeam(server: FakeServer): void {
  server.answer(listAbis, { abis: [], nextCursor })
  server.answer(listNotes, { notes: [], nextCursor })
  server.answer(listDrafts, { drafts: [], nextCursor })
  server.answer(getSpentAmounts, { spent: [] })
  server.answer(listDelegates, { delegates: [] })
  server.answer(listViewers, { viewers: [] })
  server.answer(listAlarms, { alarms: [] })
  server.answer(listIdleOwners, { isKnown: false, since: '2026-03-01T12:00:00.000Z', transactions: 0, owners: [] })
  server.answer(listSafeAccess, { access: [] })
  server.answer(listWebhooks, { webhooks: [] })
}
