import { type Approval, hashSubject, MAX_APPROVAL_DEPTH } from '@countersign/review'
import { domainVersion, encodeMessageContent, hashSafeMessage, isSameAddress, type SafeState } from '@countersign/safe'
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { type Address, type Hex, size } from 'viem'
import { ANEW } from '../../api/query-client.ts'
import { type Approving, approvingOf } from '../../evidence/approvals/approving.ts'
import { givenFile } from '../../evidence/approvals/given-files.ts'
import { givenMessage } from '../../evidence/approvals/given-messages.ts'
import { provedPayeesQuery } from '../../evidence/attribution/proved-payees.ts'
import { hasLimits, type ReviewLists } from '../../evidence/attribution/review-lists.ts'
import { signedNamesQuery } from '../../evidence/attribution/signed-names.ts'
import { abisQuery } from '../../evidence/attribution/team-abis.ts'
import { policyQuery, spentQuery } from '../../evidence/policy/served-policy.ts'
import { seenPolicy } from '../../evidence/policy/team-policy.ts'
import type { KnownSubject } from '../../evidence/worker/calls.ts'
import { messageQuery } from '../../safe/message-query.ts'
import { namesQuery } from '../../safe/names/team-names.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { safeQuery } from '../../safe/safe.ts'
import { safeStateQuery } from '../../safe/safe-state.ts'
import { messageRequest } from '../message-request.ts'
import { givenFor } from '../review-context.ts'
import { type MessageRequest, type ReviewRequest, transactionRequest } from '../subject.ts'

type Asking = { queryClient: QueryClient; isFresh: boolean }

/**
 * Finds the subjects that are approved in other Safes, with the input of their reviews except facts: the fields from this server or
 * from the user, and the Safe from the chain. Leaves out fields that do not have the approved hash. The review computes the hash
 * again.
 */
export async function collectNested(approving: Approving, asking: Asking, depth = 1): Promise<KnownSubject[]> {
  if (depth > MAX_APPROVAL_DEPTH) return []
  const found = await Promise.all(approving.approvals.map((approval) => find(approval, approving, asking, depth)))
  return found.flatMap((collected) => collected ?? [])
}

async function find(
  approval: Approval,
  approving: Approving,
  asking: Asking,
  depth: number,
): Promise<KnownSubject | undefined> {
  const found =
    (await findOwnMessage(approval, approving.chainId, asking)) ??
    (await findRequest(approval, approving.chainId, asking))
  if (found === undefined) return undefined
  const { request, state } = found
  const lists = await listsOf(found, approving, asking)
  const own = givenFor({ ...request, account: approval.by }, state, lists, {
    chainIds: approving.chainIds,
    now: approving.now,
    maxBlocksBehind: approving.sources.maxBlocksBehind,
  })
  const given = {
    ...own,
    // The reader reads this too: ABIs and names that count in the Safe that approves count here.
    abis: [...(own.abis ?? []), ...(approving.abis ?? [])],
    named: [...(own.named ?? []), ...(approving.named ?? [])],
  }
  const further = approvingOf(given, approving.sources)
  return { given, nested: further ? await collectNested(further, asking, depth + 1) : [] }
}

/** `isShared`: this server shows it to the reader, and so what that Safe's team has written down. */
type Found = { request: ReviewRequest; state: SafeState | null; isShared: boolean }

/** The server's word and a pasted text are worth the same here: nothing, until the hash is the approved one. */
async function findRequest(approval: Approval, chainId: number, asking: Asking): Promise<Found | undefined> {
  const { hash } = approval
  const file = givenFile(chainId, hash)
  const nobody = { confirmations: [], removedOwners: [], others: [], account: approval.by, origin: null }
  const given = file && { subject: { kind: 'transaction' as const, ...file }, claimedHash: hash, ...nobody }
  const found = given && (await matching(given, approval, chainId, asking))
  // A text that a reader had to be given is of a Safe that this server does not show them.
  if (found) return { ...found, isShared: false }
  const served = await ask(asking, transactionQuery(chainId, hash)).then(
    (answer) => transactionRequest(answer, hash, approval.by),
    () => null,
  )
  const shown = served && (await matching(served, approval, chainId, asking))
  if (served) return shown ? { ...shown, isShared: true } : undefined
  const message = await findMessage(chainId, hash, approval.by, asking)
  const told = message && (await matching(message, approval, chainId, asking))
  return told ? { ...told, isShared: true } : undefined
}

