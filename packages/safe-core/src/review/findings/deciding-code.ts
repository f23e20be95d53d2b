import { accountsNamed, isWrittenAs } from '../../call-argument.ts'
import type { Call } from '../../calldata.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { callFinding, functionName } from './evidence.ts'
import { isZero } from './receivers.ts'

/** Functions by which a market gets something, which its oracle values. */
const supplying = /^(?:supply|deposit)/i

/**
 * Code in the arguments that decides over what is given, and that anybody can make: the oracle of a market as Morpho's says what
 * the collateral is worth, and so who may take what was supplied; the pool that a gateway pays into keeps what it likes; a
 * gauge gets the votes. One that nobody here has named is named.
 */
export function reviewDecidingCode(call: Call, { familiar = [] }: Pick<ReviewInput, 'familiar'>): Finding[] {
  const isSupply = supplying.test(functionName(call))
  const isDeciding = (name: string) => /^_?(?:pool|gauge)$/i.test(name) || (isSupply && /^_?oracle$/i.test(name))
  return accountsNamed(call, isDeciding)
    .filter((address) => !isZero(address) && !familiar.some((known) => isWrittenAs(address, known)))
    .map((address) => callFinding(call, 'CODE-UNFAMILIAR', 'high', { address, function: call.name }))
}
