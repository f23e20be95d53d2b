import { encodeFunctionData } from 'viem'
import { erc20Abi } from '../../abi.ts'
import { readBounded } from '../../bounded-reads.ts'
import { decodeDecimals } from '../../token-claims.ts'
import { listedToken } from '../listed-tokens.ts'
import { counterpartiesOf, describeTransaction } from '../targets.ts'
import { defineFact } from './fact.ts'

const MAX_TOKENS = 50
const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * Decimals that the contracts of listed tokens say they have, by lower-case address; left out where one did not say. A list
 * that says otherwise shows other amounts than those that move.
 */
export const tokenDecimals = defineFact({
  id: 'tokenDecimals',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const { chainId, tokens } = given
    const listed = counterpartiesOf(describeTransaction(given)).filter(
      (address) => listedToken(tokens, address) !== undefined,
    )
    return listed.length === 0 ? null : { chainId, tokens: listed.slice(0, MAX_TOKENS) }
  },
  async read(chain, { chainId, tokens }): Promise<Record<string, number | undefined>> {
    const questions = tokens.map((target) => ({ target, data: decimalsData, gasLimit: 100_000, maxBytes: 33 }))
    const answers = await readBounded(chain(chainId), questions)
    return Object.fromEntries(
      tokens.flatMap((token, index) => {
        const answer = answers[index]
        const decimals = answer?.kind === 'answer' ? decodeDecimals(answer.data) : null
        return decimals === null ? [] : [[token.toLowerCase(), decimals] as const]
      }),
    )
  },
})
