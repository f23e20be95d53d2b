import { deploymentAt, isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, maxUint256, zeroAddress } from 'viem'
import { addressArgument, argument, functionName } from '../call-arguments.ts'
import { delegatecallTarget } from '../findings/calls/delegatecall.ts'
import type { ReviewInput } from '../input.ts'
import { tokenMovesOf } from '../tokens/token-moves.ts'
import type { Review } from '../types.ts'
import type { ApprovalLeft, AssetChange, ObservedEffects } from './declared-effects.ts'
import { changedSafeSlots } from './safe-slots.ts'

type Found = { assets: AssetChange[]; approvals: ApprovalLeft[]; unread: string[] }

const ownSettings = new Set([
  'addOwnerWithThreshold',
  'removeOwner',
  'swapOwner',
  'changeThreshold',
  'enableModule',
  'disableModule',
  'setGuard',
  'setModuleGuard',
  'setFallbackHandler',
  'changeMasterCopy',
])

/**
 * Reads from the calls of a transaction what changes: coin, tokens, allowances, and slots of the Safe. It runs nothing: a
 * contract that does something else than its function says is not seen, and other contracts' slots are not told.
 *
 * @example
 * const { assets, approvals, slots, unread } = observeEffects(await reviewSafeTx(input), input)
 */
export function observeEffects(
  { call, configuration }: Pick<Review, 'call' | 'configuration'>,
  input: ReviewInput,
): ObservedEffects {
  const found: Found = { assets: [], approvals: [], unread: [] }
  read(call, input, found)
  if (input.safeTx.gasPrice > 0n) found.unread.push('refund')
  const isRead = found.unread.length === 0
  const ofCalls: ObservedEffects = {
    ...found,
    assets: netted(found.assets),
    approvals: lastOfEach(found.approvals),
    covers: isRead ? ['native', 'tokens', 'approvals'] : [],
    slots: [],
  }
  return withSlots(ofCalls, configuration, input)
}

/** Adds what changes in the Safe itself, by its settings before and after; nothing where these are not known. */
export function withSlots(
  observed: ObservedEffects,
  configuration: Review['configuration'],
  { safeAddress, safeTx }: ReviewInput,
): ObservedEffects {
  const covers = observed.covers.filter((kind) => kind !== 'slots')
  if (configuration === null) return { ...observed, covers, slots: [] }
  const slots = changedSafeSlots(safeAddress, { ...configuration, nonce: safeTx.nonce })
  return { ...observed, covers: [...covers, 'slots'], slots }
}

function read(call: Call, input: ReviewInput, found: Found): void {
  const isUnread = call.problem !== null || call.undecodedBytes > 0
  if (isUnread || !(call.operation === 0 ? collectCall(call, input, found) : collectDelegatecall(call, input, found)))
    found.unread.push(call.path.join('.'))
}

/** @returns whether all that it does is told by its bytes */
function collectDelegatecall(call: Call, input: ReviewInput, found: Found): boolean {
  if (delegatecallTarget(call, input) !== 'library') return false
  switch (deploymentAt(call.to)?.kind) {
    case 'multi-send':
    case 'multi-send-call-only':
      for (const inner of call.calls ?? []) read(inner, input, found)
      return true
    case 'migration':
    case 'l2-migration':
      // They change the Safe's slots, which its configuration tells.
      return true
    default:
      return false
  }
}

/** @returns whether all that it does is told by its bytes */
function collectCall(call: Call, input: ReviewInput, found: Found): boolean {
  if (call.value > 0n)
    move(found, { token: zeroAddress, tokenId: null, from: call.from, to: call.to, amount: call.value })
  const isCollection = input.collections?.[call.to.toLowerCase()] === true
  switch (call.kind) {
    case 'empty':
    case 'native-transfer':
      return true
    case 'erc20-transfer':
      return collectTransfer(call, isCollection, found)
    case 'erc20-approve':
      return collectApproval(call, isCollection, found)
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return collectItemTransfer(call, found)
    case 'safe-settings':
      return isSameAddress(call.to, input.safeAddress) && ownSettings.has(functionName(call))
    default:
      return call.family === 'approve-all' ? collectApprovalForAll(call, found) : collectOtherMove(call, found)
  }
}

