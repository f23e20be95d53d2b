import {
  CountersignError,
  type FactGrade,
  lowestGrade,
  type NeededFact,
  type Provenance,
  type RpcRequest,
  readFact,
  type Vouching,
} from '@countersign/safe-core'
import type { Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { HashSources } from './hash-sources.ts'
import { dropPin, pinReader } from './pinned-reader.ts'

/** A fact as it was read: its answer, what that is worth, and at which block. */
export type ReadFact = {
  /** Null: nobody answered. */
  answer: unknown
  grade: FactGrade
  /** Its proofs were wrong, also at a second block. */
  isRefused: boolean
  /** Null of what is asked of other chains, which nobody proves. */
  at: { block: bigint; hash: Hex; vouching: Vouching } | null
}

/** Reads a fact through proofs, at one block with the others that are asked now. */
export async function readProvedFact({
  needed,
  sources,
}: {
  needed: NeededFact
  sources: HashSources
}): Promise<ReadFact> {
  const chainId = chainIdOf(needed)
  if (chainId === null) return readElsewhere(needed)
  const first = await readAt(needed, chainId, sources)
  // The head moves, and a block may be replaced while its state is read: the newest one is tried once more.
  const isDoubtful = first.isRefused || first.at?.vouching.status === 'disagree'
  return isDoubtful ? readAt(needed, chainId, sources, true) : first
}

async function readElsewhere(needed: NeededFact): Promise<ReadFact> {
  const answer = (await readFact(chainRequest, needed)) ?? null
  return { answer, grade: 'one-node', isRefused: false, at: null }
}

async function readAt(needed: NeededFact, chainId: number, sources: HashSources, isAgain = false): Promise<ReadFact> {
  const pin = pinReader(chainId, sources)
  const { reader, requestWith } = await pin
  const grades: FactGrade[] = []
  let isRefused = false
  const proved = requestWith((grade) => grades.push(grade))
  const watched: RpcRequest = async (call) => {
    try {
      return await proved(call)
    } catch (error) {
      isRefused ||= error instanceof CountersignError && error.code === 'PROOF_INVALID'
      throw error
    }
  }
  const elsewhere =
    (other: number): RpcRequest =>
    async (call) => {
      grades.push('one-node')
      return chainRequest(other)(call)
    }
  const answer = await readFact((other) => (other === chainId ? watched : elsewhere(other)), needed).catch((error) => {
    if (isRefused) return null
    throw error
  })
  const { block } = reader
  if ((isRefused || block.vouching.status === 'disagree') && !isAgain) dropPin(chainId, sources, pin)
  return {
    answer: answer ?? null,
    grade: grades.length === 0 ? 'proved' : lowestGrade(grades),
    isRefused,
    at: { block: block.number, hash: block.hash, vouching: block.vouching },
  }
}

/** The chain that a fact is asked of; null where it is asked of several. */
function chainIdOf({ need }: NeededFact): number | null {
  const chainId = typeof need === 'object' && need !== null && 'chainId' in need ? need.chainId : null
  return typeof chainId === 'number' ? chainId : null
}

/** Puts together where the facts of a review come from. */
export function provenanceOf(
  needed: readonly NeededFact[],
  read: readonly (ReadFact | undefined)[],
  sources: HashSources,
): Provenance {
  const known = needed.flatMap(({ id }, index) => {
    const fact = read[index]
    return fact === undefined ? [] : [{ id, ...fact }]
  })
  const places = known.flatMap(({ at }) => (at === null ? [] : [at]))
  const contradicting = places.flatMap(({ vouching, hash: known }) =>
    vouching.sources.filter(({ hash }) => hash !== null && hash.toLowerCase() !== known).map(({ name }) => name),
  )
  return {
    grades: Object.fromEntries(known.map(({ id, grade, answer }) => [id, answer === null ? 'unknown' : grade])),
    refused: known.filter(({ isRefused }) => isRefused).map(({ id }) => id),
    contradicting: [...new Set(contradicting)],
    sources: {
      count: places.length === 0 ? 0 : Math.min(...places.map(({ vouching }) => vouching.count)),
      needed: sources.needed,
    },
  }
}
