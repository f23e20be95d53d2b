import { deploymentAt, isSameAddress, type SafeTx } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, isAddress, zeroAddress } from 'viem'
import { signsByItself } from '../approvals.ts'
import { addressArgument, addressesNamed, argument, functionName } from '../call-arguments.ts'
import { raisedPosition } from '../facts/assets/position-owners.ts'
import { maximumRefund } from '../findings/assets/refund.ts'
import { reviewCrossing } from '../findings/calls/crossings.ts'
import { reviewDescribedReceivers } from '../findings/calls/described.ts'
import { soldBy } from '../findings/calls/orders.ts'
import { type CallPlace, reviewForwarded, reviewReceivers } from '../findings/calls/receivers.ts'
import type { Finding } from '../types.ts'

/** Everything that a transaction takes out of the Safe at most, or gives others the right to take. */
export type Outflows = {
  /** Base units by lower-case address of the asset; the zero address is the native coin. */
  amounts: Map<string, bigint>
  /** Assets of which nobody can tell how much, by what hides it: a call of the tree. `*`: of every asset. */
  unbounded: Map<string, readonly number[]>
  /** Accounts that get assets or rights, and by which call; null: nobody can tell. */
  receivers: { address: Address | null; call: readonly number[] }[]
}

/** The Safe whose assets move. `version` of its official contract, which determines how it counts refunds; null if not known. */
export type PayingSafe = { safeAddress: Address; version: string | null }

/** Whether a contract is known to be an ERC-20: in ERC-721 `transferFrom` has the same bytes, and its number names an item. */
export type IsToken = (contract: Address) => boolean

const TRANSFER_FROM = 'transferFrom(address,address,uint256)'

/** Arguments that name somebody who gets something, in functions of Countersign's own list. */
const receiving = ['to', 'receiver', 'recipient', 'refundTo', 'spender', 'operator', 'delegate', 'delegatee']

/** Families whose receivers the review finds by what they are called there, and by what becomes of it in later steps. */
const receiverFamilies = new Set<Call['family']>(['vault', 'lending', 'staking', 'claim', 'naming', 'swap'])

/** Whether a delegatecall is a batch of an official release: what it does are its entries. */
export function isBatchLibrary(call: Call): boolean {
  const kind = deploymentAt(call.to)?.kind
  return call.kind === 'multi-send' && (kind === 'multi-send' || kind === 'multi-send-call-only')
}

/**
 * Adds up what a transaction moves and approves, from its bytes alone. What it cannot tell is `unbounded`: a limit that
 * unreadable bytes get around is none.
 *
 * @param isToken - without it, no contract is known to be an ERC-20
 * @example
 * outflowsOf(call, safeTx, { safeAddress, version: '1.4.1' }).amounts.get(token.toLowerCase())
 */
export function outflowsOf(
  call: Call,
  safeTx: SafeTx,
  { safeAddress, version }: PayingSafe,
  isToken: IsToken = () => false,
): Outflows {
  const outflows: Outflows = { amounts: new Map(), unbounded: new Map(), receivers: [] }
  for (const inner of flattenCalls(call)) {
    if (inner.problem === 'BUDGET' || inner.problem === 'MULTISEND_MALFORMED') {
      outflows.unbounded.set('*', inner.path)
      outflows.receivers.push({ address: null, call: inner.path })
    }
    if (!isSameAddress(inner.from, safeAddress)) continue
    addCall(outflows, inner, { safeAddress, isToken })
  }
  addRefund(outflows, safeTx, version)
  return outflows
}

