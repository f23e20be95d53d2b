import { ButtonLink } from '../../ui/button-link.tsx'
import { AddSafe } from './add-safe.tsx'
import { SafeList } from './safe-list.tsx'
import { text } from './text.ts'
import { TourOffer } from './tour-offer.tsx'

/** The account's Safes, and the form for another one. */
export function MySafes() {
  return (
    <>
      <TourOffer />
      <SafeList />
      <div className="mb-9">
        <ButtonLink to="/create">{text('safes.create')}</ButtonLink>
      </div>
      <AddSafe />
    </>
  )
}
