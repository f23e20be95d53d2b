import type { proposeMessage as endpoint, Input } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import type { Hex } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import { saveSafe } from '../../chain/save-safe.ts'
import type { SignedInCtx } from '../../context.ts'
import { activity } from '../../db/schema.ts'
import { safeMessage } from '../../db/team-schema.ts'
import { notify } from '../../live/notify.ts'
import { notAnOwner } from '../safes/access.ts'
import { findKnownSafe } from '../safes/queries.ts'
import { hashContent, messageNotFound } from './access.ts'
import { addConfirmation } from './confirm.ts'
import { countMessages, findMessage, type StoredMessage } from './queries.ts'
import { verifyMessageSignature } from './verify.ts'

/** Of one proposer on one Safe, with too few confirmations. */
const MAX_OPEN = 100
const MAX_OF_SAFE = 20_000

type Proposal = Omit<Input<typeof endpoint>, 'safeMessageHash'> & {
  /** Null: the caller has none to compare. */
  safeMessageHash: Hex | null
  safeAppId?: number | null
}

/**
 * Keeps a message with its proposer's confirmation. The hash is computed here, from the content as it came and the Safe
 * as it is at this moment; without the chain nothing is written.
 */
export async function proposeMessage(ctx: SignedInCtx, input: Proposal): Promise<StoredMessage> {
  const { chainId, safeAddress, content, signature, origin = null, safeAppId = null } = input
  const account = ctx.viewer.address
  const chain = chainOf(ctx.chains, chainId)
  if (!(await findKnownSafe(ctx.db, chainId, safeAddress)))
    throw new CountersignError(
      'SAFE_NOT_FOUND',
      `The Safe \`${safeAddress}\` on chain \`${chainId}\` is not known here.`,
      { data: { chainId, safeAddress } },
    )
  const state = await chain.readSafe(safeAddress)
  if (!state.owners.includes(account)) throw notAnOwner(account, safeAddress)
  if (state.version === null)
    throw new CountersignError('UNKNOWN_SINGLETON', `The singleton \`${state.singleton}\` is no official release.`, {
      data: { singleton: state.singleton, singletonCodeHash: state.singletonCodeHash },
    })
  const hashed = hashContent(state, content, input.safeMessageHash)
  const { safeMessageHash } = hashed
  const signed = await verifyMessageSignature({ chain, state, account }, { ...hashed, signature })

  const now = ctx.clock()
  const key = { chainId, safeMessageHash }
  return ctx.db.transaction(async (tx) => {
    if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    const proposed = await tx
      .insert(safeMessage)
      .values({
        ...key,
        safeAddress,
        content,
        proposer: account,
        safeAppId,
        origin,
        submissionDate: now,
        modifiedDate: now,
      })
      .onConflictDoNothing()
      .returning({ safeMessageHash: safeMessage.safeMessageHash })
    const isNew = proposed.length > 0
    if (isNew) checkCounts(await countMessages(tx, chainId, safeAddress, account))
    const isNewConfirmation = await addConfirmation(tx, { ...key, ...signed, now })
    if (isNew || isNewConfirmation) {
      const verb = isNew ? 'proposed-message' : 'confirmed-message'
      await tx.insert(activity).values({ at: now, account, verb, chainId, safeAddress, detail: { safeMessageHash } })
      await notify(tx, { kind: 'message', chainId, safeAddress, safeMessageHash })
    }
    const message = await findMessage(tx, chainId, safeMessageHash)
    if (!message) throw messageNotFound(chainId, safeMessageHash)
    return { message, isNew, isNewConfirmation }
  })
}

function checkCounts({ all, open }: { all: number; open: number }): void {
  // The new one is among them.
  const limit = open > MAX_OPEN ? MAX_OPEN : MAX_OF_SAFE
  if (open <= MAX_OPEN && all <= MAX_OF_SAFE) return
  throw new CountersignError('TOO_MANY_MESSAGES', `There are \`${limit}\` messages already.`, { data: { limit } })
}