function add({ amounts }: Outflows, asset: string, amount: bigint): void {
  const key = asset.toLowerCase()
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

type Context = { safeAddress: Address; isToken: IsToken }

function addCall(outflows: Outflows, call: Call, { safeAddress, isToken }: Context): void {
  const isSelf = (address: Address | null) => address !== null && isSameAddress(address, safeAddress)
  const receive = (address: Address | null) => {
    if (!isSelf(address)) outflows.receivers.push({ address, call: call.path })
  }
  if (call.operation !== 0) {
    if (isBatchLibrary(call)) return
    outflows.unbounded.set('*', call.path)
    receive(null)
    return
  }
  if (call.value > 0n && !isSelf(call.to)) {
    add(outflows, zeroAddress, call.value)
    receive(call.to)
  }
  if (signsByItself(call)) {
    // The message may allow anybody anything.
    outflows.unbounded.set('*', call.path)
    receive(null)
  }
  if (call.family === 'order') addOrder(outflows, call, receive)
  if (isSelf(call.to)) return
  switch (call.family) {
    case 'erc20-transfer':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      addTransfer(outflows, call, { isToken, isSelf, receive })
      break
    case 'erc20-approve':
      addApproval(outflows, call, receive)
      break
    default:
      if (call.kind !== 'native-transfer' && call.kind !== 'empty') addOther(outflows, call, receive)
  }
}

/**
 * An order: what it sells leaves when it suits others, by an allowance of any day. Of one that is signed by its hash alone the
 * bytes say neither who gets that, nor what and how much it is.
 */
function addOrder(outflows: Outflows, call: Call, receive: Receive): void {
  const hash = argument(call, 'orderUid') ?? argument(call, 'root')
  if (hash !== null && argument(call, 'signed') !== 'false') {
    outflows.unbounded.set('*', call.path)
    receive(null)
  }
  for (const order of call.commands ?? [])
    for (const token of addressesNamed(order, 'sellToken')) add(outflows, token, soldBy(order))
}

type Receive = (address: Address | null) => void

function addTransfer(
  outflows: Outflows,
  call: Call,
  { isToken, isSelf, receive }: { isToken: IsToken; isSelf: (address: Address | null) => boolean; receive: Receive },
): void {
  const from = addressArgument(call, 'from')
  const to = addressArgument(call, 'to')
  if ((from !== null && !isSelf(from)) || isSelf(to)) return
  receive(to)
  const amount = argument(call, 'amount')
  const isAmount = call.family === 'erc20-transfer' && (call.name !== TRANSFER_FROM || isToken(call.to))
  if (amount !== null && isAmount) add(outflows, call.to, BigInt(amount))
  else outflows.unbounded.set(call.to.toLowerCase(), call.path)
}

/** An allowance counts as if it were spent. */
function addApproval(outflows: Outflows, call: Call, receive: Receive): void {
  const amount = BigInt(argument(call, 'amount') ?? 0)
  if (amount === 0n || functionName(call).startsWith('decrease')) return
  receive(addressArgument(call, 'spender'))
  add(outflows, addressArgument(call, 'token') ?? call.to, amount)
}

/** Accounts that may take item 0, where the contract is a collection: of an ERC-20 the same bytes end an allowance. */
export function itemReceivers(call: Call, safeAddress: Address) {
  return flattenCalls(call).flatMap((inner) => {
    const spender = addressArgument(inner, 'spender')
    const isApproval = inner.operation === 0 && inner.name === 'approve(address,uint256)'
    const isOwn = isSameAddress(inner.from, safeAddress) && spender !== null && !isSameAddress(spender, zeroAddress)
    if (!isApproval || !isOwn || argument(inner, 'amount') !== '0') return []
    return [{ address: spender, call: inner.path, contract: inner.to }]
  })
}

/** Brings assets in, or only reads: no outflow of the contract's own token. */
function isHarmlessToOwn(call: Call): boolean {
  return call.family === 'read' || (call.family === 'vault' && /^(?:deposit|mint)$/.test(functionName(call)))
}

/** A call of any other contract, its tuples and commands too: of the asset itself it may move anything; of others what was approved and counted. */
function addOther(outflows: Outflows, call: Call, receive: Receive): void {
  receive(call.to)
  const parts = call.source === 'built-in' ? [call, ...(call.commands ?? [])] : []
  for (const named of parts.flatMap((part) => receiving.flatMap((name) => addressesNamed(part, name))))
    if (!isCaller(named, call)) receive(named)
  if (!isHarmlessToOwn(call)) outflows.unbounded.set(call.to.toLowerCase(), call.path)
  for (const token of parts.flatMap((part) => addressesNamed(part, 'token')))
    outflows.unbounded.set(token.toLowerCase(), call.path)
}

/** Whether an order takes it for its owner, or the routers of a swap for their caller or themselves: what they keep, the review finds. */
function isCaller(address: Address, { family }: Call): boolean {
  return (family === 'swap' && BigInt(address) < 3n) || (family === 'order' && BigInt(address) === 0n)
}

/**
 * Accounts that the review finds named in the calls of a Safe; null where nobody can tell, on another chain or by instructions there.
 * No list of tokens has a say: one that is longer elsewhere would let more pass there.
 *
 * @example
 * namedReceivers(call, { safeAddress, chainId: 1 }) // [{ address: stranger, call: [] }]
 */
export function namedReceivers(root: Call, at: Pick<CallPlace, 'safeAddress' | 'chainId'>): Outflows['receivers'] {
  const place: CallPlace = { ...at, tokens: [], root }
  const calls = flattenCalls(root).filter(({ from }) => isSameAddress(from, at.safeAddress))
  return calls.flatMap((call) => {
    // The holder of the position gets it, whom the bytes do not name.
    if (raisedPosition(call) !== null) return [{ address: null, call: call.path }]
    return namedIn(call, place).flatMap((found) => {
      if (found.id === 'BRIDGE-RECEIVER' && found.evidence.instructions === undefined) return []
      const named = accountNamed(found)
      return [{ address: isAddress(named, { strict: false }) ? named : null, call: call.path }]
    })
  })
}

/** The one account that a finding names; empty where it names none, or several. */
function accountNamed({ id, evidence }: Finding): string {
  if (id === 'RECEIVER-OTHER') return evidence.receiver
  const [spender = '', ...more] = id === 'SPENDING-RIGHT' ? (evidence.spender ?? []) : []
  return more.length === 0 ? spender : ''
}

function namedIn(call: Call, place: CallPlace): Finding[] {
  if (call.operation !== 0) return []
  const forwarded = reviewForwarded(call, place)
  if (call.described !== undefined || call.source === 'given')
    return [...forwarded, ...reviewDescribedReceivers(call, place)]
  if (call.family === 'crossing') return reviewCrossing(call, place).filter(({ id }) => /RECEIVER/.test(id))
  const isNaming = receiverFamilies.has(call.family)
  return isNaming ? [...forwarded, ...reviewReceivers(call, place)] : forwarded
}

/** Without safeTxGas there is no maximum, because all used gas is refunded. Without a version, nothing limits the refund. */
function addRefund(outflows: Outflows, safeTx: SafeTx, version: string | null): void {
  const { safeTxGas, gasPrice, gasToken } = safeTx
  if (gasPrice === 0n) return
  if (safeTxGas === 0n || version === null) outflows.unbounded.set(gasToken.toLowerCase(), [])
  else add(outflows, gasToken, maximumRefund(safeTx, version))
}
