import type { Finding } from '@countersign/review'
import { type Address, getAddress, isAddress } from 'viem'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { TextLink } from '../../ui/text-link.tsx'

/** Way out of a function that nobody read, and of an address that nobody knows: the form of the address book for it. */
export function BookLink({ finding, names: { chain, safeAddress } }: { finding: Finding; names: Names }) {
  const found = placeInBook(finding)
  if (!found || !chain) return null
  const { search, key } = found
  return (
    <p className="mt-1" data-abi-link={search.abi} data-name-link={search.named}>
      <TextLink to="/safes/$chainId/$safeAddress/book" params={{ chainId: chain.chainId, safeAddress }} search={search}>
        {text(key)}
      </TextLink>
    </p>
  )
}

function placeInBook(finding: Finding): {
  search: { abi?: Address; named?: Address; sign?: true }
  key: 'abiLink' | 'abiLink.implementation' | 'nameLink' | 'nameLink.sign'
} | null {
  const { id, severity, evidence } = finding
  if (id === 'DECODE-NONE') {
    const abi = contractOfAbi(finding)
    const key = evidence.behind === undefined ? 'abiLink' : 'abiLink.implementation'
    return abi ? { search: { abi }, key } : null
  }
  const isOfAddress = id === 'ADDR-NEW' || id === 'CODE-UNFAMILIAR' || id === 'ARGUMENT-UNFAMILIAR'
  const named = isOfAddress ? addressOf(evidence.address) : undefined
  if (!named) return null
  // An unsigned name is the word of the server, which lowers nothing serious.
  return severity === 'high'
    ? { search: { named, sign: true }, key: 'nameLink.sign' }
    : { search: { named }, key: 'nameLink' }
}

/** The contract whose ABI would decode a call, if the finding is `DECODE-NONE`. */
export function contractOfAbi({ id, evidence }: Finding): Address | undefined {
  return id === 'DECODE-NONE' ? addressOf(evidence.behind ?? evidence.to) : undefined
}

function addressOf(value: string | undefined): Address | undefined {
  return value !== undefined && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}
