import { erc20Abi, readBounded } from '@countersign/safe'
import { encodeFunctionData, hexToBigInt, size } from 'viem'
import type { TransactionGiven } from '../../given.ts'
import { counterpartiesOf, describeTransaction } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { defineFact } from '../fact.ts'

const MAX_TOKENS = 50
/** Decimals that are not a uint8. */
export const BEYOND_UINT8 = 256
const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * Decimals that the contracts of listed tokens, and of those that the team's policy names, say they have, by lower-case address; 256 stands for whatever is no uint8, and
 * one that did not say is left out. A list that says otherwise shows other amounts than those that move.
 */
export const tokenDecimals = defineFact({
  id: 'tokenDecimals',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const { chainId, tokens } = given
    const named = assetsOfPolicy(given)
    const asked = counterpartiesOf(describeTransaction(given)).filter(
      (address) => listedToken(tokens, address) !== undefined || named.has(address.toLowerCase()),
    )
    return asked.length === 0 ? null : { chainId, tokens: asked.slice(0, MAX_TOKENS) }
  },
  async read(chain, { chainId, tokens }): Promise<Record<string, number | undefined>> {
    const questions = tokens.map((target) => ({ target, data: decimalsData, gasLimit: 100_000, maxBytes: 33 }))
    const answers = await readBounded(chain(chainId), questions)
    return Object.fromEntries(
      tokens.flatMap((token, index) => {
        const answer = answers[index]
        const said = answer?.kind === 'answer' && size(answer.data) === 32 ? hexToBigInt(answer.data) : null
        // Decimals that nobody can mean are not those of a list either.
        return said === null ? [] : [[token.toLowerCase(), said < BEYOND_UINT8 ? Number(said) : BEYOND_UINT8] as const]
      }),
    )
  },
})

/** Assets of which the policy in force counts amounts. */
function assetsOfPolicy({ policy }: Pick<TransactionGiven, 'policy'>): Set<string> {
  if (policy?.status !== 'in-force') return new Set()
  const { amountLimits, reviewers } = policy.policy
  return new Set([...amountLimits, ...reviewers].flatMap(({ asset }) => (asset === null ? [] : [asset.toLowerCase()])))
}
