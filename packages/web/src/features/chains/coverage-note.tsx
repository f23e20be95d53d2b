import { useQuery } from '@tanstack/react-query'
import { useChains } from '../../api/configuration.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { chainStatusQuery, percentOf, standingOf } from './chain-status.ts'
import { text } from './text.ts'

/** Where My Safes may lack something, and why. Nothing while all chains are read. */
export function CoverageNote() {
  const chains = useChains()
  const found = useQuery(chainStatusQuery)
  if (!found.data) return null
  const { readAt } = found.data
  const lines = found.data.chains.flatMap((status) => {
    const name = showUntrusted(chains.find(({ chainId }) => chainId === status.chainId)?.name ?? '', 60)
    const standing = standingOf(status, readAt)
    if (standing === 'up-to-date' || standing === 'starting') return []
    if (standing !== 'reading-past')
      return [text('following.lacking', { name, standing: text(`chains.standing.${standing}`) })]
    return status.discovery ? [text('following.discovery', { name, percent: percentOf(status.discovery) })] : []
  })
  if (lines.length === 0) return null
  return (
    <div role="status" className="mb-8 grid gap-1 text-small text-warning" data-coverage>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        <TextLink to="/chains">{text('following.more')}</TextLink>
      </p>
    </div>
  )
}
