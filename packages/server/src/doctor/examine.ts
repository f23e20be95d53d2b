import { CountersignError } from '@countersign/safe'
import { type Environment, parseEnvironment } from '../config/environment.ts'
import { counted, type Finding, fault, good, notice } from './finding.ts'
import { lookAtBackups } from './look-at-backups.ts'
import { lookAtDatabase } from './look-at-database.ts'
import { lookAtClock, lookAtDisk } from './look-at-machine.ts'
import { lookAtChain } from './look-at-nodes.ts'
import { lookAtPrices } from './look-at-prices.ts'
import { lookAtServices } from './look-at-services.ts'
import { lookAtTokenLists } from './look-at-token-lists.ts'
import { listOutboundHosts } from './outbound-hosts.ts'

type Options = {
  env: Record<string, string | undefined>
  dataDirectory: string
  /** `none`: the first start makes it. `stopped`: its files are there, and it runs with the product. */
  database: { url: string } | 'none' | 'stopped'
  now: Date
}

/** Stands in for a database that the first start makes, where the configuration is read without one. */
const NO_DATABASE = 'postgres://none'

/** Looks at all that the server stands on: configuration, disk, database, nodes, clock, hosts. Changes nothing. */
export async function examine({ env, dataDirectory, database: place, now }: Options): Promise<Finding[]> {
  const environment = readConfiguration({ ...env, DATABASE_URL: typeof place === 'string' ? NO_DATABASE : place.url })
  const findings = [...environment.findings, lookAtDisk(dataDirectory)]
  const migrations = environment.read?.migrationsDirectory ?? null
  const database =
    typeof place === 'string'
      ? { findings: [ofAbsent(place)], unread: [] }
      : await lookAtDatabase(place.url, migrations)
  findings.push(...database.findings)
  if (!environment.read) return findings
  if (environment.read.chains.length > 0) findings.push(lookAtBackups(environment.read.backups, now))
  const chains = await Promise.all(
    environment.read.chains.map((settings) => lookAtChain(settings, database.unread, now)),
  )
  for (const chain of chains) findings.push(...chain.findings)
  if (chains.length > 0)
    findings.push(
      lookAtClock(
        now,
        chains.flatMap(({ blockTimes }) => blockTimes),
      ),
    )
  const chainIds = new Set(environment.read.chains.map(({ chainId }) => chainId))
  findings.push(...(await lookAtServices(environment.read.chains, now)))
  findings.push(...(await lookAtTokenLists(environment.read.tokenLists, chainIds)))
  findings.push(...(await lookAtPrices(environment.read, now)))
  return [...findings, ...listOutboundHosts(environment.read)]
}

function ofAbsent(place: 'none' | 'stopped'): Finding {
  return place === 'none'
    ? good('Database', 'none yet; the first start makes it')
    : notice('Database', 'not looked at: it runs with the product', 'Start the product, then look again.')
}

function readConfiguration(env: Options['env']): { read: Environment | null; findings: Finding[] } {
  try {
    const read = parseEnvironment(env)
    const count = read.chains.length
    if (count === 0)
      return {
        read,
        findings: [
          notice(
            'Configuration',
            'names no chain; the start makes a local one with a demo',
            'Name your chains and nodes in countersign.config.json.',
          ),
        ],
      }
    return { read, findings: [good('Configuration', `read; ${counted(count, 'chain')}`)] }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const remedy = 'Correct what is named here, then look again: without it the server does not start.'
    return { read: null, findings: [fault('Configuration', error.message, remedy)] }
  }
}
