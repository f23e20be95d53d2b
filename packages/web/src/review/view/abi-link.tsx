import type { Finding } from '@countersign/safe-core'
import { getAddress, isAddress } from 'viem'
import { TextLink } from '../../ui/text-link.tsx'
import type { Names } from '../names.ts'
import { text } from '../text.ts'

/** Way out of a function that nobody read: the form for an ABI, with the contract whose code runs. */
export function AbiLink({
  finding: { id, evidence },
  names: { chain, safeAddress },
}: {
  finding: Finding
  names: Names
}) {
  const contract = evidence.behind ?? evidence.to ?? ''
  if (id !== 'DECODE-NONE' || !chain || !isAddress(contract, { strict: false })) return null
  return (
    <p className="mt-1" data-abi-link={contract}>
      <TextLink
        to="/safes/$chainId/$safeAddress/book"
        params={{ chainId: chain.chainId, safeAddress }}
        search={{ abi: getAddress(contract) }}
      >
        {text(evidence.behind === undefined ? 'abiLink' : 'abiLink.implementation')}
      </TextLink>
    </p>
  )
}