/** A message of the Safe itself whose hash it signs on the chain, from this server or as the reader gave it. The review computes that hash once more. */
async function findOwnMessage(approval: Approval, chainId: number, asking: Asking): Promise<Found | undefined> {
  const { message: bytes, by: safeAddress } = approval
  // Longer bytes are hashed to what another Safe asks about, and are no hash of words.
  if (bytes === null || size(bytes) !== 32) return undefined
  const state = await ask(asking, safeStateQuery(chainId, safeAddress)).catch(() => null)
  if (state === null) return undefined
  const content = { encoding: 'RAW', bytes } as const
  const hashes = hashSafeMessage({ chainId, safeAddress, version: domainVersion(state), content })
  const given = givenMessage(bytes)
  const request: MessageRequest | null = given
    ? {
        subject: { kind: 'message', chainId, safeAddress, content: given.content },
        json: given.json,
        claimedHash: null,
        confirmations: [],
        removedOwners: [],
        others: [],
        origin: null,
        account: safeAddress,
      }
    : await findMessage(chainId, hashes.safeMessageHash, safeAddress, asking)
  if (!request || !isSameAddress(request.subject.safeAddress, safeAddress)) return undefined
  return encodeMessageContent(request.subject.content) === bytes ? { request, state, isShared: true } : undefined
}

/** Null where this server shows the reader no message with this hash, or none that can be read. */
async function findMessage(
  chainId: number,
  hash: Hex,
  account: Address,
  asking: Asking,
): Promise<MessageRequest | null> {
  try {
    return messageRequest(await ask(asking, messageQuery(chainId, hash)), hash, account)
  } catch {
    return null
  }
}

/** Reads the Safe, and compares the hash; null where it is another one. */
async function matching(
  request: ReviewRequest,
  { hash, safeAddress: called }: Approval,
  chainId: number,
  asking: Asking,
): Promise<Omit<Found, 'isShared'> | null> {
  const { subject } = request
  if (subject.chainId !== chainId || (called !== null && !isSameAddress(subject.safeAddress, called))) return null
  const state = await ask(asking, safeStateQuery(chainId, subject.safeAddress)).catch(() => null)
  return state === null || hashSubject(subject, state).hash === hash ? { request, state } : null
}

/** Lists of the other Safe's team, as far as the reader is told of them. */
async function listsOf(
  { request: { subject }, state, isShared }: Found,
  { tokens }: Approving,
  asking: Asking,
): Promise<ReviewLists> {
  const { chainId, safeAddress } = subject
  const orNull = <Answer>(answer: Promise<Answer>) => answer.catch(() => null)
  const ifShared = <Answer, Key extends QueryKey>(query: FetchQueryOptions<Answer, Error, Answer, Key>) =>
    isShared ? orNull(ask(asking, query)) : undefined
  // A policy that this browser knows of cannot be hidden by hiding the Safe.
  const isRestricted = isShared || seenPolicy({ chainId, safeAddress }) !== null
  const [names, abis, safe, policy] = await Promise.all([
    ifShared(namesQuery(chainId, safeAddress)),
    ifShared(abisQuery(chainId, safeAddress)),
    ifShared(safeQuery(chainId, safeAddress)),
    isRestricted ? orNull(ask(asking, policyQuery(chainId, safeAddress))) : undefined,
  ])
  // Nobody asked, or the server did not say.
  const paid = safe === undefined ? undefined : (safe?.paid ?? null)
  const isPaidWhole = safe?.isPaidWhole
  const proved = provedPayeesQuery(subject, { paid, isPaidWhole }, state)
  const provedPayees = proved.enabled ? (await orNull(ask(asking, proved)))?.payees : undefined
  const signed = signedNamesQuery(chainId, safeAddress, names?.names ?? [])
  const signedNames = signed.enabled ? (await orNull(ask(asking, signed)))?.names : undefined
  const nonce = subject.kind === 'transaction' && hasLimits(policy) ? subject.safeTx.nonce : null
  const spent = nonce === null ? null : await orNull(ask(asking, spentQuery(chainId, safeAddress, nonce)))
  const counting = { names: names?.names ?? [], signedNames: signedNames ?? [], abis: abis?.abis ?? [] }
  return { tokens, ...counting, policy, spent: spent?.spent, paid, isPaidWhole, provedPayees }
}

function ask<Answer, Key extends QueryKey>(
  { queryClient, isFresh }: Asking,
  query: FetchQueryOptions<Answer, Error, Answer, Key>,
): Promise<Answer> {
  return queryClient.fetchQuery(isFresh ? { ...query, staleTime: ANEW } : query)
}
