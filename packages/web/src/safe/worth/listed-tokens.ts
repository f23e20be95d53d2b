import {
  type Chain,
  findListedTokens,
  type ListedToken,
  listMovedListed,
  MAX_TOKEN_NAME_ASKED,
  MAX_TOKENS_ASKED,
} from '@countersign/contract'
import { questionKeys, skeletonOf, type TokenQuestion, tokenKeys } from '@countersign/review'
import { queryOptions } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { type Address, isAddress } from 'viem'
import { api } from '../../api/client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { joinTokens } from './join-tokens.ts'

/** A chain, and what the lists that this server uses say of it: `listRevision` null is nothing. */
export type ListedChain = Pick<Chain, 'chainId' | 'listRevision'>

/** Tokens that this page has learned from the lists of a chain. Lists may have thousands of tokens: the page asks for those it shows. */
type Pool = {
  revision: string
  asked: Map<string, Promise<void>>
  tokens: Map<string, ListedToken>
  /** One array until another token is learned. */
  known: readonly ListedToken[]
}

const pools = new Map<number, Pool>()
const listeners = new Set<() => void>()
const nothing: readonly ListedToken[] = []

function poolOf(chainId: number, revision: string): Pool {
  const pool = pools.get(chainId)
  if (pool?.revision === revision) return pool
  const empty: Pool = { revision, asked: new Map(), tokens: new Map(), known: nothing }
  pools.set(chainId, empty)
  // Tokens on screen are asked about anew: the lists say something else now.
  for (const key of pool?.asked.keys() ?? []) {
    const [kind, value = ''] = key.split(' ')
    if (kind === 'addresses') askFor(empty, chainId, kind, value).catch(() => {})
  }
  return empty
}

/**
 * Finds the tokens of lists that a question is about. What was asked before is not asked again until the lists change; what is
 * asked in one tick travels together.
 *
 * @throws CountersignError
 */
export async function findTokens(
  { chainId, listRevision }: ListedChain,
  question: TokenQuestion,
): Promise<ListedToken[]> {
  if (listRevision === null) return []
  const pool = poolOf(chainId, listRevision)
  const asked = [...question.addresses.map((address) => askFor(pool, chainId, 'addresses', address.toLowerCase()))]
  for (const name of question.names) {
    // Names that are claimed may be of any length, also once they are spelled out; those of tokens are not.
    const spelled = name.length > MAX_TOKEN_NAME_ASKED ? '' : skeletonOf(name)
    if (spelled !== '' && spelled.length <= MAX_TOKEN_NAME_ASKED) asked.push(askFor(pool, chainId, 'names', spelled))
  }
  await Promise.all(asked)
  const keys = new Set(questionKeys(question))
  return [...pool.tokens.values()].filter((token) => tokenKeys(token).some((key) => keys.has(key)))
}

type Kind = keyof TokenQuestion
type Batch = Record<Kind, string[]> & { answer: Promise<void> }
const waiting = new Map<Pool, Batch>()

function askFor(pool: Pool, chainId: number, kind: Kind, value: string): Promise<void> {
  const key = `${kind} ${value}`
  const known = pool.asked.get(key)
  if (known) return known
  const batch = batchOf(pool, chainId, kind)
  batch[kind].push(value)
  pool.asked.set(key, batch.answer)
  // A question without an answer is asked again by whoever asks next.
  batch.answer.catch(() => pool.asked.delete(key))
  return batch.answer
}

function batchOf(pool: Pool, chainId: number, kind: Kind): Batch {
  const open = waiting.get(pool)
  if (open && open[kind].length < MAX_TOKENS_ASKED) return open
  const batch: Batch = { addresses: [], names: [], answer: Promise.resolve() }
  batch.answer = new Promise((resolve) => setTimeout(resolve, 0)).then(() => {
    if (waiting.get(pool) === batch) waiting.delete(pool)
    return sendBatch(pool, chainId, batch)
  })
  waiting.set(pool, batch)
  return batch
}

async function sendBatch(pool: Pool, chainId: number, { addresses, names }: Batch): Promise<void> {
  const named = addresses.filter((address): address is Address => isAddress(address))
  const { tokens } = await api(findListedTokens, { chainId, addresses: named, names })
  learn(pool, tokens)
}

function learn(pool: Pool, tokens: readonly ListedToken[]): void {
  const fresh = tokens.filter(({ address }) => !pool.tokens.has(address))
  if (fresh.length === 0) return
  for (const token of fresh) pool.tokens.set(token.address, token)
  pool.known = [...pool.tokens.values()]
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The listed tokens that a question is about. */
export function foundTokensQuery(chain: ListedChain, question: TokenQuestion) {
  const { chainId, listRevision } = chain
  return queryOptions({
    queryKey: queryKeys.foundTokens(chainId, listRevision, question),
    queryFn: () => findTokens({ chainId, listRevision }, question),
    enabled: isAsked(chain, question),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether anything has to be asked: where no list says anything, or of nothing, the answer is nothing. */
export function isAsked({ listRevision }: ListedChain, { addresses, names }: TokenQuestion): boolean {
  return listRevision !== null && addresses.length + names.length > 0
}

/** Tokens of lists that the Safe ever moved: which those are, the server knows; what is there of them, the chain says. */
export function movedListedTokensQuery(chain: ListedChain, safeAddress: Address) {
  const { chainId, listRevision } = chain
  return queryOptions({
    queryKey: [...queryKeys.safeState(chainId, safeAddress), 'moved-listed', listRevision],
    queryFn: async ({ signal }) => {
      const { tokens } = await api(listMovedListed, { chainId, safeAddress }, signal)
      if (listRevision !== null) learn(poolOf(chainId, listRevision), tokens)
      return tokens
    },
    enabled: listRevision !== null,
  })
}

/** A token that is shown by name. `lists`: those that say so; left out where the configuration does. */
export type NamedToken = Chain['tokens'][number] & { lists?: readonly string[] }

/** The chain with its tokens: those of the configuration, and those of lists that this page has asked for. */
export function useListedChain(chainId: number): (Chain & { tokens: NamedToken[] }) | undefined {
  const chain = useChain(chainId)
  const revision = chain?.listRevision ?? null
  const known = useSyncExternalStore(subscribe, () =>
    revision === null ? nothing : (pools.get(chainId)?.known ?? nothing),
  )
  return useMemo(() => chain && { ...chain, tokens: joinTokens(chain.tokens, known) }, [chain, known])
}
