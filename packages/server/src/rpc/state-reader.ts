import { fail } from '@countersign/contract'
import { CountersignError, type CreationCall, type RpcRequest, readSafeState, type SafeState } from '@countersign/safe'
import { type Address, type Hex, numberToHex } from 'viem'
import type { Call } from './call.ts'
import { createJointSignal, type JointSignal } from './joint-signal.ts'
import { type Block, readBlock } from './logs.ts'
import { createAskAt } from './state-at.ts'

/** Safes that are kept of one block. */
const MAX_KEPT = 2_000

/** A Safe as it stood at a block that may still be lost. */
export type SafeReading = SafeState & { blockHash: Hex }

/**
 * `notBefore`: a node whose newest block is older lags, and its answer is not used. `creation`: the call that creates the Safe, used
 * until the Safe is deployed. By default, the stored call is used. `signal` as in `Call`.
 */
export type ReadOptions = { notBefore?: number; creation?: CreationCall | undefined; signal?: AbortSignal | undefined }

/** Finds the call that creates a Safe, as it is kept here; null for none. */
export type FindCreation = (place: { chainId: number; safeAddress: Address }) => Promise<CreationCall | null>

/**
 * Reads Safes at the newest block. Which one that is the node is asked every time; as long as it names the same, by its
 * hash, what was read at it is what would be read again.
 */
export function createStateReader(
  request: (call: Call) => Promise<unknown>,
  chainId: number,
  findCreation: FindCreation = async () => null,
): (address: Address, options?: ReadOptions) => Promise<SafeReading> {
  const askAt = createAskAt(request)
  let newest: Hex | null = null
  /** Clients that ask for the same Safe at the same block wait for one reading. `joint` is null once it has ended. */
  const states = new Map<Address, { reading: Promise<SafeReading>; joint: JointSignal | null }>()

  async function readAt(
    { number, hash: blockHash }: Block,
    address: Address,
    { signal, creation }: Pick<ReadOptions, 'signal' | 'creation'>,
  ): Promise<SafeReading> {
    const named = numberToHex(number)
    // Asks about that very block: there may be another at its height, at this node or at the next.
    const requestAt: RpcRequest = ({ method, params = [] }) =>
      params.at(-1) === named
        ? askAt({ blockNumber: number, blockHash }, (block) =>
            request({ method, params: [...params.slice(0, -1), block], signal }),
          )
        : request({ method, params, signal })
    return {
      ...(await readSafeState(requestAt, address, chainId, { blockNumber: BigInt(number), creation })),
      blockHash,
    }
  }

  /** Reads a Safe, from its creation where one is kept here and nothing is at the address. */
  async function readKnown(block: Block, address: Address, signal: AbortSignal): Promise<SafeReading> {
    try {
      return await readAt(block, address, { signal })
    } catch (error) {
      if (!isCoded(error, 'NOT_A_SAFE')) throw error
      const kept = await findCreation({ chainId, safeAddress: address })
      if (kept === null) throw error
      // It was checked when it was kept: what it is made of is not on this chain any more.
      return await readAt(block, address, { signal, creation: kept }).catch((other: unknown) => {
        throw isCoded(other, 'CREATION_REFUSED') ? error : other
      })
    }
  }

  return async (address, { notBefore = 0, creation, signal } = {}) => {
    const head = await readBlock((call) => request({ ...call, signal }), 'latest')
    if (!head || head.number < notBefore) throw fail('RPC_ERROR', { reason: 'no-head' })
    if (head.hash !== newest) {
      newest = head.hash
      states.clear()
    }
    if (creation) return readAt(head, address, { signal, creation })
    const known = states.get(address)
    if (known && !known.joint?.signal.aborted) {
      known.joint?.join(signal)
      return known.reading
    }
    const joint = createJointSignal()
    joint.join(signal)
    const reading = readKnown(head, address, joint.signal)
    const kept: { reading: typeof reading; joint: JointSignal | null } = { reading, joint }
    if (states.size < MAX_KEPT) states.set(address, kept)
    try {
      const state = await reading
      // The reading is complete, so a client that leaves no longer cancels it.
      kept.joint = null
      return state
    } catch (error) {
      if (states.get(address)?.reading === reading) states.delete(address)
      throw error
    }
  }
}

function isCoded(error: unknown, code: string): boolean {
  return error instanceof CountersignError && error.code === code
}
