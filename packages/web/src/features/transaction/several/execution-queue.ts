import type { MultisigTransaction } from '@countersign/contract'
import type { ExecutionProgress } from '../execution/execution-state.ts'

/** The server reads a block within seconds; then nobody waits for its word any more. */
const MAX_UNDECIDED_POLLS = 20

/** The work on one of a list, and who hears of it. */
type Turns<One> = {
  /** Sends one and waits for it. Answers whether it is executed. */
  executeOne: (one: One) => Promise<boolean>
  /** Whether nothing more is to be sent: it was stopped, or the page was left. */
  isEnded: () => boolean
  /** Hears why one was not sent, or not followed. */
  onFailed: (one: One, error: unknown) => void
  /** Hears that nobody works on one any more, however it went. */
  onDone: (one: One) => void
}

/**
 * Executes one after the other. The next begins once the one before it is executed; where one is not, for whatever reason, or the
 * list is stopped, nothing after it is sent.
 */
export async function executeInSequence<One>(
  list: readonly One[],
  { executeOne, isEnded, onFailed, onDone }: Turns<One>,
): Promise<void> {
  for (const one of list) {
    if (isEnded()) return
    const isExecuted = await executeOne(one).catch((error: unknown) => {
      onFailed(one, error)
      return false
    })
    onDone(one)
    if (!isExecuted) return
  }
}

/** All that is known of one that was sent: by the node, by the server, and by the Safe's nonce. */
export type SentSight = {
  seen: ExecutionProgress
  served: Pick<MultisigTransaction, 'isExecuted' | 'isSuccessful'> | undefined
  /** Whether the Safe's nonce is used by now, by this transaction or another. */
  isUsed: boolean
  /** How often it could not be told before what became of it. */
  undecided: number
}

/** How one stands that was sent, and whether the list goes on behind it; null as long as that is not known. */
export type SentStanding = { progress: ExecutionProgress; isExecuted: boolean | null; undecided: number }

/** Says how one stands that was sent. The next is sent only once the chain, too, shows the nonce used. */
export function standingOfSent({ seen, served, isUsed, undecided }: SentSight): SentStanding {
  const isGone = seen.step === 'replaced' || seen.step === 'dropped'
  const told = isGone ? outcomeOf(served, seen) : seen
  // The Safe's nonce is used by a transaction that is not read yet: it may be this one.
  if (isGone && told === seen && isUsed && undecided < MAX_UNDECIDED_POLLS)
    return { progress: { step: 'waiting' }, isExecuted: null, undecided: undecided + 1 }
  // The node whose state is read may lag behind the one with the receipt.
  const isOpen = told.step === 'waiting' || (told.step === 'executed' && !isUsed)
  return { progress: told, isExecuted: isOpen ? null : told.step === 'executed', undecided }
}

/**
 * Answers with the server's word on one whose hash the node does not have any more: the wallet may have sent it again by itself.
 */
function outcomeOf(served: SentSight['served'], seen: ExecutionProgress): ExecutionProgress {
  if (!served?.isExecuted) return seen
  return { step: served.isSuccessful === false ? 'inner-failed' : 'executed' }
}
