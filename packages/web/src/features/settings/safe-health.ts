import { type Code, deploymentAt, isBoundToChain, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'

/**
 * One subject of a Safe's health. `good` and `missing` say that nothing was found and that the node did not answer;
 * `improve` is for its owners to think about; `danger` is control that owners may have lost.
 */
export type HealthPoint =
  | { id: 'code'; level: 'good' | 'improve' | 'danger'; version: string | null }
  | { id: 'handler'; level: 'good' | 'improve' | 'missing'; address: Address | null }
  | { id: 'modules'; level: 'good' | 'danger'; addresses: readonly Address[] }
  | { id: 'guard'; level: 'good' | 'improve'; addresses: readonly Address[] }
  | { id: 'threshold'; level: 'good' | 'improve'; is: 'one-owner' | 'one-of-many' | 'all' | 'some' }
  | { id: 'owners'; level: 'good' | 'danger' | 'missing'; addresses: readonly Address[] }

/**
 * Answers the addresses whose code {@link safeHealth} goes by.
 *
 * @example
 * await readCodes(request, healthAddresses(state))
 */
export function healthAddresses({ owners, fallbackHandler }: Pick<SafeState, 'owners' | 'fallbackHandler'>): Address[] {
  return [...owners, ...(fallbackHandler === null ? [] : [fallbackHandler])]
}

/**
 * Looks at the Safe itself, whatever is proposed.
 *
 * @param codes by lower-case address, as `readCodes` answers for {@link healthAddresses}; an absent one is not known
 * @returns one point for each subject, in a fixed order
 * @example
 * safeHealth(state, codes).find(({ id }) => id === 'threshold')?.level // 'improve' with one owner
 */
export function safeHealth(state: SafeState, codes: Readonly<Record<string, Code | undefined>>): HealthPoint[] {
  const guards = [state.guard, state.moduleGuard].filter((guard) => guard !== null)
  return [
    { id: 'code', level: codeLevel(state), version: state.version },
    handlerPoint(state.fallbackHandler, codes),
    { id: 'modules', level: state.modules.length > 0 ? 'danger' : 'good', addresses: state.modules },
    { id: 'guard', level: guards.length > 0 ? 'improve' : 'good', addresses: guards },
    thresholdPoint(state),
    ownersPoint(state.owners, codes),
  ]
}

function codeLevel({ version, reportedVersion, isOfficialProxy }: SafeState): 'good' | 'improve' | 'danger' {
  if (version === null || !isOfficialProxy) return 'danger'
  if (reportedVersion !== null && reportedVersion !== version.replace('+L2', '')) return 'danger'
  return isBoundToChain({ version, reportedVersion }) ? 'good' : 'improve'
}

function handlerPoint(address: Address | null, codes: Readonly<Record<string, Code | undefined>>): HealthPoint {
  if (address === null) return { id: 'handler', level: 'good', address }
  const release = deploymentAt(address)
  const code = codes[address.toLowerCase()]
  if (release?.kind !== 'handler') return { id: 'handler', level: 'improve', address }
  if (code === undefined) return { id: 'handler', level: 'missing', address }
  return { id: 'handler', level: code.codeHash === release.codeHash ? 'good' : 'improve', address }
}

/** With one owner there is nobody to lose a key beside. */
function thresholdPoint({ owners: { length }, threshold }: SafeState): HealthPoint {
  const is = length === 1 ? 'one-owner' : threshold === 1 ? 'one-of-many' : threshold === length ? 'all' : 'some'
  return { id: 'threshold', level: is === 'some' ? 'good' : 'improve', is }
}

/** An owner whose account runs somebody's code signs by that code's rules, too. */
function ownersPoint(owners: readonly Address[], codes: Readonly<Record<string, Code | undefined>>): HealthPoint {
  const known = owners.map((owner) => [owner, codes[owner.toLowerCase()]] as const)
  const delegated = known.filter(([, code]) => code?.delegatesTo !== undefined).map(([owner]) => owner)
  if (delegated.length > 0) return { id: 'owners', level: 'danger', addresses: delegated }
  const unread = known.filter(([, code]) => code === undefined).map(([owner]) => owner)
  return unread.length > 0
    ? { id: 'owners', level: 'missing', addresses: unread }
    : { id: 'owners', level: 'good', addresses: [] }
}
