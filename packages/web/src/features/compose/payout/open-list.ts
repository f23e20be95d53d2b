import { isSameAddress } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { tokenQuery } from '../token.ts'
import type { ListAsset } from './payment-list.ts'
import type { FromListWorker, ListAnswer, ListQuestion, ListSummary, ToListWorker } from './payout-messages.ts'
import type { KeptPayout } from './saved-payout.ts'

/** A list in its Worker. */
export type OpenList = {
  ask: <Kind extends ListQuestion['kind']>(question: Extract<ListQuestion, { kind: Kind }>) => Promise<ListAnswer[Kind]>
  close: () => void
}

/** Starts a Worker for one list. */
export function openList(): OpenList {
  const worker = new Worker(new URL('./payout-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  let lastId = 0
  worker.onmessage = ({ data }: MessageEvent<FromListWorker>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('answer' in data) asked?.resolve(data.answer as never)
    else asked?.reject(new Error(data.failed))
  }
  worker.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message || 'The Worker failed.'))
    waiting.clear()
  }
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        const message: ToListWorker = { id: lastId, question }
        worker.postMessage(message)
      }),
    close: () => worker.terminate(),
  }
}

type Reading = { chainId: number; safeAddress: Address; listed: readonly ListAsset[]; known: readonly Address[] }

/**
 * Reads a file into an opened list: what it holds, and the assets that its amounts were read with.
 *
 * @throws CountersignError when a token that it names cannot be read
 */
export async function readList(
  { ask }: OpenList,
  file: Blob,
  { chainId, safeAddress, listed, known }: Reading,
  queryClient: QueryClient,
): Promise<{ summary: ListSummary; assets: ListAsset[] }> {
  const { tokens } = await ask({ kind: 'open', file })
  const isListed = (token: Address) => listed.some(({ address }) => address !== null && isSameAddress(address, token))
  const others = await Promise.all(
    tokens
      .filter((token) => !isListed(token))
      .map((token) => queryClient.fetchQuery(tokenQuery(chainId, safeAddress, token))),
  )
  const read = others.flatMap((facts): ListAsset[] =>
    facts ? [{ address: facts.address, symbol: facts.symbol, decimals: facts.decimals, isListed: false }] : [],
  )
  const assets = [...listed, ...read]
  return { summary: await ask({ kind: 'read', safeAddress, assets, known }), assets }
}

let opened: { id: number; list: Promise<OpenList> } | null = null

/** Opens the list of a payout: its bytes are read as they were read at first, with the same assets. One is open at a time. */
export function openKeptList({ id, file, assets }: KeptPayout, safeAddress: Address): Promise<OpenList> {
  if (opened?.id === id) return opened.list
  void opened?.list.then(({ close }) => close())
  const open = async () => {
    const list = openList()
    await list.ask({ kind: 'open', file })
    await list.ask({ kind: 'read', safeAddress, assets, known: [] })
    return list
  }
  opened = { id, list: open() }
  return opened.list
}
