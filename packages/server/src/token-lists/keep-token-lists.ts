import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedToken, TokenListStatus } from '@countersign/contract'
import type { TokenQuestion } from '@countersign/review'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { ChainSettings } from '../config/chains.ts'
import type { Database } from '../db/client.ts'
import { tokenList } from '../db/schema.ts'
import { toLogEntry } from '../to-log-entry.ts'
import { fetchList } from './fetch-list.ts'
import { openTokenList, type ParsedList, readEntries } from './parse-token-list.ts'
import { readReleaseList } from './release-list.ts'
import { describeSource, idOfUrl, type TokenListSettings } from './settings.ts'
import { buildTokenIndex, findInIndex, type TokenIndex } from './token-index.ts'

const LOOK_MS = 15_000
/** A stop waits no longer for a host of a list. */
const STOP_MS = 1_000
/** Until a host is asked again that did not give a list. */
const RETRY_MS = 10 * 60_000

/** The word of this installation's token lists. It changes while the server runs. */
export type TokenLists = {
  /** A name for what the lists of a chain say now; null where no list says anything of it. */
  revisionOf: (chainId: number) => string | null
  find: (chainId: number, question: TokenQuestion) => ListedToken[]
  /** The token at an address; undefined where neither the configuration nor a list has it. */
  at: (chainId: number, address: Address) => ListedToken | undefined
  /** Tokens of a chain that lists have, and those of the configuration before them. */
  all: (chainId: number) => readonly ListedToken[]
  describe: () => TokenListStatus[]
  urls: readonly URL[]
}

type Row = typeof tokenList.$inferSelect
type Held = {
  settings: TokenListSettings
  list: ParsedList | null
  row: Omit<Row, 'content'> | null
  /** Whether this process asked its host: after a start, what failed is asked for at once. */
  isAsked: boolean
}

type Parts = {
  db: Database
  chains: readonly ChainSettings[]
  lists: readonly TokenListSettings[]
  hasReleaseList: boolean
  clock: () => Date
  log: Logger
}

/**
 * Keeps the token lists: those of the release and of files are read once, at the start; those of URLs are asked for when they
 * are due, by one process of several, and kept in the database. What cannot be used leaves what was there before in use.
 */
export async function keepTokenLists(
  parts: Parts,
  milliseconds = LOOK_MS,
): Promise<TokenLists & { stop: () => Promise<void> }> {
  const { db, chains, lists, hasReleaseList, clock, log } = parts
  const chainIds = new Set(chains.map(({ chainId }) => chainId))
  const released = hasReleaseList ? await readEntries(readReleaseList(), chainIds) : null
  const held = await Promise.all(
    lists.map(async (settings): Promise<Held> => {
      const list = settings.kind === 'file' ? await readEntries(settings.list, chainIds) : null
      return { settings, list, row: null, isAsked: false }
    }),
  )
  const readAt = clock()
  let statuses: TokenListStatus[] = []
  let index: TokenIndex = new Map()
  let revision = ''

  async function rebuild(): Promise<void> {
    const used = [
      ...(released ? [{ about: ofRelease, list: released, isTrusted: true }] : []),
      ...held.map(({ settings, list, row }) => ({
        about: () => ofSettings(settings, list, row, readAt),
        list,
        isTrusted: false,
      })),
    ]
    const built = await buildTokenIndex(
      chains.map(indexedChain),
      used.map(({ about, list, isTrusted }) => ({ name: about(list).name, isTrusted, tokens: list?.tokens ?? [] })),
    )
    index = built.index
    // By what is said, and not by when: processes that share a database say the same.
    revision = createHash('sha256')
      .update(JSON.stringify(used.map(({ list }) => [list?.name, list?.tokens])))
      .digest('hex')
      .slice(0, 16)
    statuses = used.map(({ about, list }, at) => ({
      ...about(list),
      chains: [...(built.kept[at] ?? [])].map(([chainId, tokens]) => ({ chainId, tokens })),
      otherChains: list?.otherChains ?? 0,
      refused: [...(list?.refused ?? []), ...(built.refused[at] ?? [])],
    }))
  }

  /** Takes from the database what is newer there than here. True where something is. */
  async function take(of: Held, id: `0x${string}`): Promise<boolean> {
    const row = await readRow(db, id)
    const isNew = row?.fetchedAt?.getTime() !== of.row?.fetchedAt?.getTime()
    const isOther = JSON.stringify(row) !== JSON.stringify(of.row)
    if (row && isNew) {
      const [kept] = await db.select({ content: tokenList.content }).from(tokenList).where(eq(tokenList.id, id))
      const opened = openTokenList(kept?.content ?? '')
      if (!('fault' in opened)) of.list = await readEntries(opened, chainIds)
    }
    of.row = row
    return isOther
  }

  async function look({ isAsking }: { isAsking: boolean }): Promise<void> {
    let isOther = false
    for (const of of held) {
      if (of.settings.kind !== 'url') continue
      const id = idOfUrl(of.settings.url)
      if (isAsking && isDue(of, clock())) {
        of.isAsked = true
        await ask(parts, of.settings.url, id, of.row)
      }
      if (await take(of, id)) isOther = true
    }
    if (isOther) await rebuild()
  }

  await look({ isAsking: false }).catch(() => {})
  await rebuild()
  let looking = Promise.resolve()
  const lookAgain = () => {
    looking = looking
      .then(() => look({ isAsking: true }))
      .catch((error) => log.warn({ err: toLogEntry(error) }, 'token lists could not be looked at'))
  }
  lookAgain()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    lookAgain()
    void looking.finally(() => {
      isBusy = false
    })
  }, milliseconds)
  const hasLists = (chainId: number) => statuses.some((status) => status.chains.some((one) => one.chainId === chainId))
  return {
    revisionOf: (chainId) => (hasLists(chainId) ? revision : null),
    find: (chainId, question) => findInIndex(index, chainId, question),
    at: (chainId, address) => index.get(chainId)?.byAddress.get(address),
    all: (chainId) => [...(index.get(chainId)?.byAddress.values() ?? [])],
    describe: () => statuses,
    urls: lists.flatMap((settings) => (settings.kind === 'url' ? [settings.url] : [])),
    async stop() {
      clearInterval(timer)
      // A host that is silent is asked again after the next start.
      await Promise.race([looking, sleep(STOP_MS)])
    },
  }
}

