import { CountersignError, fail, isRevert, type RpcRequest } from '@countersign/safe'
import { type Address, type Hex, isAddress, zeroAddress } from 'viem'
import { createProvedReader, type ProvedReader } from '../proof/proved-reader.ts'
import { createProvedRequest, type OnGrade } from '../proof/proved-request.ts'
import { gradeOf, type VouchedBlock, type Vouching } from '../proof/vouched-block.ts'
import type { Provenance } from '../provenance.ts'
import { type FactGrade, lowestGrade } from '../simulation/fact-grade.ts'
import type { RunCall } from '../simulation/simulation-run.ts'
import type { NamedSources } from '../types.ts'
import { type Facts, type NeededFact, readFact, toFacts } from './collect.ts'
import type { ChainReader } from './fact.ts'

/** A fact as it was read: its answer, the worth of that, and the block. */
export type ReadFact = {
  /** Null: nobody answered. */
  answer: unknown
  grade: FactGrade
  /** Its proofs were wrong. */
  isRefused: boolean
  /** A node did not answer something that it needs: it may do so later. */
  isIncomplete: boolean
  /** Null of what is asked of other chains, which nobody proves. */
  at: { block: bigint; hash: Hex; vouching: Vouching } | null
}

/**
 * Reads facts at one block, through proofs where there are any. `request` asks at that block, and takes no answer that is worth
 * less than the block's hash.
 */
export type FactReader = { reader: ProvedReader; read: (needed: NeededFact) => Promise<ReadFact>; request: RpcRequest }

/**
 * Opens a reader of facts at a block. What is asked of its chain goes through proofs; other chains are asked as they are.
 *
 * @param runCall answers `eth_call` over what is proved; without it one node says the answer
 * @throws CountersignError by `request`: `PROOF_INVALID` for an answer that is wrong, or worth less than the block's hash
 * @example
 * const facts = createFactReader((chainId) => requestOf(chainId), await readVouchedBlock({ … }))
 * const read = await Promise.all(neededFacts(given).map(facts.read))
 */
export function createFactReader(chain: ChainReader, block: VouchedBlock, runCall?: RunCall): FactReader {
  const plain = chain(block.chainId)
  const reader = createProvedReader(plain, block)
  const requestWith = createProvedRequest(reader, { plain, runCall })
  const request: RpcRequest = async (asked) => {
    const grades: FactGrade[] = []
    const answer = await requestWith((grade) => grades.push(grade))(asked)
    const worth = lowestGrade([gradeOf(block), ...grades])
    if (worth !== gradeOf(block)) throw fail('PROOF_INVALID', { reason: 'run', address: calledBy(asked) })
    return answer
  }
  return { reader, read: (needed) => readAt(chain, { block, requestWith }, needed), request }
}

function calledBy({ params: [call] = [] }: { params?: unknown[] }): Address {
  const to = typeof call === 'object' && call !== null && 'to' in call ? call.to : null
  return typeof to === 'string' && isAddress(to) ? to : zeroAddress
}

async function readAt(
  chain: ChainReader,
  { block, requestWith }: { block: VouchedBlock; requestWith: (onGrade: OnGrade) => RpcRequest },
  needed: NeededFact,
): Promise<ReadFact> {
  const grades: FactGrade[] = []
  let isRefused = false
  let isIncomplete = false
  const noteFailure = (error: unknown) => {
    isIncomplete ||= !isRevert(error)
    return error
  }
  const proved = requestWith((grade) => grades.push(grade))
  const here: RpcRequest = async (call) => {
    try {
      return await proved(call)
    } catch (error) {
      isRefused ||= error instanceof CountersignError && error.code === 'PROOF_INVALID'
      throw noteFailure(error)
    }
  }
  const elsewhere =
    (chainId: number): RpcRequest =>
    async (call) => {
      grades.push('one-node')
      return chain(chainId)(call).catch((error) => {
        throw noteFailure(error)
      })
    }
  const answer = await readFact((chainId) => (chainId === block.chainId ? here : elsewhere(chainId)), needed).catch(
    (error) => {
      if (isRefused) return null
      throw error
    },
  )
  return {
    answer: answer ?? null,
    grade: grades.length === 0 ? 'proved' : lowestGrade(grades),
    isRefused,
    isIncomplete,
    at: { block: block.number, hash: block.hash, vouching: block.vouching },
  }
}

/**
 * Puts the facts that were read under their names. One whose proofs were wrong is absent: nobody gave an answer.
 *
 * @param read in the order of `needed`; undefined where nobody answered
 * @example
 * const input = { ...given, ...factsOf(needed, read), provenance: provenanceOf(needed, read, 2) }
 */
export function factsOf(needed: readonly NeededFact[], read: readonly (ReadFact | undefined)[]): Facts {
  return toFacts(
    needed,
    read.map((fact) => (fact === undefined || fact.isRefused ? undefined : fact.answer)),
  )
}

/**
 * Whether all facts were read at one block of the chain: together they say how the Safe stands, and not what it was at two
 * moments.
 *
 * @param read undefined where nobody answered
 * @example
 * if (!isOfOneBlock(read)) readAllAgain()
 */
export function isOfOneBlock(read: readonly (ReadFact | undefined)[]): boolean {
  return new Set(read.flatMap((fact) => (fact?.at ? [fact.at.hash.toLowerCase()] : []))).size <= 1
}

/**
 * Puts together where the facts of a review come from.
 *
 * @param read in the order of `needed`; undefined where nobody answered
 * @param sources how many sources the configuration asks for
 * @example
 * const input = { ...given, ...factsOf(needed, read), provenance: provenanceOf(needed, read, 2) }
 */
export function provenanceOf(
  needed: readonly NeededFact[],
  read: readonly (ReadFact | undefined)[],
  sources: number,
): Provenance {
  const known = needed.flatMap(({ id }, index) => {
    const fact = read[index]
    return fact === undefined ? [] : [{ id, ...fact }]
  })
  const places = known.flatMap(({ at }) => (at === null ? [] : [at]))
  const said = new Map<string, NamedSources['said'][number]>()
  for (const { vouching, hash: ofBlock } of places)
    for (const { name, hash } of vouching.sources) {
      const says = hash === null ? 'nothing' : hash.toLowerCase() === ofBlock ? 'same' : 'other'
      if (said.get(name)?.says !== 'other') said.set(name, { name, says })
    }
  return {
    grades: Object.fromEntries(known.map(({ id, grade, answer }) => [id, answer === null ? 'unknown' : grade])),
    refused: known.filter(({ isRefused }) => isRefused).map(({ id }) => id),
    contradicting: [...said.values()].filter(({ says }) => says === 'other').map(({ name }) => name),
    ahead: [...new Set(places.flatMap(({ vouching }) => vouching.ahead))],
    sources: {
      count: places.length === 0 ? 0 : Math.min(...places.map(({ vouching }) => vouching.count)),
      needed: sources,
      said: [...said.values()],
      blocks: [...new Map(places.map(({ block, hash }) => [hash, { number: block, hash }])).values()].toSorted(
        (one, other) => Number(one.number - other.number),
      ),
    },
  }
}
