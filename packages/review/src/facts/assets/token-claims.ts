import { readTokenNames } from '@countersign/safe'
import { tokensMoved } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { defineFact } from '../fact.ts'

/** Names and symbols that unlisted tokens claim, by lower-case address. */
export const tokenClaims = defineFact({
  id: 'tokenClaims',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const unlisted = tokensMoved(given).filter((token) => listedToken(given.tokens, token) === undefined)
    return { chainId: given.chainId, tokens: unlisted }
  },
  async read(chain, { chainId, tokens }): Promise<Record<string, { symbol: string; name: string } | undefined>> {
    const claims = await readTokenNames(chain(chainId), tokens)
    return Object.fromEntries(
      tokens.flatMap((token, index) => {
        const { symbol = null, name = null } = claims[index] ?? {}
        if (symbol === null && name === null) return []
        return [[token.toLowerCase(), { symbol: symbol ?? '', name: name ?? '' }] as const]
      }),
    )
  },
})
