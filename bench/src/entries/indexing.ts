import { rmSync } from 'node:fs'
import { makeDataPath } from '@countersign/e2e'
import { measureBlockCost } from '../chain/block-cost.ts'
import { measureBlockToScreen } from '../chain/block-to-screen.ts'
import { logsPerBlock, mixOfLogs, startBusyChain } from '../chain/busy-chain.ts'
import { catchUp, type Run, track, type Used } from '../chain/following.ts'
import { measureMainnetHistory } from '../chain/mainnet-history.ts'
import { startOwnPostgres } from '../chain/own-postgres.ts'
import { installPonder } from '../comparison/ponder.ts'
import type { Entry, Measurement } from '../entry.ts'

const SAFES = 100
/** Events of Safes and tokens. Fewer while something is being tried out: BENCH_EVENTS=2000 */
const amounts = process.env.BENCH_EVENTS ? [Number(process.env.BENCH_EVENTS)] : [20_000, 200_000]
/** Blocks on top, so that none of those with events is one that may still be replaced. */
const CONFIRMED = 200

/** From blocks to rows to the screen. */
export const indexing: Entry = {
  name: 'index',
  about: 'events of Safes and tokens from a local node into the database, beside ponder doing the same work',
  async run() {
    console.log(`  ${SAFES} Safes; ${mixOfLogs}`)
    const ponder = installPonder()
    try {
      const measurements = await measureThroughput(ponder)
      return [
        ...measurements,
        ...(await measureBlockCost()),
        ...(await measureBlockToScreen()),
        ...(await measureMainnetHistory()),
      ]
    } finally {
      ponder?.remove()
    }
  },
}

async function measureThroughput(ponder: ReturnType<typeof installPonder>): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const events of amounts) {
    await using chain = await startBusyChain(SAFES)
    await using postgres = await startOwnPostgres()
    const embedded = { dataPath: makeDataPath() }
    const own = { dataPath: makeDataPath(), databaseUrl: await postgres.create('ours') }
    try {
      await track(chain, embedded)
      await track(chain, own)
      const from = (await chain.mineEmpty(1)) + 1
      const last = await chain.mine(events / logsPerBlock)
      const upTo = await chain.mineEmpty(CONFIRMED)
      console.log(`  ${events} events are on the chain, from block ${from} to ${last}`)
      const ours = [await catchUp(chain, embedded, { from, upTo }), await catchUp(chain, own, { from, upTo })] as const
      const theirs = await ponder?.index({ chain, databaseUrl: await postgres.create('ponder'), from, upTo: last })
      measurements.push(...lines(events, ours, theirs))
    } finally {
      for (const { dataPath } of [embedded, own]) rmSync(dataPath, { recursive: true, force: true })
    }
  }
  return measurements
}

function lines(events: number, [embedded, own]: readonly [Run, Run], theirs: Run | undefined): Measurement[] {
  const name = `${events.toLocaleString('en-US')} events`
  if (theirs && theirs.rows !== own.rows) throw new Error(`ponder wrote ${theirs.rows} rows, the product ${own.rows}`)
  const rate = ({ seconds }: Run) => events / seconds
  const rateOf = (part: keyof Used) => (run: Run) => events / (run.used[part] ?? Number.NaN)
  const megabytes = ({ peak }: Run) => (peak ?? Number.NaN) / 1_000_000
  const line = (what: string, unit: string, run: Run, of: (run: Run) => number, hasGoal = false): Measurement => ({
    what: `${name}: ${what}`,
    value: of(run),
    unit,
    ...(theirs ? { peer: { what: 'ponder', value: of(theirs) } } : {}),
    ...(theirs && hasGoal ? { goal: { value: of(theirs), isAtMost: false } } : {}),
  })
  return [
    line('into the embedded database, by the clock', '/s', embedded, rate, true),
    line('into a PostgreSQL of its own, by the clock', '/s', own, rate, true),
    line("into that, for each second of the indexer's core", '/s', own, rateOf('indexer'), true),
    line("into that, for each second of PostgreSQL's cores", '/s', own, rateOf('postgres')),
    line("into that, for each second of the node's cores", '/s', own, rateOf('node')),
    line('into that, rows', '', own, ({ rows }) => rows),
    line('into that, most memory of the indexer', 'MB', own, megabytes),
  ]
}
