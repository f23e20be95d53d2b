import type { Call } from '@countersign/safe/calls'
import { accountsNamed, functionName, isWrittenAs } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'
import { isZero } from './receivers.ts'

/** Functions by which a market gets something, which its oracle values. */
const supplying = /^(?:supply|deposit)/i

/**
 * Code in the arguments that decides over what is given, and that anybody can make: the oracle of a market as Morpho's says what
 * the collateral is worth, and so who may take what was supplied; the pool that a gateway pays into keeps what it likes; a
 * gauge gets the votes; a template of contracts for fees says who gets rewards. One that nobody here has named is named. A market's
 * collateral that no list has may be anybody's token under an oracle that is somebody's.
 */
export function reviewDecidingCode(
  call: Call,
  { familiar = [], tokens }: Pick<ReviewInput, 'familiar' | 'tokens'>,
): Finding[] {
  const isSupply = supplying.test(functionName(call))
  const isDeciding = (name: string) =>
    /^_?(?:pool|gauge|referenceFeeDistributor)$/i.test(name) || (isSupply && /^_?oracle$/i.test(name))
  const collateral = isSupply ? accountsNamed(call, (name) => /^_?collateralToken$/i.test(name)) : []
  const found = [
    ...accountsNamed(call, isDeciding),
    ...collateral.filter((token) => listedToken(tokens, token) === undefined),
  ]
  return [...new Set(found)]
    .filter((address) => !isZero(address) && !familiar.some((known) => isWrittenAs(address, known)))
    .map((address) => callFinding(call, 'CODE-UNFAMILIAR', 'high', { address, function: call.name }))
}
