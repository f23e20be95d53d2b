import type { Finding } from '@countersign/safe-core'
import { type Address, getAddress, isAddress } from 'viem'
import { TextLink } from '../../ui/text-link.tsx'
import type { Names } from '../names.ts'
import { text } from '../text.ts'

/** Way out of a function that nobody read, and of an address that nobody knows: the form of the address book for it. */
export function BookLink({ finding, names: { chain, safeAddress } }: { finding: Finding; names: Names }) {
  const found = placeInBook(finding)
  if (!found || !chain) return null
  const { abi, named, key } = found
  return (
    <p className="mt-1" data-abi-link={abi} data-name-link={named}>
      <TextLink
        to="/safes/$chainId/$safeAddress/book"
        params={{ chainId: chain.chainId, safeAddress }}
        search={abi ? { abi } : { named }}
      >
        {text(key)}
      </TextLink>
    </p>
  )
}

function placeInBook({ id, evidence }: Finding) {
  if (id === 'DECODE-NONE') {
    const abi = addressOf(evidence.behind ?? evidence.to)
    return (
      abi && { abi, key: evidence.behind === undefined ? ('abiLink' as const) : ('abiLink.implementation' as const) }
    )
  }
  const named = id === 'ADDR-NEW' || id === 'CODE-UNFAMILIAR' ? addressOf(evidence.address) : undefined
  return named && { named, key: 'nameLink' as const }
}

function addressOf(value: string | undefined): Address | undefined {
  return value !== undefined && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}
