import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { FinishedSimulation } from '../../simulation/simulation-result.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { MAX_TRANSFERS, ROUNDING, type TokenTransfer, transfersOf } from './transfers.ts'

/**
 * Whether a token is handed in for what it stands for, as a share of a lending pool is when its asset is withdrawn: nobody
 * gets the token, and all that its contract pays of an asset that a call names comes to the Safe, at least as much.
 *
 * @param named - tokens that calls name, in lower case
 */
export function isRedeemed(
  { token, left }: { token: Address; left: bigint },
  named: Iterable<string>,
  run: FinishedSimulation,
  { safeAddress, tokens }: Pick<ReviewInput, 'safeAddress' | 'tokens'>,
): boolean {
  const gains = run.balances.some(
    (change) => isSameAddress(change.token, token) && (change.after ?? 0n) > (change.before ?? 0n),
  )
  const transfers = transfersOf(run.call)
  // Others may stand behind so many.
  if (transfers.length >= MAX_TRANSFERS) return false
  if (gains || transfers.some((transfer) => isSameAddress(transfer.token, token) && BigInt(transfer.to) !== 0n))
    return false
  const paid = transfers.filter(({ from }) => isSameAddress(from, token))
  return [...named].some((asset) => {
    const known = listedToken(tokens, asset as Address)
    return known !== undefined && isPaidOut(paid, known.address, left, safeAddress)
  })
}

/** Whether all of an asset that is paid comes to the Safe, and it is enough. */
function isPaidOut(paid: readonly TokenTransfer[], asset: Address, left: bigint, safeAddress: Address): boolean {
  const ofAsset = paid.filter(({ token }) => isSameAddress(token, asset))
  if (ofAsset.some(({ to }) => !isSameAddress(to, safeAddress))) return false
  return ofAsset.reduce((sum, { amount }) => sum + amount, 0n) + ROUNDING >= left
}
