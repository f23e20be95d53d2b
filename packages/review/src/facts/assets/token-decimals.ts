import { decodeWord, erc20Abi, readBounded } from '@countersign/safe'
import { encodeFunctionData } from 'viem'
import { counterpartiesOf, describeTransaction } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { defineFact } from '../fact.ts'

const MAX_TOKENS = 50
const BEYOND_UINT8 = 256n
const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * Decimals that the contracts of listed tokens say they have, by lower-case address; 256 stands for whatever is no uint8, and
 * one that did not say is left out. A list that says otherwise shows other amounts than those that move.
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
        const said = answer?.kind === 'answer' ? decodeWord(answer.data) : null
        // Decimals that nobody can mean are not those of a list either.
        return said === null ? [] : [[token.toLowerCase(), Number(said < BEYOND_UINT8 ? said : BEYOND_UINT8)] as const]
      }),
    )
  },
})
