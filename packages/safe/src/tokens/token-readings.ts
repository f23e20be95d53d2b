import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { erc20Abi } from '../abi/abi.ts'
import { type Answer, type Question, readBounded } from '../chain/bounded-reads.ts'
import type { RpcRequest } from '../safe/safe-state.ts'
import { decodeDecimals, decodeTokenText, decodeWord } from './token-claims.ts'

/** Claims of a contract about itself. Null for a value that it does not give in a readable form. */
export type TokenClaims = { name: string | null; symbol: string | null }

/** Why there is no balance: no contract is there, it fails or answers something else, the node did not say. */
export type UnreadBalance = 'no-contract' | 'failed' | 'unread'

/** One token: what it says of itself, and what an account has of it. */
export type TokenReading = TokenClaims & {
  address: Address
  /** Null: none that can be meant, and the balance is in the smallest unit for whoever shows it. */
  decimals: number | null
  /** In the smallest unit. */
  balance: bigint | UnreadBalance
}

/** An item of a collection. */
export type TokenItem = { address: Address; kind: 'erc721' | 'erc1155'; tokenId: bigint }

/** The items of one collection, and how many of each the Safe has. */
export type CollectionReading = TokenClaims & {
  address: Address
  items: (TokenItem & { balance: bigint | UnreadBalance })[]
}

/** Some tokens compute a balance at length; nothing else that is asked needs much. */
const BALANCE_GAS = 300_000
const CLAIM_GAS = 100_000
/** Offset, length, and as much as a screen shows. */
const NAME_BYTES = 64 + 128
const SYMBOL_BYTES = 64 + 64
/** One more than a word: what is longer is seen to be. */
const WORD_BYTES = 33

const itemAbi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function balanceOf(address account, uint256 id) view returns (uint256)',
])
const nameData = encodeFunctionData({ abi: erc20Abi, functionName: 'name' })
const symbolData = encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
const decimalsData = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * Reads what an account has of ERC-20 tokens (`balanceOf`), and what they say of themselves (`name`, `symbol`,
 * `decimals`), with a limit of gas and bytes for each, in one `eth_call` for some sixteen tokens. Texts are cut; they
 * hold whatever the contract put there, and must be made safe to show.
 *
 * @param blockNumber the block whose state is asked; without it, the newest
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const [usdc] = await readTokens(request, safeAddress, [usdcAddress])
 * usdc.balance // 1250000n, or `failed` when the contract does not answer as a token
 */
export async function readTokens(
  request: RpcRequest,
  account: Address,
  tokens: readonly Address[],
  blockNumber?: number,
): Promise<TokenReading[]> {
  const balanceData = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const answers = await readBounded(
    request,
    tokens.flatMap((token) => [
      balanceOf(token, balanceData),
      { target: token, data: decimalsData, gasLimit: CLAIM_GAS, maxBytes: WORD_BYTES },
      ...claimsOf(token),
    ]),
    blockNumber === undefined ? 'latest' : numberToHex(blockNumber),
  )
  return tokens.map((address, index) => {
    const [balance, decimals, symbol, name] = answers.slice(index * 4)
    return {
      address,
      balance: decodeBalance(balance),
      decimals: read(decimals, decodeDecimals),
      symbol: read(symbol, decodeTokenText),
      name: read(name, decodeTokenText),
    }
  })
}

/**
 * The balances alone, in the order of the tokens.
 *
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const [balance] = await readTokenBalances(request, safeAddress, [token])
 */
export async function readTokenBalances(
  request: RpcRequest,
  account: Address,
  tokens: readonly Address[],
): Promise<(bigint | UnreadBalance)[]> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const answers = await readBounded(
    request,
    tokens.map((token) => balanceOf(token, data)),
  )
  return answers.map(decodeBalance)
}

/**
 * Reads the names that tokens claim, in their order.
 *
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const [{ symbol, name }] = await readTokenNames(request, [token])
 */
export async function readTokenNames(request: RpcRequest, tokens: readonly Address[]): Promise<TokenClaims[]> {
  const answers = await readBounded(request, tokens.flatMap(claimsOf))
  return tokens.map((_, index) => ({
    symbol: read(answers[index * 2], decodeTokenText),
    name: read(answers[index * 2 + 1], decodeTokenText),
  }))
}

/**
 * Asks collections whether an account has the items: ERC-721 for the owner, ERC-1155 for the balance. Items come back
 * below their collection, in the order given.
 *
 * @throws whatever `request` throws when nobody was reached
 * @example
 * const [collection] = await readItems(request, safeAddress, [{ address, kind: 'erc721', tokenId: 77n }])
 * collection.items[0].balance // 1n when the Safe is the owner, 0n when somebody else is
 */
export async function readItems(
  request: RpcRequest,
  account: Address,
  items: readonly TokenItem[],
): Promise<CollectionReading[]> {
  const collections = [...new Set(items.map(({ address }) => address))]
  const [claims, answers] = await Promise.all([
    readBounded(request, collections.flatMap(claimsOf)),
    readBounded(
      request,
      items.map(({ address, kind, tokenId }) =>
        balanceOf(
          address,
          kind === 'erc721'
            ? encodeFunctionData({ abi: itemAbi, functionName: 'ownerOf', args: [tokenId] })
            : encodeFunctionData({ abi: itemAbi, functionName: 'balanceOf', args: [account, tokenId] }),
        ),
      ),
    ),
  ])
  const found = items.map((item, index) => {
    const balance = decodeBalance(answers[index])
    const isWord = item.kind === 'erc721' && typeof balance === 'bigint'
    return { ...item, balance: isWord ? (balance === BigInt(account) ? 1n : 0n) : balance }
  })
  return collections.map((address, index) => ({
    address,
    symbol: read(claims[index * 2], decodeTokenText),
    name: read(claims[index * 2 + 1], decodeTokenText),
    items: found.filter((item) => item.address === address),
  }))
}

function balanceOf(target: Address, data: Hex): Question {
  return { target, data, gasLimit: BALANCE_GAS, maxBytes: WORD_BYTES }
}

function claimsOf(target: Address): Question[] {
  return [
    { target, data: symbolData, gasLimit: CLAIM_GAS, maxBytes: SYMBOL_BYTES },
    { target, data: nameData, gasLimit: CLAIM_GAS, maxBytes: NAME_BYTES },
  ]
}

function read<Value>(answer: Answer | undefined, from: (data: Hex) => Value | null): Value | null {
  return answer?.kind === 'answer' ? from(answer.data) : null
}

function decodeBalance(answer: Answer | undefined): bigint | UnreadBalance {
  if (answer === undefined) return 'unread'
  return answer.kind === 'answer' ? (decodeWord(answer.data) ?? 'failed') : answer.kind
}
