import type { Names } from '../../../safe/names/names.ts'
import { isBeingAsked, type OtherService } from '../../../safe/other-service.ts'
import type { Proposal } from '../../../safe/proposals.ts'
import { transactionTitle } from '../../../safe/title/transaction-title.ts'
import { Field } from '../../../ui/form/field.tsx'
import { text } from '../text.ts'

/** Proposals that are further away are nobody's reason to wait for them. */
const NEAR = 1_000n

type Place = {
  /** As it was typed; null: the next free one. */
  nonce: string | null
  nextNonce: bigint
  proposals: readonly Proposal[]
  names: Names
  elsewhere: OtherService | null
}

/** The place in the queue that a new transaction takes. */
export function NonceField({
  onChange,
  error,
  ...place
}: Place & { onChange: (nonce: string) => void; error: string | undefined }) {
  return (
    <Field
      label={text('propose.nonce')}
      inputMode="numeric"
      value={place.nonce ?? place.nextNonce.toString()}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      error={error}
      hint={[nonceHint(place), hintOfOthers(place)].filter((hint) => hint !== null).join(' ')}
    />
  )
}

/** Says what a nonce means in the queue: which proposals it would replace, what must come before it, what waits for it. */
function nonceHint({ nonce: typed, nextNonce, proposals, names, elsewhere }: Place): string {
  const written = typed?.trim() ?? ''
  const nonce = /^[0-9]{1,16}$/.test(written) ? BigInt(written) : null
  const rivals = proposals.filter((proposal) => !proposal.isExecuted && proposal.nonce === nonce)
  const [rival] = rivals
  if (rival?.safeTx)
    return text('compose.nonce.replaces', { title: transactionTitle(rival.safeTx, names), count: rivals.length })
  if (nonce !== null && nonce > nextNonce) return text('compose.nonce.gap', { nextNonce })
  if (nonce !== null && nonce !== nextNonce) return text('propose.nonce.hint', { nonce: nextNonce })
  const there = (elsewhere?.waiting ?? []).map(({ safeTx }) => safeTx)
  const behind = [...proposals.filter(({ isExecuted }) => !isExecuted), ...there]
    .map((proposal) => proposal.nonce)
    .filter((other) => other > nextNonce && other < nextNonce + NEAR)
    .toSorted((one, other) => (one < other ? -1 : 1))
  const [later, last = later] = [behind[0], behind.at(-1)]
  return later === undefined || last === undefined
    ? text('propose.nonce.hint', { nonce: nextNonce })
    : text('compose.nonce.fills', { nonce: nextNonce, later, last: last + 1n })
}

/** Says whether proposals of another service are counted; null where there is none, or nothing waits there. */
function hintOfOthers({ elsewhere }: Place): string | null {
  if (elsewhere?.hasFailed) return text('compose.nonce.thereUnknown', { host: elsewhere.host })
  if (elsewhere && isBeingAsked(elsewhere)) return text('compose.nonce.thereAsking', { host: elsewhere.host })
  if (elsewhere && elsewhere.beyond > 0)
    return text('compose.nonce.thereBeyond', { host: elsewhere.host, count: elsewhere.beyond })
  return elsewhere?.waiting?.length ? text('compose.nonce.there', { host: elsewhere.host }) : null
}
