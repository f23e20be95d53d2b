import { describeUndeployedSafe, fail } from '@countersign/safe'
import { type Hex, isHex, keccak256, padHex } from 'viem'
import { configurationSlots } from '../../effects/safe-slots.ts'
import { defineFact } from '../fact.ts'

/** Parts of the Safe that are otherwise than they were read, and what it has in the chain's coin, in wei. */
type SafeWords = { differing: string[]; held?: bigint | undefined }

const EMPTY_CODE_HASH = keccak256('0x')

/**
 * Storage and code of the Safe compared with what was read of it before: the parts that differ, by name. Contracts answered
 * that; these are the words themselves, and can be proved. Of an official singleton alone: another keeps what it likes
 * where it likes.
 */
export const safeSlots = defineFact({
  id: 'safeSlots',
  needs: ({ kind, chainId, safeAddress, state }) => {
    if (state === null || state.version === null) return null
    if (state.creation !== undefined) {
      const made = describeUndeployedSafe(state.creation, chainId).contracts.slice(0, -1)
      return {
        chainId,
        codes: [
          // Nothing is at the address.
          { part: 'code', address: safeAddress, codeHash: EMPTY_CODE_HASH },
          { part: 'singletonCode', address: state.singleton, codeHash: state.singletonCodeHash },
          ...made.flatMap(({ address, codeHash }) => (codeHash ? [{ part: 'creationCode', address, codeHash }] : [])),
        ],
        safeAddress,
        slots: [],
        balance: kind === 'transaction' ? state.balance : 0n,
      }
    }
    return {
      chainId,
      codes: [
        { part: 'code', address: safeAddress, codeHash: state.proxyCodeHash },
        { part: 'singletonCode', address: state.singleton, codeHash: state.singletonCodeHash },
      ],
      safeAddress,
      slots: configurationSlots(state, state.nonce),
      balance: kind === 'transaction' ? state.balance : 0n,
    }
  },
  async read(chain, { chainId, safeAddress, slots, codes, balance }): Promise<SafeWords> {
    const request = chain(chainId)
    const ask = async (method: string, params: unknown[]): Promise<Hex> => {
      const answer = await request({ method, params })
      if (isHex(answer)) return answer
      throw fail('RPC_ERROR', { reason: 'hex', value: String(answer).slice(0, 80) })
    }
    const [words, hashes, held] = await Promise.all([
      Promise.all(slots.map(({ slot }) => ask('eth_getStorageAt', [safeAddress, slot, 'latest']))),
      Promise.all(codes.map(({ address }) => ask('eth_getCode', [address, 'latest']))),
      ask('eth_getBalance', [safeAddress, 'latest']),
    ])
    const differing = [
      ...slots.filter(({ word }, index) => padHex(words[index] ?? '0x', { size: 32 }) !== word),
      ...codes.filter(({ codeHash }, index) => keccak256(hashes[index] ?? '0x') !== codeHash),
    ].map(({ part }): string => part)
    // Anybody may send it more at any time.
    if (BigInt(held) < balance) differing.push('balance')
    return { differing: [...new Set(differing)], held: BigInt(held) }
  },
  // Either was read before the other.
  isOpen: ({ differing }) => differing.length > 0,
})
