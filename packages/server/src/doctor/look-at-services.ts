import { CountersignError, parseJson } from '@countersign/safe'
import { z } from 'zod'
import type { ChainSettings } from '../config/chains.ts'
import { askOtherService, otherServiceOf } from '../features/transactions/other-service.ts'
import { durationOf, type Finding, fault, good, notice } from './finding.ts'

/** A service that is behind by more does not know the newest nonces and owners. */
const LATE_SECONDS = 600
const PATH = 'Correct `url` in `bringFrom`: its path ends before `/v1`, and redirects are not followed.'

const about = z.object({ name: z.string(), version: z.string() })
const node = z
  .union([
    z.object({ chain_id: z.number() }).transform(({ chain_id: chainId }) => chainId),
    z.object({ chainId: z.number() }).transform(({ chainId }) => chainId),
  ])
  .nullable()
  .catch(null)
const indexing = z
  .object({ masterCopiesBlockTimestamp: z.iso.datetime({ offset: true }) })
  .nullable()
  .catch(null)

/** Looks at each Transaction Service that the configuration names: whether it answers, for this chain, and how far it is. */
export async function lookAtServices(chains: readonly ChainSettings[], now: Date): Promise<Finding[]> {
  const named = chains.filter(({ bringFrom }) => bringFrom)
  return Promise.all(named.map((settings) => lookAtService(settings, now)))
}

async function lookAtService(settings: ChainSettings, now: Date): Promise<Finding> {
  const service = otherServiceOf(settings)
  const name = `Transaction Service of ${settings.name}, ${service.host}`
  const ask = async (path: string) => {
    const answer = await askOtherService(service, path, null)
    return { status: answer.status, read: answer.status === 200 ? parseJson(answer.text) : undefined }
  }
  try {
    const first = await ask('/v1/about/')
    if (first.status !== 200) return ofStatus(name, first.status, service.apiKey !== undefined)
    const told = about.safeParse(first.read)
    if (!told.success) return fault(name, 'answers with something else than a Transaction Service does', PATH)
    const [itsNode, itsIndex] = await Promise.all([ask('/v1/about/ethereum-rpc/'), ask('/v1/about/indexing/')])
    const chainId = node.parse(itsNode.read ?? null)
    const version = told.data.version.slice(0, 40)
    if (chainId !== null && chainId !== settings.chainId)
      return fault(name, `is of chain ${chainId}`, `Name the service of chain ${settings.chainId} in \`bringFrom\`.`)
    if (chainId === null)
      return notice(
        name,
        `answers, version ${version}; it does not say for which chain`,
        `Make sure that it is of chain ${settings.chainId}: of another chain nothing could be brought.`,
      )
    return ofAge(name, version, indexing.parse(itsIndex.read ?? null)?.masterCopiesBlockTimestamp ?? null, now)
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return fault(
      name,
      'does not answer',
      'Correct `url` in `bringFrom`, or look whether its host is reached from here.',
    )
  }
}

function ofAge(name: string, version: string, readTo: string | null, now: Date): Finding {
  const says = `answers for this chain, version ${version}`
  const remedy = 'Wait until it has caught up: what was executed since may still be told as waiting there.'
  if (readTo === null) return notice(name, `${says}; it does not say how far it has read`, remedy)
  const seconds = (now.getTime() - Date.parse(readTo)) / 1000
  const age = `${says}; its newest block is ${durationOf(Math.max(0, seconds))} old`
  return seconds > LATE_SECONDS ? notice(name, age, remedy) : good(name, age)
}

function ofStatus(name: string, status: number, hasKey: boolean): Finding {
  if (status === 401 || status === 403)
    return fault(
      name,
      hasKey ? `lets nobody in with this key (HTTP ${status})` : `wants a key (HTTP ${status})`,
      hasKey
        ? 'Correct `apiKey` in `bringFrom`.'
        : 'Name the key that its operator gave you as `apiKey` in `bringFrom`.',
    )
  if (status === 429)
    return notice(name, 'was asked too often', 'Wait, or name a key with a higher rate in `bringFrom`.')
  if (status >= 500)
    return fault(name, `answers with HTTP ${status}`, 'Look again later: its own operator can mend it.')
  return fault(name, `answers with HTTP ${status}`, PATH)
}
