import {
  type proposeMessage as endpoint,
  fail,
  type Input,
  type Reviewed,
  type SafeMessage,
} from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safeMessage } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner, requireOwnerOrProposer } from '../../safes/access.ts'
import { assertMessageUnrestricted } from '../policy/restrict.ts'
import { storeListEntry } from '../safes/add.ts'
import { recordMismatch, recordRefusal } from '../signing/refused-signatures.ts'
import { hashContent, messageNotFound, readContent } from './access.ts'
import { storeConfirmation } from './confirm.ts'
import { countMessages, findMessage, type StoredMessage } from './queries.ts'
import { verifyMessageSignature } from './verify.ts'

/** Messages of one proposer on one Safe that lack confirmations, and their bytes. */
const MAX_OPEN = 100
const MAX_OF_PROPOSER = 20_000
const MAX_BYTES = 32 * 1024 * 1024

/** Keeps a message that the signed-in owner has signed or, where it is brought from elsewhere, another one. */
export async function proposeMessage(
  ctx: SignedInCtx,
  { origin = null, isImported = false, ...input }: Input<typeof endpoint>,
): Promise<SafeMessage> {
  const account = ctx.viewer.address
  const { chainId, safeAddress } = input
  const isOwner = isImported && (await requireOwnerOrProposer(ctx, chainId, safeAddress)) === 'owner'
  if (isImported && !isOwner) throw notAnOwner(account, safeAddress)
  const mustSign = isImported ? null : account
  const { message } = await propose(ctx, { ...input, origin, safeAppId: null, account, mustSign })
  return message
}

export type ProposingMessage = {
  chainId: number
  safeAddress: Address
  /** JSON as it came. */
  content: string
  /** Compared with the one that is computed here; null: the caller has none. */
  safeMessageHash: Hex | null
  /** One, of an owner. */
  signature: Hex
  origin: string | null
  safeAppId: number | null
  /** Signed-in account; null: the signature alone proves the right to propose. */
  account: Address | null
  /** Whose it has to be; null: any owner's. */
  mustSign: Address | null
  /** The signed-in account's claim of what its page showed. */
  reviewed?: Reviewed | undefined
}

/**
 * Keeps a message with the confirmation of the owner who proposes it. The hash is computed here, from the content as it
 * came and the Safe as it is at this moment; without the chain nothing is written. Proposing it again adds the
 * confirmation that is missing and changes nothing else.
 *
 * @throws CountersignError as `proposeMessage` of the contract.
 */
export async function propose(ctx: Ctx, given: ProposingMessage): Promise<StoredMessage> {
  const { chainId, safeAddress, content, signature, origin, safeAppId, account, mustSign, reviewed } = given
  const chain = chainOf(ctx.chains, chainId)
  const state = await chain.readSafe(safeAddress)
  const isOwner = account !== null && state.owners.includes(account)
  if (state.creation && !isOwner) throw fail('NOT_A_SAFE', { address: safeAddress, chainId })
  // Nobody could verify its signature: there is no contract to ask.
  if (state.creation) throw fail('SAFE_NOT_DEPLOYED', { reason: 'message', safeAddress })
  if (mustSign !== null && !state.owners.includes(mustSign)) throw notAnOwner(mustSign, safeAddress)
  if (state.version === null)
    throw fail('UNKNOWN_SINGLETON', { singleton: state.singleton, singletonCodeHash: state.singletonCodeHash })
  const refusal = { state, account, isMember: isOwner }
  const read = await readContent(ctx, content)
  const hashed = await hashedContent()
  const { safeMessageHash } = hashed
  const verifying = verifyMessageSignature({ chain, state, mustSign }, { ...hashed, signature })
  const signed = await verifying.catch(async (error: unknown) => {
    await recordRefusal(ctx, { ...refusal, signedHash: safeMessageHash }, error)
    throw error
  })
  const proposer = signed.owner
  const keeper = account ?? proposer

  const key = { chainId, safeMessageHash }
  return write(ctx, { state, addedBy: keeper }, async (tx, log) => {
    const { now } = log
    if (log.isNewSafe) await storeListEntry(tx, log, { account: keeper, chainId, safeAddress })
    await lockUntilCommit(tx, `messages ${chainId} ${safeAddress} ${proposer}`)
    const restricted = { chainId, safeAddress, safeMessageHash, content: read }
    await assertMessageUnrestricted(tx, restricted, {
      state,
      signers: [proposer],
      now,
      isMember: isOwner,
      tokenLists: ctx.tokenLists,
    })
    const facts = { safeAddress, content, proposer, safeAppId, origin }
    const proposed = await tx
      .insert(safeMessage)
      .values({ ...key, ...facts, submissionDate: now, modifiedDate: now })
      .onConflictDoNothing()
      .returning({ safeMessageHash: safeMessage.safeMessageHash })
    const isNew = proposed.length > 0
    if (isNew) checkCounts(await countMessages(tx, chainId, safeAddress, proposer))
    const isNewConfirmation = await storeConfirmation(tx, { ...key, ...signed, now })
    const verb = isNew ? 'proposed-message' : 'confirmed-message'
    if (isNew || isNewConfirmation) {
      const report = account === proposer ? reviewed : undefined
      log.add({ verb, account: keeper, chainId, safeAddress, safeMessageHash, reviewed: report })
    }
    const message = await findMessage(tx, chainId, safeMessageHash)
    if (!message) throw messageNotFound(chainId, safeMessageHash)
    return { message, isNew, isNewConfirmation }
  })

  async function hashedContent(): Promise<ReturnType<typeof hashContent>> {
    try {
      return hashContent(state, read, given.safeMessageHash)
    } catch (error) {
      const signedHash = given.safeMessageHash
      if (error instanceof CountersignError && error.code === 'MESSAGE_HASH_MISMATCH' && signedHash)
        await recordMismatch(ctx, { ...refusal, signedHash }, { signatures: signature, error })
      throw error
    }
  }
}

function checkCounts({ all, open, bytes }: { all: number; open: number; bytes: number }): void {
  // The new one is among them.
  if (bytes > MAX_BYTES) throw fail('TOO_MANY_MESSAGES', { reason: 'bytes', limit: MAX_BYTES })
  const limit = open > MAX_OPEN ? MAX_OPEN : MAX_OF_PROPOSER
  if (open <= MAX_OPEN && all <= MAX_OF_PROPOSER) return
  throw fail('TOO_MANY_MESSAGES', { reason: 'count', limit })
}
