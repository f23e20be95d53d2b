import { deploymentAt, isSameAddress } from '@countersign/safe'
import type { Call, CallKind, FunctionFamily } from '@countersign/safe/calls'
import { signsByItself } from './approvals.ts'
import { argument, functionName } from './call-arguments.ts'
import { delegatecallTarget } from './findings/calls/delegatecall.ts'
import type { ReviewInput } from './input.ts'
import { listedToken } from './tokens/listed-tokens.ts'
import { type TokenMove, tokenMovesOf } from './tokens/token-moves.ts'
import type { Effect, EffectKey } from './types.ts'

const settingsEffects: Record<string, EffectKey> = {
  addOwnerWithThreshold: 'owner-add',
  removeOwner: 'owner-remove',
  swapOwner: 'owner-swap',
  changeThreshold: 'threshold-change',
  enableModule: 'module-enable',
  disableModule: 'module-disable',
  setModuleGuard: 'module-guard-change',
  setFallbackHandler: 'handler-change',
  changeMasterCopy: 'singleton-change',
}

/**
 * Lists the effects of a transaction in the order in which they happen. Amounts are in base units; a listed token
 * adds `symbol` and `decimals`.
 */
export function describeEffects(call: Call, input: ReviewInput): Effect[] {
  if (call.problem === 'BUDGET') return [effect(call, 'not-decoded', input)]
  if (call.problem === 'MULTISEND_MALFORMED') return [effect(call, 'unreadable-batch', input)]
  if (call.operation !== 0) return describeDelegatecall(call, input)
  const moves = tokenMovesOf(call)
  const isMove = moves !== null && moves.length > 0
  const own = isMove
    ? moves.map((move) => moveEffect(call, move, input))
    : [effect(call, effectKey(call, input), input)]
  const isPayment = own.some(({ key }) => key === 'native-transfer')
  const value = call.value > 0n && !isPayment ? [effect(call, 'native-transfer', input)] : []
  return [...value, ...own, ...(call.calls ?? []).flatMap((inner) => describeEffects(inner, input))]
}

function describeDelegatecall(call: Call, input: ReviewInput): Effect[] {
  // Unknown code may do anything, with a batch too.
  const target = delegatecallTarget(call, input)
  if (target === 'unknown') return [effect(call, 'foreign-code', input)]
  const inner = (call.calls ?? []).flatMap((call) => describeEffects(call, input))
  if (target === 'allowed') return [effect(call, 'foreign-code', input), ...inner]
  switch (deploymentAt(call.to)?.kind) {
    case 'multi-send':
    case 'multi-send-call-only':
      return inner
    case 'create-call':
      return [effect(call, 'contract-create', input)]
    case 'sign-message-lib':
      return [effect(call, 'message-sign', input)]
    default:
      return [effect(call, 'singleton-change', input)]
  }
}

function effectKey(call: Call, input: ReviewInput): EffectKey {
  return keysByKind[call.kind]?.(call, input) ?? functionKey(call)
}

const keysByKind: { readonly [Kind in CallKind]?: (call: Call, input: ReviewInput) => EffectKey } = {
  empty: (call, input) => (isCancellation(call, input) ? 'cancel' : 'empty-call'),
  'native-transfer': () => 'native-transfer',
  'erc20-transfer': (call, input) => {
    if (functionName(call) !== 'transferFrom') return 'erc20-transfer'
    return isCollection(call, input) ? 'nft-transfer' : 'erc20-transfer-from'
  },
  'erc20-approve': (call, input) => {
    if (call.name === 'approve(address,uint256)' && isCollection(call, input)) return 'nft-approve'
    return functionName(call) === 'approve' ? 'erc20-approve' : 'erc20-allowance-change'
  },
  'erc721-transfer': () => 'nft-transfer',
  'erc1155-transfer': (call) =>
    functionName(call) === 'safeBatchTransferFrom' ? 'nft-batch-transfer' : 'nft-transfer',
  'safe-settings': (call) => {
    const name = functionName(call)
    if (name === 'setGuard') return BigInt(argument(call, 'guard') ?? 0) === 0n ? 'guard-remove' : 'guard-set'
    return settingsEffects[name] ?? 'settings-other'
  },
}

/** Whether a call only uses the nonce. A transaction that pays its executor does more. */
function isCancellation({ to, path }: Call, { safeAddress, safeTx }: ReviewInput): boolean {
  return isSameAddress(to, safeAddress) && path.length === 0 && safeTx.gasPrice === 0n
}

function isCollection({ to }: Call, { collections }: ReviewInput): boolean {
  return collections?.[to.toLowerCase()] === true
}

function functionKey(call: Call): EffectKey {
  if (call.name === null) return 'unknown-call'
  if (call.described !== undefined) return 'described-call'
  const key = call.family === null ? undefined : keysByFamily[call.family]
  return (typeof key === 'function' ? key(call) : key) ?? 'contract-call'
}

const keysByFamily: { readonly [Family in FunctionFamily]?: EffectKey | ((call: Call) => EffectKey) } = {
  'approve-all': 'nft-approve-all',
  ownership: 'ownership-transfer',
  renounce: 'ownership-renounce',
  upgrade: 'proxy-upgrade',
  role: 'role-change',
  'vote-delegation': 'votes-delegate',
  governance: (call) => (call.name?.startsWith('castVote') === true ? 'vote-cast' : 'contract-call'),
  order: (call) => (argument(call, 'signed') === 'false' ? 'contract-call' : 'order-create'),
  'sign-message': (call) => (signsByItself(call) ? 'message-sign' : 'contract-call'),
  'nested-safe': (call) => (call.name === 'approveHash(bytes32)' ? 'hash-approve' : 'nested-transaction'),
}

/** A token that moves by another function than a transfer, as a transfer of it would be described. */
function moveEffect(call: Call, { token, from, to, amount }: TokenMove, input: ReviewInput): Effect {
  const key = to === null ? 'token-burn' : 'erc20-transfer-from'
  const described = effect(call, key, input)
  const listed = listedToken(input.tokens, token)
  const unit: Record<string, string> =
    listed === undefined ? {} : { symbol: listed.symbol, decimals: String(listed.decimals) }
  return { ...described, values: { ...described.values, target: token, from, to: to ?? token, amount, ...unit } }
}

function effect(call: Call, key: EffectKey, input: ReviewInput): Effect {
  const values: Record<string, string> = {}
  // The author of an ABI or a descriptor also names its arguments: one called `caller` would say that it is another's
  // money.
  for (const { name, value } of call.source === 'built-in' ? call.args : []) values[name] = value
  // The arguments of a transfer are named like the fields of the call; the recipient is what a person asks for.
  if (key === 'native-transfer') values.to = call.to
  if (key === 'nft-approve') values.tokenId = argument(call, 'amount') ?? ''
  values.to ??= call.to
  values.target = call.to
  values.value = String(call.value)
  values.bytes = String((call.data.length - 2) / 2)
  if (call.name !== null) values.function = call.name
  if (call.described !== undefined) {
    values.intent = call.described.intent || call.described.declaration
    values.contractName = call.described.contractName
  }
  if (!isSameAddress(call.from, input.safeAddress)) values.caller = call.from
  const token = listedToken(input.tokens, call.to)
  if (token !== undefined) {
    values.symbol = token.symbol
    values.decimals = String(token.decimals)
  }
  if (deploymentAt(call.to) !== null) values.contract = deploymentAt(call.to)?.name ?? ''
  return { key, values, path: call.path }
}
