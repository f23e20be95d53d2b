import type { Demand } from '@countersign/review'
import type { Address } from 'viem'
import { isTextKey, text } from '../../safe/words/finding-text.ts'
import { findingWords } from '../../safe/words/finding-words.ts'
import { Button } from '../../ui/button.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { contractOfAbi } from '../view/book-link.tsx'

/** The checks and findings that keep the review from a verdict, with the way out. */
export function Missing({
  demands,
  chainId,
  safeAddress,
  onRetry,
}: {
  demands: readonly Demand[]
  chainId: number
  safeAddress: Address
  onRetry: () => void
}) {
  const ids = demands.map(({ finding }) => finding.id)
  const undecoded = demands.find(({ finding }) => finding.id === 'DECODE-NONE')?.finding
  const abi = undecoded && contractOfAbi(undecoded)
  return (
    <div className="grid gap-3" data-missing={demands.length}>
      <p className="font-semibold">{text('acknowledge.missing.title')}</p>
      <ul className="grid gap-1">
        {demands.map((demand) => (
          <li key={demand.key} data-missing-finding={demand.finding.id} className="wrap-anywhere">
            {missingWords(demand)}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {undecoded && (
          <TextLink
            look="target"
            to="/safes/$chainId/$safeAddress/book"
            params={{ chainId, safeAddress }}
            search={abi ? { abi } : {}}
          >
            {text('acknowledge.missing.abi')}
          </TextLink>
        )}
        {ids.some((id) => id !== 'DECODE-NONE') && (
          <>
            <Button onClick={onRetry}>{text('acknowledge.missing.retry')}</Button>
            <TextLink look="target" to="/chains">
              {text('acknowledge.missing.node')}
            </TextLink>
          </>
        )}
      </div>
    </div>
  )
}

/** A check that was not made, by its name; anything else by the title of its finding and the contract. */
function missingWords({ finding: { id, evidence } }: Demand): string {
  const check = id === 'INPUT-MISSING' ? `check.${evidence.check}` : ''
  if (isTextKey(check)) return text('acknowledge.missing.check', { check: text(check) })
  const { title } = findingWords(id)
  return evidence.to === undefined ? title : text('acknowledge.missing.at', { title, contract: evidence.to })
}
