import { decodeSafeCreation, isSameAddress, predictProxyAddress, type SafeCreation } from '@countersign/safe'
import { type Address, zeroAddress } from 'viem'
import type { CreationSubject } from './given.ts'

/** More owners are not asked for their code. */
const MAX_OWNERS = 50

/** Reads the call of the factory; null when it is none. */
export function creationOf({ factory, data }: Pick<CreationSubject, 'factory' | 'data'>): SafeCreation | null {
  return decodeSafeCreation({ to: factory, data })
}

/** The contracts of which the new Safe is made, and that run as it: their code decides who owns it. */
export function contractsOfCreation(subject: CreationSubject): Address[] {
  const creation = creationOf(subject)
  const { to, fallbackHandler } = creation?.setup ?? {}
  const action = creation?.action
  const l2Singleton = action?.kind === 'to-l2' ? action.l2Singleton : undefined
  const named = [subject.factory, creation?.singleton, to, fallbackHandler, l2Singleton]
  return [
    ...new Set(
      named.flatMap((address) => (address === undefined || isSameAddress(address, zeroAddress) ? [] : [address])),
    ),
  ]
}

/** Everything whose code is asked: those contracts, the address of the Safe, and its owners. */
export function codeTargetsOfCreation(subject: CreationSubject): Address[] {
  const owners = creationOf(subject)?.setup?.owners ?? []
  return [...new Set([...contractsOfCreation(subject), subject.safeAddress, ...owners.slice(0, MAX_OWNERS)])]
}

/** Where the factory puts the Safe; null where nobody can tell before it is there. */
export function addressOfCreation(subject: CreationSubject): Address | null {
  const creation = creationOf(subject)
  const factory = creation?.factory
  if (creation === null || factory === null || factory === undefined) return null
  try {
    return predictProxyAddress({ creation, factory, chainId: subject.chainId })
  } catch {
    // A factory whose proxies have code that nobody lists.
    return null
  }
}
