import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { addressesNamed, argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/**
 * A payment that goes on by itself: whoever gets it, whoever gets back the rest when it is ended, and whoever may begin
 * such payments for the Safe.
 */
export function reviewStream(call: Call, { safeAddress }: ReviewInput): Finding[] {
  const others = (...names: string[]) => {
    const found = names.flatMap((name) => addressesNamed(call, name))
    return new Set(found.filter((account) => BigInt(account) > 0n && !isSameAddress(account, safeAddress)))
  }
  const [token] = addressesNamed(call, 'token')
  // No permission is left.
  const isEnd = argument(call, 'permissions') === '0' || argument(call, 'flowrate') === '0'
  if (isEnd) return []
  return [
    ...[...others('receiver', 'refundTo')].map((receiver) =>
      callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver, token }),
    ),
    ...[...others('spender')].map((spender) =>
      callFinding(call, 'SPENDING-RIGHT', 'high', { function: call.name, spender: [spender], token: token && [token] }),
    ),
  ]
}
