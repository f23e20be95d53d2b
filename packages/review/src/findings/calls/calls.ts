import type { Call } from '@countersign/safe/calls'
import { type Address, size, slice } from 'viem'
import { signsByItself } from '../../approvals.ts'
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
import { addressArgument, argument, callFinding, codeAt } from '../evidence.ts'
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
  if (isNamedByOthers(call)) return []
  switch (call.family) {
    case 'erc20-transfer':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return reviewTransfer(call, input)
    case 'erc20-approve':
      return reviewApproval(call, input)
    case 'approve-all':
      return argument(call, 'approved') === 'true'
        ? [
            callFinding(call, 'APPROVE-ALL-NFT', 'high', { operator: addressArgument(call, 'operator') }),
            ...reviewOpenSpender(call, addressArgument(call, 'operator'), call.to),
          ]
        : []
    case 'ownership':
      return [reviewOwnership(call, input)]
    case 'renounce':
      return [callFinding(call, 'RENOUNCE', 'critical', { function: call.name, case: renouncedRight(call) })]
    case 'upgrade':
      return [reviewUpgrade(call, input)]
    case 'role':
      return [reviewRole(call, input)]
    case 'safe-settings':
      return reviewForeignSettings(call)
    case 'nested-safe':
    case 'forward':
    case 'user-operation':
      return reviewNested(call, input)
    case 'spending-right':
      return reviewSpendingRight(call, input)
    case 'token-move':
      return reviewTokenMove(call, input)
    case 'stream':
      return reviewStream(call, input)
    case 'lending':
    case 'locking':
      return [...reviewReceivers(call, placeIn(input)), ...reviewDecidingCode(call, input)]
    case 'vault':
    case 'staking':
    case 'claim':
      return reviewReceivers(call, placeIn(input))
    case 'naming':
      return [...reviewReceivers(call, placeIn(input)), ...reviewNaming(call, input)]
    case 'swap':
      return [
        ...reviewReceivers(call, placeIn(input)),
        ...reviewSwap(call, input),
        ...reviewRaisedPosition(call, input),
      ]
    case 'crossing':
      return [...reviewCrossing(call, input), ...reviewSwap(call, input)]
    case 'order':
      return reviewOrder(call, input)
    case 'governance':
      return reviewDelay(call)
    case 'vote-delegation':
      return reviewDelegation(call, input)
    case 'recovery':
      return [callFinding(call, 'RECOVERY-CHANGE', 'high', { function: call.name })]
    case 'create-call':
      return [reviewCreation(call)]
    case 'safe-creation':
      return reviewSafeCreation(call, { ...input, own: [input.safeAddress, ...(input.state?.owners ?? [])] })
    case 'sign-message':
      return signsByItself(call) ? reviewSignedMessage(call, input) : []
    default:
      return []
  }
}
