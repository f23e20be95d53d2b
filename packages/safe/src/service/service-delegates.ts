import { type Address, getAddress, isAddress } from 'viem'
import { asObject, type Lookout, parseServiceJson, someOf } from './service-answers.ts'

/** Characters of a label, as the service itself bounds it. */
const MAX_LABEL = 50
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** An account that may propose for an owner, by the word of another service. */
export type ServiceDelegate = {
  /** Null: for every Safe of the owner. */
  safeAddress: Address | null
  delegate: Address
  delegator: Address
  label: string
  /** ISO time; null: until it is removed. */
  expiryDate: string | null
}

/**
 * Reads delegates from answers of a Safe Transaction Service. Who may propose here every owner says anew: these are claims.
 *
 * @returns those of the Safe and of all Safes of an owner; `unusable` counts the others, `beyond` those behind the 500 that were looked at
 * @throws CountersignError `FIELD_MALFORMED` where the text is too long or no JSON
 * @example
 * const { delegates } = parseServiceDelegates(answer, safeAddress)
 */
export function parseServiceDelegates(
  text: string,
  safeAddress: Address,
  lookout: Lookout = {},
): { delegates: ServiceDelegate[]; unusable: number; beyond: number } {
  const { entries, beyond } = someOf(parseServiceJson(text), lookout)
  const found = new Map<string, ServiceDelegate>()
  let unusable = 0
  for (const entry of entries) {
    const { safe, delegate, delegator, label, expiryDate } = asObject(entry)
    const isOfAll = safe === null
    const of = addressOf(safe)
    const [who, by] = [addressOf(delegate), addressOf(delegator)]
    const until = typeof expiryDate === 'string' ? expiryDate : null
    if (who === null || by === null || !(isOfAll || of === safeAddress) || (until !== null && !TIME.test(until))) {
      unusable += 1
      continue
    }
    const name = typeof label === 'string' ? label.trim().slice(0, MAX_LABEL) : ''
    found.set(`${of} ${by} ${who}`, {
      safeAddress: isOfAll ? null : safeAddress,
      delegate: who,
      delegator: by,
      label: name === '' ? who : name,
      expiryDate: until,
    })
  }
  return { delegates: [...found.values()], unusable, beyond }
}

function addressOf(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : null
}
