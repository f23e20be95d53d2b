import {
  encodeCreateProxy,
  isSameAddress,
  type NewSafeRelease,
  newSafeReleases,
  predictSafeAddress,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { readTab, writeTab } from '../../device/tab-storage.ts'
import { type FieldReading, parseAddressField } from '../../ui/form/typed-field.ts'
import type { TypedName } from './save-names.ts'
import { text } from './text.ts'

/** The form as it is typed. `release` is empty for the newest one that all the chains have. */
export type CreationTyped = {
  name: string
  chainIds: number[]
  owners: { address: string; name: string }[]
  threshold: number
  release: string
  salt: string
}

/** A Safe whose address is known: one call of a factory, the same on every chain. */
export type PlannedSafe = {
  chainIds: number[]
  safeAddress: Address
  factory: Address
  data: Hex
  owners: readonly Address[]
  threshold: number
  /** Name of the Safe; empty for none. */
  name: string
  /** The names that this person gives the owners. */
  names: TypedName[]
}

const KEY = 'countersign.create'
const SENT_KEY = 'countersign.create.sent'
const MAX_SALT = 2n ** 256n - 1n
const RESERVED: readonly Address[] = [
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
]

/** The empty form: the account itself is the first owner, and the salt is one that nobody has used. */
export function emptyTyped(account: Address | null, chainIds: number[]): CreationTyped {
  const salt = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
  const owners = [
    { address: account ?? '', name: '' },
    { address: '', name: '' },
  ]
  return { name: '', chainIds: chainIds.slice(0, 1), owners, threshold: 2, release: '', salt: String(salt) }
}

/** The form as this tab kept it; null where it kept none. */
export function loadTyped(): CreationTyped | null {
  return load<CreationTyped>(KEY)
}

export function keepTyped(typed: CreationTyped | null): void {
  writeTab(KEY, typed && JSON.stringify(typed))
}

/** The Safe that this tab has sent, or found created, and whose names are not all saved; null if there is none. */
export function loadUnderWay(): PlannedSafe | null {
  return load<PlannedSafe>(SENT_KEY)
}

export function keepUnderWay(planned: PlannedSafe | null): void {
  writeTab(SENT_KEY, planned && JSON.stringify(planned))
}

function load<Kept extends object>(key: string): Kept | null {
  try {
    const kept: unknown = JSON.parse(readTab(key) ?? 'null')
    // Written by this page alone.
    return typeof kept === 'object' ? (kept as Kept | null) : null
  } catch {
    return null
  }
}

/** Name of a release in a form. */
export function releaseKey({ version, place }: Pick<NewSafeRelease, 'version' | 'place'>): string {
  return `${version} ${place}`
}

/** An owner with another address: a name that was filled in for the one before goes with it. */
export function withAddress(
  { address: before, name }: CreationTyped['owners'][number],
  address: string,
  known: readonly CreationTyped['owners'][number][],
): CreationTyped['owners'][number] {
  const nameAt = (typed: string) => known.find((entry) => isSameAddress(entry.address, typed.trim()))?.name ?? ''
  return { address, name: name === nameAt(before) ? nameAt(address) : name }
}

/** The names of the Safe and of its owners, for its address book. */
export function namesToSave({ safeAddress, name, names }: PlannedSafe): TypedName[] {
  return name === '' ? names : [{ address: safeAddress, name }, ...names]
}

/** The releases that all of these chains have, newest first. */
export function sharedReleases(perChain: readonly (readonly string[])[]): NewSafeRelease[] {
  return newSafeReleases().filter((release) => perChain.every((keys) => keys.includes(releaseKey(release))))
}

/** The release that is chosen, or the newest. */
export function chosenRelease(typed: CreationTyped, releases: readonly NewSafeRelease[]): NewSafeRelease | undefined {
  return releases.find((release) => releaseKey(release) === typed.release) ?? releases[0]
}

/** The meaning of each typed field, or its fault in words. */
export function readTyped({ owners, salt, chainIds }: CreationTyped) {
  const read = owners.map(({ address }, index): FieldReading<Address> => {
    const owner = parseAddressField(address)
    if ('error' in owner) return owner
    if (RESERVED.some((reserved) => isSameAddress(reserved, owner.value)))
      return { error: text('create.owner.reserved') }
    const isTwice = owners.slice(0, index).some((other) => isSameAddress(other.address.trim(), owner.value))
    return isTwice ? { error: text('create.owner.twice') } : owner
  })
  return {
    owners: read,
    salt: parseSalt(salt),
    chainIds: chainIds.length === 0 ? { error: text('create.chains.none') } : { value: chainIds },
  }
}

function parseSalt(salt: string): FieldReading<bigint> {
  const written = salt.trim()
  if (!/^[0-9]{1,78}$/.test(written) || BigInt(written) > MAX_SALT) return { error: text('create.salt.wrong') }
  return { value: BigInt(written) }
}

/** The Safe that the form describes; null while a field is at fault. */
export function planSafe(typed: CreationTyped, release: NewSafeRelease | undefined): PlannedSafe | null {
  const { owners: read, salt, chainIds } = readTyped(typed)
  const owners = read.flatMap((owner) => ('value' in owner ? [owner.value] : []))
  if (owners.length < read.length || !('value' in salt) || !('value' in chainIds) || !release) return null
  const { version, place } = release
  const threshold = Math.min(typed.threshold, owners.length)
  const newSafe = { version, place, isL2: true, owners, threshold, saltNonce: salt.value }
  const { to: factory, data } = encodeCreateProxy(newSafe)
  const names = owners.flatMap((address, index) => {
    const name = typed.owners[index]?.name.trim() ?? ''
    return name === '' ? [] : [{ address, name }]
  })
  const safeAddress = predictSafeAddress(newSafe)
  return { chainIds: chainIds.value, safeAddress, factory, data, owners, threshold, name: typed.name.trim(), names }
}
