import { isSameAddress } from '@countersign/safe'
import type { Hex } from 'viem'
import { compareEffects } from '../effects/compare-effects.ts'
import { isOfAuthor } from '../effects/sign-effects.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding, Review } from '../types.ts'
import { finding } from './make-finding.ts'

/** Lines of each side that the evidence names. */
const MAX_LINES = 10

/**
 * Compares the effects that the proposer declared with those that the run shows, or else with those of the calls. A declaration says
 * nothing for a transaction: agreement lowers no finding.
 */
export async function reviewDeclaredEffects(
  { observed }: Pick<Review, 'observed'>,
  safeTxHash: Hex,
  input: ReviewInput,
): Promise<Finding[]> {
  const { declared, state, chainId, safeAddress } = input
  if (!declared) return []
  const { author } = declared
  if (state === null) return [finding('EFFECTS-NOT-COMPARED', 'info', { author, reason: 'state' })]
  const ignored = (reason: string) => [finding('EFFECTS-IGNORED', 'medium', { author, reason })]
  if (!state.owners.some((owner) => isSameAddress(owner, author))) return ignored('not-owner')
  if (!(await isOfAuthor({ chainId, safeAddress, safeTxHash }, declared))) return ignored('signature')
  const { declaredOnly, observedOnly, notCompared, mayDiffer } = compareEffects(declared, observed, safeAddress)
  const found: Finding[] = []
  if (declaredOnly.length + observedOnly.length > 0)
    found.push(
      finding('EFFECTS-DIFFER', 'high', {
        author,
        declaredOnly: listed(declaredOnly),
        observedOnly: listed(observedOnly),
      }),
    )
  if (notCompared.length > 0) {
    const calls = listed(observed.unread.map((path) => (path === '' ? 'transaction' : path)))
    found.push(finding('EFFECTS-NOT-COMPARED', 'info', { author, parts: notCompared.join(', '), calls }))
  }
  if (found.length > 0) return found
  // They agree about what the declaration leaves open, too: it is named.
  const open = mayDiffer.length === 0 ? undefined : listed(mayDiffer)
  return [finding('EFFECTS-AGREE', 'info', { author, parts: declared.covers.join(', '), mayDiffer: open })]
}

function listed(lines: readonly string[]): string {
  const some = lines.slice(0, MAX_LINES)
  return lines.length > some.length ? `${some.join('; ')}; …` : some.join('; ')
}
