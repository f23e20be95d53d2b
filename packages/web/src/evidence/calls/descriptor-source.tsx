import { loadDescriptorRegistry, verifiedAttestations } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import { text } from '../../safe/text.ts'
import { formatDay } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'

/** The author of a descriptor of the ERC-7730 registry, and who attested it by a signature that this page has verified. */
export function DescriptorSource({ owner, path, date }: { owner: string; path: string; date: string }) {
  const { data: attestations = [] } = useQuery(computedQuery('descriptor-attestations', path, findAttestations))
  return (
    <>
      <p className="text-ink-soft wrap-anywhere">
        {text('call.described', { owner: showUntrusted(owner, 100), path, date })}
      </p>
      {attestations.map(({ attester, name, organization, time }) => (
        <p key={attester} className="text-ink-soft wrap-anywhere" data-attested-by={attester}>
          {text('call.attested', {
            name: showUntrusted(`${name}, ${organization}`, 100),
            day: formatDay(new Date(time * 1000).toISOString().slice(0, 10)),
          })}{' '}
          <Address address={attester} hasAvatar={false} isCopyable={false} />
        </p>
      ))}
    </>
  )
}

async function findAttestations(path: string) {
  return verifiedAttestations(await loadDescriptorRegistry(), path)
}
