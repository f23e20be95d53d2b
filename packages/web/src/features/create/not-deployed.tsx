import { isSameAddress, type SafeState } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { useChain, useChains } from '../../api/configuration.ts'
import { currencyOf } from '../../safe/names/names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChainCreation } from './chain-creation.tsx'
import type { PlannedSafe } from './creation-draft.ts'
import { costQuery } from './queries.ts'
import { text } from './text.ts'

/** Says what a Safe that is not on the chain yet can do and what its activation costs, and offers its creation by itself. */
export function NotDeployed({ state, account }: { state: SafeState; account: Address | null }) {
  const { chainId, address: safeAddress, creation, owners, threshold } = state
  const chain = useChain(chainId)
  const names = useTeamNames(chainId, safeAddress).filter(
    ({ author }) => account !== null && isSameAddress(author, account),
  )
  const [isOpen, setIsOpen] = useState(false)
  const planned: PlannedSafe = {
    chainIds: [chainId],
    safeAddress,
    owners,
    threshold,
    name: '',
    factory: creation?.factory ?? safeAddress,
    data: creation?.data ?? '0x',
    names: names.map(({ address, name }) => ({ address, name })),
  }
  const cost = useQuery({
    ...costQuery(planned, chainId, account),
    enabled: account !== null && creation !== undefined,
  })
  const { symbol, decimals } = currencyOf(chain)
  const isOwner = account !== null && owners.some((owner) => isSameAddress(owner, account))
  const chains = useChains()
  if (creation === undefined) return null
  const amount = cost.data && (shortenAmount(cost.data.fee, decimals) ?? formatAmount(cost.data.fee, decimals))
  return (
    <div data-not-deployed={isOpen ? 'activate' : 'kept'} className="mb-8 grid gap-4">
      <Notice
        title={text('create.kept.title')}
        hint={amount === undefined ? undefined : text('create.kept.cost', { amount, symbol })}
        actions={
          <>
            {isOwner && (
              <ButtonLink isCompact to="/safes/$chainId/$safeAddress/new" params={{ chainId, safeAddress }}>
                {text('create.kept.propose')}
              </ButtonLink>
            )}
            <Button isCompact aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {text(isOpen ? 'create.kept.close' : 'create.kept.activate')}
            </Button>
          </>
        }
      >
        <p>{text('create.kept.sentence')}</p>
        <p className="mt-1 text-small text-ink-soft">
          {text('create.kept.share')}
          {chains.length > 1 && ` ${text('create.kept.chain', { chain: chain?.name ?? String(chainId) })}`}
        </p>
      </Notice>
      {isOpen && <ChainCreation planned={planned} chainId={chainId} account={account} isKept />}
    </div>
  )
}
