import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { BatchedCall } from '../calls/multi-send.ts'
import { deploymentAt, officialDeployment } from '../deployments/deployments.ts'
import type { SafeState } from '../safe/safe-state.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import type { IntentProblem, UpgradeIntent, UpgradeVersion } from './intent.ts'

const migrationAbi = parseAbi([
  'function migrateSingleton()',
  'function migrateWithFallbackHandler()',
  'function migrateL2Singleton()',
  'function migrateL2WithFallbackHandler()',
])

/** Releases that a Safe can be brought to: those with a migration contract. */
export const upgradeVersions: readonly UpgradeVersion[] = ['1.4.1', '1.5.0']

/** The Safe that is upgraded, by the code that it runs now. */
export type UpgradedSafe = Pick<SafeState, 'version' | 'singleton'>

/**
 * The official contracts of an upgrade: what runs it, and which singleton and handler the Safe has afterwards.
 *
 * @returns null when the release has no such contracts where the Safe has its own.
 * @example
 * upgradeTarget({ version: '1.4.1', isL2: true }, state)?.singleton // '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762'
 */
export function upgradeTarget(
  { version, isL2 }: Pick<UpgradeIntent, 'version' | 'isL2'>,
  safe: UpgradedSafe,
): { migration: Address; singleton: Address; handler: Address } | null {
  const place = placeOf(safe)
  const migration = officialDeployment('migration', version, place)
  const singleton = officialDeployment(isL2 ? 'singleton-l2' : 'singleton', version, place)
  const handler = officialDeployment('handler', version, place)
  return migration && singleton && handler
    ? { migration: migration.address, singleton: singleton.address, handler: handler.address }
    : null
}

/** Contracts after 1.3.0 have one address on every chain of the EVM. */
function placeOf({ singleton }: UpgradedSafe): 'canonical' | 'zksync' {
  return deploymentAt(singleton)?.place === 'zksync' ? 'zksync' : 'canonical'
}

/** Why a Safe cannot be brought to a release. */
export function upgradeProblems(intent: UpgradeIntent, safe: UpgradedSafe): IntentProblem[] {
  const { version } = safe
  const field = 'version'
  if (version === null) return [{ field, reason: 'unofficial-version' }]
  if (isVersionBefore(version, 1, 1)) return [{ field, reason: 'needs-version', version: '1.1.1' }]
  const [major = 0, minor = 0] = intent.version.split('.').map(Number)
  if (version === (intent.isL2 ? `${intent.version}+L2` : intent.version)) return [{ field, reason: 'unchanged' }]
  if (!isVersionBefore(version, major, minor) && version.split('+')[0] !== intent.version)
    return [{ field, reason: 'older-version', version }]
  return upgradeTarget(intent, safe) === null ? [{ field, reason: 'no-migration' }] : []
}

/** The delegatecall of the official migration contract. It must be alone in its transaction: no batch of calls may hold it. */
export function upgradeCall(intent: UpgradeIntent, safe: UpgradedSafe): BatchedCall | null {
  const target = upgradeTarget(intent, safe)
  if (target === null) return null
  const functionName = intent.isL2
    ? intent.setsHandler
      ? 'migrateL2WithFallbackHandler'
      : 'migrateL2Singleton'
    : intent.setsHandler
      ? 'migrateWithFallbackHandler'
      : 'migrateSingleton'
  return {
    to: target.migration,
    value: 0n,
    data: encodeFunctionData({ abi: migrationAbi, functionName }),
    operation: 1,
  }
}
