import { useSearch } from '@tanstack/react-router'
import { type Address, zeroAddress } from 'viem'
import { isKind } from '../features/compose/draft.ts'
import { ProposeAgain } from '../features/compose/propose-again.tsx'
import { ProposePage } from '../features/compose/propose-page.tsx'
import { SignOnChain } from '../features/compose/sign-on-chain.tsx'

/** Composing, alone, the same once more, against the proposal that the address names, or to approve what another Safe is to do. */
export function Propose(place: { chainId: number; safeAddress: Address }) {
  const {
    nonce,
    cancel,
    again,
    sign,
    approve,
    of,
    change,
    owner = '',
    module = '',
    delegate = '',
    token,
  } = useSearch({
    from: '/signed-in/safes/$chainId/$safeAddress/new',
  })
  if (sign !== undefined) return <SignOnChain {...place} safeMessageHash={sign} />
  // Another one begins anew: the second of two that change places follows the first.
  if (again !== undefined) return <ProposeAgain key={again} {...place} safeTxHash={again} nonce={nonce ?? null} />
  return (
    <ProposePage
      {...place}
      nonce={nonce === undefined ? null : BigInt(nonce)}
      isCancellation={cancel === true}
      start={isKind(change) ? { kind: change, typed: { owner, module, delegate, ...assetOf(token) } } : null}
      approval={approve === undefined || of === undefined ? null : { parent: of, hash: approve }}
    />
  )
}

/** Fields of an asset that another page names; zero is the chain's coin. */
function assetOf(token: Address | undefined) {
  return token === undefined || token === zeroAddress ? {} : { asset: 'other', tokenAddress: token }
}