type Move = { token: Address; tokenId: bigint | null; from: Address; to: Address | null; amount: bigint }

function move({ assets }: Found, { from, to, token, tokenId, amount }: Move): void {
  assets.push({ account: from, token, tokenId, isOut: true, amount })
  if (to !== null) assets.push({ account: to, token, tokenId, isOut: false, amount })
}

function collectTransfer(call: Call, isCollection: boolean, found: Found): boolean {
  const isPlain = call.name === 'transfer(address,uint256)' || call.name === 'transferFrom(address,address,uint256)'
  const [to, amount] = [addressArgument(call, 'to'), argument(call, 'amount')]
  if (!isPlain || to === null || amount === null) return false
  const from = addressArgument(call, 'from') ?? call.from
  const what = isCollection ? { tokenId: BigInt(amount), amount: 1n } : { tokenId: null, amount: BigInt(amount) }
  move(found, { token: call.to, from, to, ...what })
  return true
}

function collectItemTransfer(call: Call, found: Found): boolean {
  const [from, to] = [addressArgument(call, 'from'), addressArgument(call, 'to')]
  const tokenId = argument(call, 'tokenId') ?? argument(call, 'id')
  if (from === null || to === null || tokenId === null) return false
  move(found, { token: call.to, from, to, tokenId: BigInt(tokenId), amount: BigInt(argument(call, 'amount') ?? 1) })
  return true
}

function collectApproval(call: Call, isCollection: boolean, found: Found): boolean {
  const [spender, amount] = [addressArgument(call, 'spender'), argument(call, 'amount')]
  if (call.name !== 'approve(address,uint256)' || spender === null || amount === null) return false
  const what = isCollection ? { tokenId: BigInt(amount), amount: 1n } : { tokenId: null, amount: BigInt(amount) }
  found.approvals.push({ owner: call.from, token: call.to, spender, ...what })
  return true
}

function collectApprovalForAll(call: Call, found: Found): boolean {
  const spender = addressArgument(call, 'operator')
  if (spender === null) return false
  const amount = argument(call, 'approved') === 'true' ? maxUint256 : 0n
  found.approvals.push({ owner: call.from, token: call.to, spender, tokenId: null, amount })
  return true
}

function collectOtherMove(call: Call, found: Found): boolean {
  const moves = tokenMovesOf(call)
  if (moves === null || moves.length === 0) return false
  for (const { token, from, to, amount } of moves)
    move(found, { token, tokenId: null, from, to, amount: BigInt(amount) })
  return true
}

/** One change for each account and asset; none where as much comes as leaves. */
export function netted(assets: readonly AssetChange[]): AssetChange[] {
  const sums = new Map<string, { change: AssetChange; sum: bigint }>()
  for (const change of assets) {
    const { account, token, tokenId, isOut, amount } = change
    const key = `${account} ${token} ${tokenId}`.toLowerCase()
    const known = sums.get(key)
    const moved = isOut ? -amount : amount
    if (known) known.sum += moved
    else sums.set(key, { change, sum: moved })
  }
  return [...sums.values()].flatMap(({ change, sum }) =>
    sum === 0n ? [] : [{ ...change, isOut: sum < 0n, amount: sum < 0n ? -sum : sum }],
  )
}

/** Each allowance as the last call leaves it. */
export function lastOfEach(approvals: readonly ApprovalLeft[]): ApprovalLeft[] {
  const last = new Map<string, ApprovalLeft>()
  for (const approval of approvals)
    last.set(`${approval.owner} ${approval.token} ${approval.spender} ${approval.tokenId}`.toLowerCase(), approval)
  return [...last.values()]
}