const ofRelease = (list: ParsedList | null): Omit<TokenListStatus, 'chains' | 'otherChains' | 'refused'> => ({
  name: list?.name ?? '',
  kind: 'release',
  source: null,
  fetchedAt: null,
  confirmedAt: null,
  everyHours: null,
  madeAt: list?.madeAt?.toISOString() ?? null,
  version: list?.version ?? null,
  fault: null,
})

function ofSettings(
  settings: TokenListSettings,
  list: ParsedList | null,
  row: Held['row'],
  readAt: Date,
): ReturnType<typeof ofRelease> {
  const isUrl = settings.kind === 'url'
  const { fault = null, faultDetail = null, triedAt = null } = row ?? {}
  return {
    name: list?.name ?? (isUrl ? settings.url.host : settings.list.name),
    kind: settings.kind,
    source: describeSource(settings),
    madeAt: list?.madeAt?.toISOString() ?? null,
    version: list?.version ?? null,
    fetchedAt: (isUrl ? row?.fetchedAt : readAt)?.toISOString() ?? null,
    confirmedAt: (isUrl ? row?.confirmedAt : readAt)?.toISOString() ?? null,
    everyHours: isUrl ? settings.everyHours : null,
    fault: fault && triedAt && { reason: fault, detail: faultDetail, at: triedAt.toISOString() },
  }
}

function indexedChain({ chainId, nativeCurrency, tokens = [] }: ChainSettings) {
  const own = tokens.map((token) => ({ ...token, name: token.name ?? token.symbol }))
  return { chainId, coin: nativeCurrency?.symbol ?? 'ETH', own }
}

function isDue({ settings, row, isAsked }: Held, now: Date): boolean {
  if (settings.kind !== 'url') return false
  if (!row || (row.fault !== null && !isAsked)) return true
  const wait =
    row.fault === null ? settings.everyHours * 3_600_000 : Math.min(RETRY_MS, settings.everyHours * 3_600_000)
  return now.getTime() - row.triedAt.getTime() >= wait
}

/** Asks the host of a list, unless another process does. */
async function ask(
  { db, clock, log }: Pick<Parts, 'db' | 'clock' | 'log'>,
  url: URL,
  id: `0x${string}`,
  known: Held['row'],
): Promise<void> {
  const now = clock()
  if (!(await claim(db, id, known, now))) return
  const answer = await fetchList(url, known?.fetchedAt ? known.etag : null)
  const at = clock()
  if (answer.kind === 'fault') {
    log.warn({ host: url.host, fault: answer.fault, detail: answer.detail }, 'a token list could not be fetched')
    await db.update(tokenList).set({ fault: answer.fault, faultDetail: answer.detail }).where(eq(tokenList.id, id))
    return
  }
  const isSame = answer.kind === 'same'
  await db
    .update(tokenList)
    .set({
      ...(isSame ? {} : { content: answer.text, etag: answer.etag, fetchedAt: at }),
      confirmedAt: at,
      fault: null,
      faultDetail: null,
    })
    .where(eq(tokenList.id, id))
}

/** Whether this process is the one that asks now: of several that see the same last try, one writes the next. */
async function claim(db: Database, id: `0x${string}`, known: Held['row'], now: Date): Promise<boolean> {
  if (known === null) {
    const rows = await db
      .insert(tokenList)
      .values({ id, triedAt: now })
      .onConflictDoNothing()
      .returning({ id: tokenList.id })
    return rows.length > 0
  }
  const rows = await db
    .update(tokenList)
    .set({ triedAt: now })
    .where(and(eq(tokenList.id, id), eq(tokenList.triedAt, known.triedAt)))
    .returning({ id: tokenList.id })
  return rows.length > 0
}

async function readRow(db: Database, id: `0x${string}`): Promise<Held['row']> {
  const { content: _, ...columns } = getTableColumns(tokenList)
  const [row] = await db.select(columns).from(tokenList).where(eq(tokenList.id, id))
  return row ?? null
}
