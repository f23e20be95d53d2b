import { fail } from '@countersign/contract'
import { decodeSignatures, type RpcRequest, type SignatureType, safeAbi } from '@countersign/safe'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { isRefusal } from '../../rpc/errors.ts'
import { recoverConfirmationOwner } from '../../signatures/recover.ts'

const MAX_CONFIRMATIONS = 1_000

/** Signature that one owner gave with an execution. */
export type Signed = { owner: Address; signature: Hex; signatureType: SignatureType }

/** The contract checks as many as the threshold says; whatever follows is nobody's word. */
export async function confirmationsOf(safeTxHash: Hex, signatures: Hex, threshold: number): Promise<Signed[]> {
  const found: Signed[] = []
  for (const parsed of decodeSignatures(signatures, Math.min(threshold, MAX_CONFIRMATIONS)).signatures) {
    // Contracts may accept what cannot be kept as a signature of its own: then it is left out.
    if (parsed === null) continue
    if ('owner' in parsed) found.push(parsed)
    else
      await recoverConfirmationOwner(safeTxHash, parsed.signature).then(
        (confirmation) => found.push(confirmation),
        () => {},
      )
  }
  return found
}

/** `isOfBlock` is false where the node has forgotten: then these are the owners of today. */
export type Owners = { addresses: ReadonlySet<string>; isOfBlock: boolean }

/** Reads the owners of a Safe before and after a block. */
export async function readOwnersAround(request: RpcRequest, address: Address, blockNumber: number): Promise<Owners> {
  const [before, after] = [numberToHex(Math.max(0, blockNumber - 1)), numberToHex(blockNumber)]
  try {
    const both = await Promise.all([readOwners(request, address, before), readOwners(request, address, after)])
    return { addresses: new Set(both.flat()), isOfBlock: true }
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A Safe that can no longer be asked has no owners that anybody knows of.
    const today = await readOwners(request, address, 'latest').catch((again: unknown) => {
      if (isRefusal(again)) return []
      throw again
    })
    return { addresses: new Set(today), isOfBlock: false }
  }
}

async function readOwners(request: RpcRequest, to: Address, block: string): Promise<readonly Address[]> {
  const call = { abi: safeAbi, functionName: 'getOwners' } as const
  const answer = await request({ method: 'eth_call', params: [{ to, data: encodeFunctionData(call) }, block] })
  // Before it was created it had none.
  if (answer === '0x') return []
  try {
    return decodeFunctionResult({ ...call, data: String(answer) as Hex })
  } catch {
    throw fail('RPC_ERROR', { reason: 'owners', value: String(answer).slice(0, 80) })
  }
}
