import { useSearch } from '@tanstack/react-router'
import { type Address, zeroAddress } from 'viem'
import { isKind } from '../features/compose/draft.ts'
import { ApprovePage } from '../features/compose/pages/approve-page.tsx'
import { CancelPage } from '../features/compose/pages/cancel-page.tsx'
import { ComposePage } from '../features/compose/pages/compose-page.tsx'
import { ProposeAgain } from '../features/compose/propose-again.tsx'
import { SignOnChain } from '../features/compose/sign-on-chain.tsx'

/** Chooses the page of a new proposal by the search of its address: compose, propose again, cancel, approve, or sign on-chain. */
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
  // The key resets the form if the second of two proposals that swap nonces follows the first.
  if (again !== undefined) return <ProposeAgain key={again} {...place} safeTxHash={again} nonce={nonce ?? null} />
  if (approve !== undefined && of !== undefined)
    return <ApprovePage {...place} approval={{ parent: of, hash: approve }} />
  const replaced = nonce === undefined ? null : BigInt(nonce)
  if (cancel === true && replaced !== null) return <CancelPage {...place} nonce={replaced} />
  return (
    <ComposePage
      {...place}
      nonce={replaced}
      start={isKind(change) ? { kind: change, typed: { owner, module, delegate, ...assetOf(token) } } : null}
    />
  )
}

/** Returns the fields of an asset that another page names. The zero address is the chain's native coin. */
function assetOf(token: Address | undefined) {
  return token === undefined || token === zeroAddress ? {} : { asset: 'other', tokenAddress: token }
}
