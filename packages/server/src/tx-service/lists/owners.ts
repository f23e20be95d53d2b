import { CountersignError } from '@countersign/safe'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { safe } from '../../db/schema.ts'
import { toInteger } from '../wire/answers.ts'
import { pathAddress } from '../wire/fields.ts'
import { MAX_COUNTED, parseWindow, toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { addressOrZero } from '../wire/values.ts'
import { isVisible } from '../wire/visibility.ts'

const MAX_IN_V1 = 200
/** Each is read from the chain, so a page holds fewer than of other lists. */
const statesPerPage = { usual: 20, most: 50 }

/** The Safes of an owner, and those that a module may act for. */
export function ownerRoutes({ read, ask }: TxService): void {
  for (const [path, which] of [
    ['owners/{owner}/safes', (call: Call) => isOwnedBy(pathAddress(call, 'owner'))],
    ['modules/{module}/safes', (call: Call) => hasModule(call.chainId, pathAddress(call, 'module'))],
  ] as const) {
    read('GET', `/v1/${path}`, async (call) => {
      const { rows } = await findSafes(call, which(call), { limit: MAX_IN_V1 - 1, offset: 0 })
      return { safes: rows.map(({ address }) => address) }
    })
    ask('GET', `/v2/${path}`, async (call) => {
      const window = parseWindow(call, statesPerPage)
      const { rows, count } = await findSafes(call, which(call), window)
      const states = await Promise.all(rows.slice(0, window.limit).map(({ address }) => readState(call, address)))
      const page = toPage(call, window, { rows: rows.map((_, at) => states[at] ?? null), count }, (state) => state)
      return { ...page, results: page.results.filter((state) => state !== null) }
    })
  }
}

/** Null for what is a Safe no more. */
async function readState({ chain }: Call, address: Address) {
  try {
    const state = await chain.readSafe(address)
    return {
      address: state.address,
      owners: state.owners,
      threshold: state.threshold,
      nonce: toInteger(state.nonce),
      masterCopy: state.singleton,
      fallbackHandler: addressOrZero(state.fallbackHandler),
      guard: state.guard,
      moduleGuard: state.moduleGuard,
      enabledModules: state.modules,
    }
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'NOT_A_SAFE') return null
    throw error
  }
}

function isOwnedBy(owner: Address): SQL {
  return sql`${safe.owners} @> array[${sql.param(owner, safe.address)}::bytea]`
}

/** Whether the last that the chain told of this module and this Safe is that it was enabled. */
function hasModule(chainId: number, module: Address): SQL {
  const account = sql.param(module, safe.address)
  return sql`${safe.address} in (
    select safe_address from (
      select distinct on (safe_address) safe_address, kind from history_entry
      where chain_id = ${chainId} and subject = ${account} and kind in ('module-enabled', 'module-disabled')
      order by safe_address, block_number desc, log_index desc, part desc
    ) last where kind = 'module-enabled')`
}

async function findSafes(
  call: Call,
  which: SQL,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: { address: Address }[]; count: number }> {
  const { db } = call.deps
  const where = and(eq(safe.chainId, call.chainId), isVisible(call), which)
  const matching = db.select({ one: sql`1` }).from(safe).where(where).limit(MAX_COUNTED)
  const rows = await db
    .select({ address: safe.address, count: sql<number>`(select count(*)::int from (${matching}) matching)` })
    .from(safe)
    .where(where)
    .orderBy(asc(safe.addedAt), asc(safe.address))
    .limit(limit + 1)
    .offset(offset)
  const [first] = rows
  if (first || offset === 0) return { rows, count: first?.count ?? 0 }
  const { count } = await findSafes(call, which, { limit: 1, offset: 0 })
  return { rows, count }
}
