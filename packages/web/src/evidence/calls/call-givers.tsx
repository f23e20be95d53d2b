import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Address } from '../../ui/address.tsx'
import { parsedAbi } from '../attribution/review-lists.ts'
import type { TeamAbi } from '../attribution/team-abis.ts'

/** Names the owners who gave or endorsed an ABI with the function by which a call is read. */
export function CallGivers({ call, abis, names }: { call: Call; abis: readonly TeamAbi[]; names: Names }) {
  if (call.source !== 'given') return null
  const contract = call.implementation?.address ?? call.to
  const givers = names.owners.filter((owner) =>
    abis.some(
      (entry) =>
        entry.isSigned &&
        isSameAddress(entry.author, owner) &&
        isSameAddress(entry.contract, contract) &&
        parsedAbi(entry).functions.some(({ signature }) => signature === call.name),
    ),
  )
  return (
    <div className="mt-1 text-small" data-call-givers={givers.length}>
      <p>{text('call.given.by')}</p>
      <ul>
        {givers.map((giver) => (
          <li key={giver}>
            <Address address={giver} name={nameOf(giver, names)} hasAvatar={false} isCopyable={false} />
          </li>
        ))}
      </ul>
    </div>
  )
}
