import type { Address } from 'viem'
import { addressesNamed, addressesWhere } from '../../call-argument.ts'
import type { Call } from '../../calldata.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { argument, callFinding, functionName } from './evidence.ts'

/** Uniswap's routers take these for the caller, and for the router itself. */
const CALLER = 1n
const ROUTER = new Set([0n, 2n])

/** Names everybody but the Safe who gets what comes of a call. */
export function reviewReceivers(call: Call, input: ReviewInput): Finding[] {
  // A debtor whose debt is paid gets what it was a debt for.
  const debtors = functionName(call).startsWith('repay') ? addressesNamed(call, 'debtor') : []
  const others = [...addressesNamed(call, 'receiver'), ...debtors, ...receiversOfCommands(call)].filter(
    (receiver) => !isOwn(receiver, call, input.safeAddress),
  )
  const permits = (call.commands ?? []).filter(({ name }) => name.startsWith('PERMIT2_PERMIT'))
  return [
    ...[...new Set(others)].map((receiver) =>
      callFinding(call, 'RECEIVER-OTHER', 'high', { ...evidenceOf(call), receiver }),
    ),
    ...permits.map((command) =>
      callFinding(call, 'SPENDING-RIGHT', 'high', {
        function: command.name,
        spender: addressesNamed(command, 'spender')[0],
      }),
    ),
  ]
}

function evidenceOf(call: Call) {
  return {
    function: call.name,
    amount: argument(call, 'amount') ?? argument(call, 'assets') ?? argument(call, 'shares'),
  }
}

function isOwn(receiver: Address, call: Call, safeAddress: Address): boolean {
  if (isSameAddress(receiver, safeAddress)) return true
  if (call.family !== 'swap') return false
  if (BigInt(receiver) === CALLER) return true
  // Tokens that stay in the router are for whoever comes first, unless a later step of the same call sends it on.
  const isOneOfSeveral = call.path.length > 0 || (call.commands?.length ?? 0) > 1
  return ROUTER.has(BigInt(receiver)) && isOneOfSeveral
}

/** The last step can leave nothing in the router: nobody would send it on. */
function receiversOfCommands({ commands = [] }: Call): Address[] {
  return commands.flatMap((command, index) =>
    addressesNamed(command, 'receiver').filter(
      (receiver) => !(ROUTER.has(BigInt(receiver)) && index < commands.length - 1),
    ),
  )
}

/** Names by which contracts call whoever gets what comes of a call. */
const receiving = /^_?(?:to|recipient|receiver|beneficiary|onBehalfOf|onBehalf|dstReceiver|destination|payee)_?$/i

/** Names the receivers of a function that the registry describes: its parameters have the names of the contract. */
export function reviewDescribedReceivers(call: Call, { safeAddress }: ReviewInput): Finding[] {
  const named = addressesWhere(call, (name) => receiving.test(name))
  const others = named.filter((one) => BigInt(one) !== 0n && !isSameAddress(one, safeAddress))
  return [...new Set(others)].map((receiver) =>
    callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver }),
  )
}
