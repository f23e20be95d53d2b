import { Suspense } from 'react'
import { withTexts } from '../../text/text.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Loading } from '../../ui/loading.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { AddSafe } from './add-safe.tsx'
import { SafeList } from './safe-list.tsx'
import { text } from './text.ts'
import { TourOffer } from './tour-offer.tsx'

/** Comes when it is opened: it is needed once. */
const AddExported = lazyPart(async () => (await withTexts(() => import('./add-exported.tsx'), 'import')).AddExported)

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
      <Fold title={text('safes.add.exported')} isLazy>
        <Suspense fallback={<Loading label={text('app.loading')} />}>
          <AddExported />
        </Suspense>
      </Fold>
    </>
  )
}
