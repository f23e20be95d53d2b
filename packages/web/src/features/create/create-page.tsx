import { useRef, useState } from 'react'
import { useChains } from '../../api/configuration.ts'
import { usePreparedReview } from '../../evidence/worker/use-prepared-review.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { useWritten } from '../../ui/form/use-written.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { ChainCreation } from './chain-creation.tsx'
import {
  emptyTyped,
  keepTyped,
  keepUnderWay,
  loadTyped,
  loadUnderWay,
  namesToSave,
  type PlannedSafe,
} from './creation-draft.ts'
import { CreationForm } from './creation-form.tsx'
import { GivenSafeForm } from './given-safe-form.tsx'
import { KnownSafeForm } from './known-safe-form.tsx'
import { text } from './text.ts'
import { isSavedInTab } from './use-save-creation.ts'

/** Creating a Safe: the form, then its address and the review for each chain, with a button for each. */
export function CreatePage() {
  usePreparedReview('creation')
  const chains = useChains()
  const { session } = useSession()
  const account = session?.address ?? null
  const [typed, setTyped] = useState(
    () =>
      loadTyped() ??
      emptyTyped(
        account,
        chains.map(({ chainId }) => chainId),
      ),
  )
  const { written, review, leave, forget } = useWritten<PlannedSafe>()
  const [underWay, setUnderWay] = useState(loadUnderWay)
  const planned = written ?? underWay
  /** Chains on which nothing is left to save. */
  const saved = useRef(new Set<number>())
  const change = () => {
    keepUnderWay(null)
    setUnderWay(null)
    saved.current.clear()
    leave()
  }
  return (
    <div data-create={planned ? 'review' : 'edit'}>
      <PageHead
        title={text('create.title')}
        back={<TextLink to="/">{text('safes.title')}</TextLink>}
        what={planned ? undefined : text('create.what')}
      />
      {planned ? (
        <>
          <PlannedFacts planned={planned} />
          <div className="my-6">
            <Button onClick={change}>{text('create.back')}</Button>
          </div>
          {planned.chainIds.map((chainId) => (
            <ChainCreation
              key={chainId}
              planned={planned}
              chainId={chainId}
              account={account}
              onUnderWay={() => keepUnderWay(planned)}
              onSaved={() => {
                saved.current.add(chainId)
                // The other chains still need the form and the plan.
                const savedFor = { account, names: namesToSave(planned) }
                const isSaved = (other: number) => saved.current.has(other) || isSavedInTab(planned, other, savedFor)
                if (!planned.chainIds.every(isSaved)) return
                keepTyped(null)
                keepUnderWay(null)
              }}
            />
          ))}
        </>
      ) : (
        <>
          <CreationForm
            typed={typed}
            onChange={(next) => {
              setTyped(next)
              forget()
              keepTyped(next)
            }}
            onReview={review}
          />
          <KnownSafeForm onReview={review} />
          <GivenSafeForm onReview={review} />
        </>
      )}
    </div>
  )
}

/** The Safe as it will be, whatever the chain: its address first, whole. */
function PlannedFacts({ planned: { safeAddress, owners, threshold, names, name } }: { planned: PlannedSafe }) {
  return (
    <Facts>
      <Fact label={text('create.address')}>
        <Address address={safeAddress} name={name || undefined} />
      </Fact>
      <Fact label={text('create.owners')}>
        <ul className="grid gap-2">
          {owners.map((owner) => (
            <li key={owner}>
              <Address address={owner} name={names.find(({ address }) => address === owner)?.name} />
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={text('create.threshold')}>
        {text('create.threshold.value', { threshold, owners: owners.length })}
      </Fact>
    </Facts>
  )
}
