import { readTokenBalances } from '@countersign/safe'
import { tokensMoved } from '../../targets.ts'
import { defineFact } from '../fact.ts'

/**
 * Balances of the Safe in base units, by lower-case token address; left out where it was not read, null where the
 * contract was asked and does not answer as a token.
 */
export const balances = defineFact({
  id: 'balances',
  needs: (given) =>
    given.kind === 'transaction'
      ? { chainId: given.chainId, safeAddress: given.safeAddress, tokens: tokensMoved(given) }
      : null,
  async read(chain, { chainId, safeAddress, tokens }): Promise<Record<string, bigint | null | undefined>> {
    const balances = await readTokenBalances(chain(chainId), safeAddress, tokens)
    return Object.fromEntries(
      tokens.flatMap((token, index) => {
        const balance = balances[index] ?? 'unread'
        if (balance === 'unread') return []
        return [[token.toLowerCase(), typeof balance === 'bigint' ? balance : null] as const]
      }),
    )
  },
})
