import { fail, type RpcRequest } from '@countersign/safe'
import { type Hex, numberToHex, padHex } from 'viem'
import { type Header, parseRawHeader } from '../proof/header.ts'
import type { VouchedBlock } from '../proof/vouched-block.ts'
import type { ProofPack } from './proof-pack.ts'

/** The block of a pack, and what stands in for a node at it. */
export type PackNode = { block: VouchedBlock & { header: Header }; request: RpcRequest }

/**
 * Opens a pack as if it were a node: it answers for its one block, out of its file alone. Proofs are checked by whoever
 * reads; everything is proved against the hash of the header, and who names that hash is another question.
 *
 * @throws CountersignError `PROOF_INVALID` for what is no header
 * @example
 * const { block, request } = openPack(pack)
 * const reader = createProvedReader(request, block)
 */
export function openPack({ chainId, header: raw, proofs }: Pick<ProofPack, 'chainId' | 'header' | 'proofs'>): PackNode {
  const header = parseRawHeader(raw)
  const tag = numberToHex(header.number)
  const accounts = new Map<string, Answer>()
  const codes = new Map<string, Hex>()
  for (const { address, answer, code } of proofs) {
    const key = address.toLowerCase()
    const { storageProof, ...account } = answer as Answer
    const known = accounts.get(key) ?? { ...account, storageProof: [] }
    accounts.set(key, { ...known, storageProof: [...known.storageProof, ...storageProof] })
    if (code !== null) codes.set(key, code)
  }
  const slots = new Map([...accounts].map(([key, { storageProof }]) => [key, bySlot(storageProof)]))
  const request: RpcRequest = async ({ method, params = [] }) => {
    if (method === 'eth_chainId') return numberToHex(chainId)
    const [address, second, third] = params
    const key = String(address).toLowerCase()
    if (method === 'eth_getCode' && second === tag && codes.has(key)) return codes.get(key)
    const account = accounts.get(key)
    if (method === 'eth_getProof' && third === tag && account !== undefined && Array.isArray(second)) {
      const storageProof = second.map((slot: Hex) => slots.get(key)?.get(slot) ?? missing(`${address} ${slot}`))
      return { ...account, storageProof }
    }
    return missing(`${method} ${typeof address === 'string' ? address : ''}`)
  }
  const vouching = { status: 'enough', count: 0, needed: 0, sources: [], ahead: [] } as const
  return { block: { chainId, number: header.number, hash: header.hash, header, vouching }, request }
}

type SlotProof = { key: Hex; value: Hex; proof: Hex[] }
type Answer = Record<string, unknown> & { storageProof: SlotProof[] }

function bySlot(proofs: readonly SlotProof[]): ReadonlyMap<Hex, SlotProof> {
  return new Map(proofs.map((proof) => [padHex(proof.key, { size: 32 }).toLowerCase() as Hex, proof]))
}

function missing(what: string): never {
  throw fail('PROOF_PACK_INVALID', { reason: 'missing', what })
}
