import type { DecodedValue } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'

/** A token that changes hands by another function than a transfer. `to` is null where it ceases to be. */
export type TokenMove = { token: Address; from: Address; to: Address | null; amount: string }

/** Functions of a token, by whom it leaves and whom it reaches; what is not named is the caller, or nobody. */
const ofToken: Record<string, { from?: string; to?: string }> = {
  'send(address,uint256,bytes)': { to: 'to' },
  'operatorSend(address,address,uint256,bytes,bytes)': { from: 'from', to: 'to' },
  'burn(uint256)': {},
  'burn(uint256,bytes)': {},
  'burnFrom(address,uint256)': { from: 'account' },
}

/**
 * The tokens that one call moves other than by ERC-20's own functions: Permit2, ERC-777, and what is burnt.
 *
 * @returns null where the function moves tokens in a way that its arguments do not tell
 * @example
 * tokenMovesOf(call) // [{ token, from: safeAddress, to: '0x…', amount: '40000000000' }]
 */
export function tokenMovesOf(call: Call): TokenMove[] | null {
  if (call.family !== 'token-move' || call.operation !== 0) return null
  if (call.name === 'transferFrom(address,address,uint160,address)') {
    return moveOf(call.args.map(({ decoded }) => decoded))
  }
  if (call.name === 'transferFrom((address,address,uint160,address)[])') {
    const [details] = call.args
    if (details?.decoded.kind !== 'list') return null
    return details.decoded.value.flatMap((entry) => (entry.kind === 'tuple' ? moveOf(entry.value) : []))
  }
  const named = ofToken[call.name ?? '']
  if (named === undefined) return null
  const find = (name: string | undefined) => call.args.find((argument) => argument.name === name)?.decoded
  const [amount, sender, recipient] = [find('amount'), find(named.from), find(named.to)]
  if (amount?.kind !== 'number') return null
  const from = sender?.kind === 'address' ? sender.value : call.from
  const to = recipient?.kind === 'address' ? recipient.value : null
  return [{ token: call.to, from, to, amount: String(amount.value) }]
}

/** One transfer of Permit2, by the names of its members. */
function moveOf(members: readonly DecodedValue[]): TokenMove[] {
  const [from, to, amount, token] = ['from', 'to', 'amount', 'token'].map((name) =>
    members.find((member) => member.name === name),
  )
  if (from?.kind !== 'address' || to?.kind !== 'address' || token?.kind !== 'address' || amount?.kind !== 'number')
    return []
  return [{ token: token.value, from: from.value, to: to.value, amount: String(amount.value) }]
}
