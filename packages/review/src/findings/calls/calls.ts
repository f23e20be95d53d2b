import type { Call, FunctionFamily } from '@countersign/safe/calls'
import { type Address, size, slice } from 'viem'
import { signsByItself } from '../../approvals.ts'
import { addressArgument, argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { describeTransaction } from '../../targets.ts'
import type { Finding } from '../../types.ts'
import {
  reviewApproval,
  reviewOpenSpender,
  reviewSpendingRight,
  reviewTokenMove,
  reviewTransfer,
} from '../assets/tokens.ts'
import { callFinding, codeAt } from '../make-finding.ts'
import { reviewSignedMessage } from '../messages/messages.ts'
import { reviewLostCoin } from '../safe/accounts.ts'
import {
  reviewDelay,
  reviewDelegation,
  reviewForeignSettings,
  reviewNaming,
  reviewOwnership,
  reviewRole,
  reviewUpgrade,
} from './control.ts'
import { reviewCreation, reviewSafeCreation } from './creation.ts'
import { reviewCrossing } from './crossings.ts'
import { reviewDecidingCode } from './deciding-code.ts'
import { reviewDelegatecall } from './delegatecall.ts'
import { reviewEncoding } from './encoding.ts'
import { reviewNested } from './nested.ts'
import { reviewOrder } from './orders.ts'
import { reviewRaisedPosition } from './positions.ts'
import { type CallPlace, reviewForwarded, reviewReceivers } from './receivers.ts'
import { reviewLeftCoin } from './router-coin.ts'
import { reviewStream } from './streams.ts'
import { reviewSwap } from './swaps.ts'

/** Whether a call is read by the names of its contract, from the registry or an ABI that was given. Its code comes where there is one. */
export function isNamedByOthers({ operation, described, source, data }: Call): boolean {
  return operation === 0 && size(data) > 0 && (described !== undefined || source === 'given')
}

/** Lists the findings about one call, apart from settings of the Safe, and from what `reviewDescribed` finds. */
export function reviewCall(call: Call, input: ReviewInput): Finding[] {
  return [
    ...reviewEncoding(call),
    ...(call.operation === 0 ? reviewPlainCall(call, input) : reviewDelegatecall(call, input)),
  ]
}

function reviewPlainCall(call: Call, input: ReviewInput): Finding[] {
  if (size(call.data) === 0) return reviewLostCoin(call, input)
  const findings: Finding[] = []
  // A proxy of this kind runs its target as itself: which function that is says nothing about what happens.
  const isRunByProxy = call.name === 'execute(address,bytes)'
  if ((call.name === null && call.problem === null) || isRunByProxy) {
    const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
    const behind = input.implementations?.[call.to.toLowerCase()]
    const evidence = {
      selector,
      bytes: size(call.data),
      behind: behind?.address,
      describedCode: replacedCode(call, input),
    }
    findings.push(callFinding(call, 'DECODE-NONE', call.value > 0n ? 'high' : 'medium', evidence))
  }
  if (call.value > 0n)
    findings.push(callFinding(call, 'VALUE-HIDDEN', 'medium', { value: { value: call.value, asset: 'native' } }))
  if (codeAt(input.codes, call.to)?.size === 0) findings.push(callFinding(call, 'CALL-NO-CODE', 'high', {}))
  const ofCoin = [
    ...reviewLostCoin(call, input),
    ...reviewForwarded(call, input),
    ...reviewLeftCoin(call, placeIn(input)),
  ]
  return [...findings, ...ofCoin, ...reviewFunction(call, input)]
}

/** Returns `role` if the call gives up a role. An account that may grant the role can restore it; nobody can restore an owner. */
function renouncedRight(call: Call): 'role' | undefined {
  return call.name?.startsWith('renounceRole(') === true ? 'role' : undefined
}

/** Code that the registry described, where the proxy has been given another one since. */
function replacedCode({ to, data }: Call, { descriptions }: ReviewInput): Address | undefined {
  const described = descriptions?.[to.toLowerCase()]?.find(({ selector }) => data.toLowerCase().startsWith(selector))
  return described?.replaced
}

function placeIn(input: ReviewInput): CallPlace {
  const { safeAddress, tokens, chainId } = input
  return { safeAddress, tokens, chainId, root: describeTransaction(input) }
}

function reviewFunction(call: Call, input: ReviewInput): Finding[] {
  if (isNamedByOthers(call) || call.family === null) return []
  return familyReviews[call.family]?.(call, input) ?? []
}

type FamilyReview = (call: Call, input: ReviewInput) => Finding[]

/** The review of each family of functions. The others have nothing to find. */
const familyReviews: { readonly [Family in FunctionFamily]?: FamilyReview } = {
  'erc20-transfer': reviewTransfer,
  'erc721-transfer': reviewTransfer,
  'erc1155-transfer': reviewTransfer,
  'erc20-approve': reviewApproval,
  'approve-all': reviewOperator,
  ownership: (call, input) => [reviewOwnership(call, input)],
  renounce: (call) => [callFinding(call, 'RENOUNCE', 'critical', { function: call.name, case: renouncedRight(call) })],
  upgrade: (call, input) => [reviewUpgrade(call, input)],
  role: (call, input) => [reviewRole(call, input)],
  'safe-settings': reviewForeignSettings,
  'nested-safe': reviewNested,
  forward: reviewNested,
  'user-operation': reviewNested,
  'spending-right': reviewSpendingRight,
  'token-move': reviewTokenMove,
  stream: reviewStream,
  lending: reviewDeposit,
  locking: reviewDeposit,
  vault: reviewPlacedReceivers,
  staking: reviewPlacedReceivers,
  claim: reviewPlacedReceivers,
  naming: (call, input) => [...reviewPlacedReceivers(call, input), ...reviewNaming(call, input)],
  swap: (call, input) => [
    ...reviewPlacedReceivers(call, input),
    ...reviewSwap(call, input),
    ...reviewRaisedPosition(call, input),
  ],
  crossing: (call, input) => [...reviewCrossing(call, input), ...reviewSwap(call, input)],
  order: reviewOrder,
  governance: reviewDelay,
  'vote-delegation': reviewDelegation,
  recovery: (call) => [callFinding(call, 'RECOVERY-CHANGE', 'high', { function: call.name })],
  'create-call': (call) => [reviewCreation(call)],
  'safe-creation': (call, input) =>
    reviewSafeCreation(call, { ...input, own: [input.safeAddress, ...(input.state?.owners ?? [])] }),
  'sign-message': (call, input) => (signsByItself(call) ? reviewSignedMessage(call, input) : []),
}

function reviewPlacedReceivers(call: Call, input: ReviewInput): Finding[] {
  return reviewReceivers(call, placeIn(input))
}

function reviewDeposit(call: Call, input: ReviewInput): Finding[] {
  return [...reviewPlacedReceivers(call, input), ...reviewDecidingCode(call, input)]
}

/** Reports an operator that may take every NFT of a collection. */
function reviewOperator(call: Call): Finding[] {
  if (argument(call, 'approved') !== 'true') return []
  const operator = addressArgument(call, 'operator')
  return [callFinding(call, 'APPROVE-ALL-NFT', 'high', { operator }), ...reviewOpenSpender(call, operator, call.to)]
}
