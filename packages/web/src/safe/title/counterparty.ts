import { describeTransaction } from '@countersign/review'
import { deploymentAt, type SafeTx } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'

/** The address that a row of a list shows in full below the title, and whether unknown code runs there as the Safe. */
export type Counterparty = { preposition: 'to' | 'at'; address: string; isForeignCode: boolean }

const paying = new Set<Call['kind']>([
  'native-transfer',
  'erc20-transfer',
  'erc20-approve',
  'erc721-transfer',
  'erc1155-transfer',
])

/** Finds the recipient of a payment or an allowance, else the contract that is called, from the bytes alone. */
export function counterpartyOf(safeTx: SafeTx, safeAddress: Address): Counterparty {
  const call = describeTransaction({ safeTx, safeAddress })
  if (call.operation === 1)
    return { preposition: 'at', address: call.to, isForeignCode: !isBatch(call) && !signsMessage(call) }
  if (!paying.has(call.kind)) return { preposition: 'at', address: call.to, isForeignCode: false }
  const recipient = call.args.find(({ name }) => name === 'to' || name === 'spender')?.value
  return { preposition: 'to', address: recipient ?? call.to, isForeignCode: false }
}

/** Whether a delegatecall signs a message by an official library. */
export function signsMessage(call: Call): boolean {
  return call.family === 'sign-message' && deploymentAt(call.to)?.kind === 'sign-message-lib'
}

/** Whether a delegatecall is a batch of an official library. */
export function isBatch(call: Call): boolean {
  const kind = deploymentAt(call.to)?.kind
  return call.kind === 'multi-send' && (kind === 'multi-send' || kind === 'multi-send-call-only')
}
