import type { MultisigTransaction, OtherProposal } from '@countersign/contract'
import {
  type Call,
  type Code,
  codeTargets,
  describeCall,
  flattenCalls,
  type ReviewInput,
  type RpcRequest,
  readTokens,
  type SafeState,
  type SafeTx,
  safeAbi,
} from '@countersign/safe-core'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  keccak256,
  padHex,
  size,
} from 'viem'
import { counterpartiesOf } from './counterparties.ts'
import { readGuardAnswers } from './guard-answers.ts'
import { listsThatCount, type ReviewLists } from './review-lists.ts'
import type { SignatureFacts } from './signature-facts.ts'

/** What the chain says beside the Safe's own state. What could not be read is left out, and the review says so. */
export type ChainFacts = Pick<ReviewInput, 'codes' | 'balances' | 'tokenClaims' | 'guardAnswers'> & {
  chainSafeTxHash: Hex | null
  nodeChainId: number | null
  storedDomainHash: Hex | null
}

/** A batch can pay hundreds; what the review itself needs is read all the same. */
const MAX_PARTIES = 50
const MAX_TOKENS = 50
/** `domainSeparator` of Safe before 1.3.0. */
const DOMAIN_SLOT: Hex = `0x${'6'.padStart(64, '0')}`

export const noChainFacts: ChainFacts = {
  codes: {},
  balances: {},
  tokenClaims: {},
  guardAnswers: {},
  chainSafeTxHash: null,
  nodeChainId: null,
  storedDomainHash: null,
}

/** Reads the code of everything that is called or paid, and asks the Safe for its own hash of the transaction. */
export async function readChainFacts(request: RpcRequest, safeAddress: Address, safeTx: SafeTx): Promise<ChainFacts> {
  const calls = flattenCalls(describeCall({ ...safeTx, safeAddress }))
  const targets = partiesOf(safeAddress, safeTx)
  const tokens = tokensOf(calls).slice(0, MAX_TOKENS)
  const [codes, readings, guardAnswers, chainSafeTxHash, nodeChainId, storedDomainHash] = await Promise.all([
    readEach(targets, (target) => readCode(request, target)),
    readTokens(request, safeAddress, tokens).catch(() => []),
    readGuardAnswers(request, calls),
    readChainHash(request, safeAddress, safeTx),
    readOrNull(request, 'eth_chainId', []),
    readOrNull(request, 'eth_getStorageAt', [safeAddress, DOMAIN_SLOT, 'latest']),
  ])
  return {
    codes,
    balances: Object.fromEntries(
      readings.flatMap(({ address, balance }) => {
        if (balance === 'unread') return []
        return [[address.toLowerCase(), typeof balance === 'bigint' ? balance : null] as const]
      }),
    ),
    tokenClaims: Object.fromEntries(
      readings.flatMap(({ address, symbol, name }) =>
        symbol === null && name === null
          ? []
          : [[address.toLowerCase(), { symbol: symbol ?? '', name: name ?? '' }] as const],
      ),
    ),
    guardAnswers,
    chainSafeTxHash,
    nodeChainId: nodeChainId === null ? null : Number(nodeChainId),
    storedDomainHash: storedDomainHash === null ? null : padHex(storedDomainHash),
  }
}

/** One answer for each address, by its lower-case form. */
async function readEach<Answer>(
  addresses: readonly Address[],
  read: (address: Address) => Promise<Answer>,
): Promise<Record<string, Answer>> {
  const answers = await Promise.all(
    addresses.map(async (address): Promise<[string, Answer]> => [address.toLowerCase(), await read(address)]),
  )
  return Object.fromEntries(answers)
}

/** Whose code the review compares, and who else takes part: whether a recipient has code is worth seeing too. */
function partiesOf(safeAddress: Address, safeTx: SafeTx): Address[] {
  const others = counterpartiesOf(describeCall({ ...safeTx, safeAddress })).slice(0, MAX_PARTIES)
  return [...new Set([...codeTargets({ safeAddress, safeTx }), ...others])]
}

