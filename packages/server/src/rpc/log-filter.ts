import { z } from 'zod'
import type { Call } from './call.ts'

const filterOfLogs = z.object({
  address: z.union([z.string(), z.array(z.string())]).optional(),
  topics: z.array(z.union([z.string(), z.array(z.string()), z.null()])).optional(),
})

/** The most that one filter for logs may name: of addresses, and of values at one place among the topics. */
type Most = { addresses: number; topics: number }

/** Counts what a query for logs names: its addresses, and the values of the topic that has most of them. */
export function namesOf({ params = [] }: Call): Most {
  const { address, topics = [] } = filterOfLogs.safeParse(params[0]).data ?? {}
  return {
    addresses: address === undefined ? 0 : [address].flat().length,
    topics: Math.max(0, ...topics.map((values) => (values === null ? 0 : [values].flat().length))),
  }
}

/**
 * Asks for logs by a filter, in as many parts as it takes to name no more than the node allows at once. What a refusal teaches
 * makes the parts smaller.
 *
 * @param most is asked anew after each refusal
 * @returns an answer for each part
 */
export async function askInParts(
  filter: object,
  most: () => Most,
  ask: (part: object) => Promise<unknown>,
): Promise<unknown[]> {
  const parts = partsOf(filter, most())
  try {
    return await Promise.all(parts.map(ask))
  } catch (error) {
    if (partsOf(filter, most()).length <= parts.length) throw error
    return askInParts(filter, most, ask)
  }
}

/** Filters that together ask for what one does, each short enough. */
function partsOf(filter: object, { addresses, topics: values }: Most): object[] {
  const { address, topics } = filterOfLogs.parse(filter)
  let parts = inGroups(address, addresses).map((some): object =>
    some === undefined ? filter : { ...filter, address: some },
  )
  for (const [at, topic] of (topics ?? []).entries())
    parts = inGroups(topic, values).flatMap((some) => parts.map((part) => withTopic(part, at, some)))
  return parts
}

function withTopic(part: object, at: number, topic: unknown): object {
  const { topics = [] } = filterOfLogs.parse(part)
  return { ...part, topics: topics.map((old, place) => (place === at ? topic : old)) }
}

function inGroups<names>(names: names, most: number): names[] | string[][] {
  if (!Array.isArray(names) || names.length <= most) return [names]
  const size = Math.max(1, most)
  return Array.from({ length: Math.ceil(names.length / size) }, (_, at) => names.slice(at * size, (at + 1) * size))
}