/** Tokens that are sent or allowed. */
function tokensOf(calls: readonly Call[]): Address[] {
  const found = calls
    .filter(({ kind, operation }) => operation === 0 && (kind === 'erc20-transfer' || kind === 'erc20-approve'))
    .map(({ to, args }) => args.find(({ name }) => name === 'token')?.value ?? to)
  return [...new Set(found)].filter((one): one is Address => isAddress(one, { strict: false }))
}

async function readCode(request: RpcRequest, address: Address): Promise<Code | undefined> {
  const code = await readOrNull(request, 'eth_getCode', [address, 'latest'])
  if (code === null) return undefined
  const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
  const read = { codeHash: keccak256(code), size: size(code) }
  return delegate === undefined ? read : { ...read, delegatesTo: getAddress(`0x${delegate}`) }
}

async function readOrNull(request: RpcRequest, method: string, params: unknown[]): Promise<Hex | null> {
  try {
    const answer = await request({ method, params })
    return isHex(answer) ? answer : null
  } catch {
    return null
  }
}

async function readChainHash(request: RpcRequest, safeAddress: Address, safeTx: SafeTx): Promise<Hex | null> {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  const call = { abi: safeAbi, functionName: 'getTransactionHash' } as const
  const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce] as const
  try {
    const answer = await request({
      method: 'eth_call',
      params: [{ to: safeAddress, data: encodeFunctionData({ ...call, args }) }, 'latest'],
    })
    return isHex(answer) ? decodeFunctionResult({ ...call, data: answer }) : null
  } catch {
    return null
  }
}

export type ReviewRequest = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  /** The hash in the link. Null before anybody proposed it. */
  claimedSafeTxHash: Hex | null
  confirmations: readonly { owner: Address; signature: Hex }[]
  others: readonly OtherProposal[]
  account: Address | null
  origin: string | null
}

/** Brings together what a review looks at. */
export function toReviewInput(
  request: ReviewRequest,
  state: SafeState | null,
  facts: ChainFacts,
  lists: ReviewLists,
  signatures: SignatureFacts,
  reviewedBefore: Hex | null,
): ReviewInput {
  return {
    chainId: request.chainId,
    safeAddress: request.safeAddress,
    safeTx: request.safeTx,
    claimedSafeTxHash: request.claimedSafeTxHash,
    state,
    codes: facts.codes,
    balances: facts.balances,
    tokenClaims: facts.tokenClaims,
    guardAnswers: facts.guardAnswers,
    nodeChainId: facts.nodeChainId,
    storedDomainHash: facts.storedDomainHash,
    confirmations: request.confirmations.map(({ owner, signature }) => ({ owner, signature })),
    others: request.others.filter(({ safeTxHash }) => safeTxHash !== request.claimedSafeTxHash),
    account: request.account,
    reviewedBefore,
    chainSafeTxHash: facts.chainSafeTxHash,
    origin: request.origin,
    ...listsThatCount(lists, { reader: request.account, owners: state?.owners ?? [] }),
    ...signatures,
    sources: 'server-only',
  }
}

/** A served transaction as a request for its review; null when its fields are not known. */
export function reviewRequestOf(
  { transaction, others }: { transaction: MultisigTransaction; others: readonly OtherProposal[] },
  safeTxHash: Hex,
  account: Address | null,
): ReviewRequest | null {
  if (transaction.safeTx === null) return null
  return {
    chainId: transaction.chainId,
    safeAddress: transaction.safeAddress,
    safeTx: transaction.safeTx,
    // The hash in the link is what others speak about, not the one that the server repeats.
    claimedSafeTxHash: safeTxHash,
    confirmations: transaction.confirmations,
    others,
    account,
    origin: transaction.origin,
  }
}
