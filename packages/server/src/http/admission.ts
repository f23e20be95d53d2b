import { type ErrorCode, errorTable } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Hex } from 'viem'
import { overloaded } from '../overloaded.ts'
import type { Viewer } from '../safes/viewer.ts'
import { createLane, type LaneSettings } from '../workload/lane.ts'
import { createReservedTurns } from '../workload/reserved-turns.ts'
import { createSlices, type Slices } from '../workload/slices.ts'
import { createRateLimit } from './rate-limit.ts'
import { createTurns } from './turns.ts'

/** How often something may be asked for: so much at once, then so much a second. */
type Rate = { burst: number; perSecond: number }

export type AdmissionSettings = {
  rates: {
    /** Rate of one network for any request: a team behind one address has room in it. */
    network: Rate
    /** Rate of one network for sessions and API tokens that never proved good. */
    guesses: Rate
    /** Rate of all networks together for such guesses. */
    guessesOfAll: Rate
    /** Rate of one account, with all its sessions and API tokens. A write counts as `WRITE_COST`. */
    account: Rate
    reads: Rate
    writes: Rate
    node: Rate
    /** Rate of one account for the node work of its passed calls. About a million gas counts as one. */
    nodeWork: Rate
    services: Rate
    streams: Rate
    /** Hashing that one account may cause, in blocks of keccak-256 of about five microseconds each. */
    work: Rate
    /** Bytes of answers to one account. The length of a long list is known only after it was read. */
    answers: Rate
    /** Look-ups of unknown sessions by one account, in browsers in which it has signed in. */
    seenLookUps: Rate
    /** Rate of one network without a session. */
    signIn: Rate
    /** Sign-in rate of one account in browsers in which it has signed in before. `groups` limits its network as well. */
    seen: Rate
    /** First sign-in messages of one network. Other networks that ask for many do not use these up. */
    firstMessages: Rate
    /** Rate of all networks together for such first messages, and for further ones. */
    firstMessagesOfAll: Rate
    messagesOfAll: Rate
    /** Messages that wait for owners: these are kept for a day. */
    waitingMessages: Rate
  }
  /** Rates that all accounts of one network share. An account that is refused gets a reserved turn. */
  groups: { seen: Rate; seenLookUps: Rate }
  lanes: {
    /** Looking for the session or API token of a request. */
    lookUps: LaneSettings
    /** Receiving bodies that are long. */
    bodies: LaneSettings
    reads: LaneSettings
    writes: LaneSettings
    /** Requests that wait for a node: they hold no connection to the database, and answers are large. */
    node: LaneSettings
    services: LaneSettings
    streams: LaneSettings
    /** Downloads, until they end. */
    exports: LaneSettings
    signIn: LaneSettings
    /** Sign-ins in browsers that have signed in before. */
    seen: LaneSettings
  }
}

export type LaneName = keyof AdmissionSettings['lanes']
/** Class under which a request of an account counts. */
export type Kind = 'reads' | 'writes' | 'node' | 'services' | 'streams'

/**
 * A quarter of the places to wait is one account's: as much as its limits let it ask for at once. Of one account few write
 * at a time: they wait for each other in the database, and a statement that waits long is ended.
 */
export const usualAdmission: AdmissionSettings = {
  rates: {
    network: { burst: 3_000, perSecond: 300 },
    guesses: { burst: 240, perSecond: 4 },
    guessesOfAll: { burst: 1_000, perSecond: 200 },
    account: { burst: 3_000, perSecond: 300 },
    reads: { burst: 600, perSecond: 60 },
    writes: { burst: 120, perSecond: 5 },
    node: { burst: 2_000, perSecond: 200 },
    nodeWork: { burst: 30_000, perSecond: 300 },
    services: { burst: 60, perSecond: 1 },
    streams: { burst: 60, perSecond: 1 },
    work: { burst: 60_000, perSecond: 1_500 },
    answers: { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024 },
    signIn: { burst: 120, perSecond: 2 },
    seen: { burst: 40, perSecond: 0.5 },
    seenLookUps: { burst: 240, perSecond: 4 },
    firstMessages: { burst: 10, perSecond: 0.02 },
    firstMessagesOfAll: { burst: 3_000, perSecond: 300 },
    messagesOfAll: { burst: 3_000, perSecond: 300 },
    waitingMessages: { burst: 40, perSecond: 0.01 },
  },
  groups: {
    seen: { burst: 160, perSecond: 2 },
    seenLookUps: { burst: 960, perSecond: 16 },
  },
  lanes: {
    lookUps: { atOnce: 8, atOnceOfOne: 4, waiting: 2_400, milliseconds: 10_000 },
    bodies: { atOnce: 64, atOnceOfOne: 8, waiting: 800, milliseconds: 15_000 },
    reads: { atOnce: 12, atOnceOfOne: 6, waiting: 2_400, milliseconds: 10_000 },
    // Most ask a node as well, and those about a chain whose node hangs leave some places to the others.
    writes: { atOnce: 24, atOnceOfOne: 4, atOnceOfChain: 18, waiting: 800, milliseconds: 15_000 },
    // One account has few places for one chain, and one chain never has all of them.
    node: {
      atOnce: 24,
      atOnceOfOne: 8,
      atOnceOfChain: 12,
      atOnceOfOneOfChain: 3,
      waiting: 2_400,
      milliseconds: 10_000,
    },
    // Another service answers when it likes, with megabytes: it holds up nobody who asks for something else.
    services: { atOnce: 8, atOnceOfOne: 2, waiting: 100, milliseconds: 10_000 },
    streams: { atOnce: 32, atOnceOfOne: 8, waiting: 1_000, milliseconds: 5_000 },
    exports: { atOnce: 12, atOnceOfOne: 2, waiting: 40, milliseconds: 5_000 },
    signIn: { atOnce: 16, atOnceOfOne: 4, waiting: 200, milliseconds: 5_000 },
    seen: { atOnce: 8, atOnceOfOne: 4, waiting: 200, milliseconds: 5_000 },
  },
}

/** As many writes of an account as it may do reads would be too many: each asks a node and verifies signatures. */
const WRITE_COST = 12
/** Above this, who was seen longest ago counts as never seen. */
const MAX_RECOGNISED = 50_000
/** Expected answers up to this length take nothing from the limit in advance. */
const SHORT_ANSWER_BYTES = 64 * 1024
const MAX_EXPECTED = 10_000

/**
 * Decides whether a request is answered now, before anything is looked up for it: by the network that it comes from, by the
 * account whose session or API token it shows, and by how much this process has to do.
 */
export type Admission = {
  /** @throws CountersignError `RATE_LIMITED` when its network asks too often */
  admit: (network: string) => void
  /**
   * Looks for who shows these, hashed. Those that were never seen to be good are limited by network before they are looked
   * for.
   *
   * @throws CountersignError `RATE_LIMITED`, `OVERLOADED`, and what `find` throws
   */
  find: <found extends Pick<Viewer, 'address' | 'tokenHash'> | null>(
    shown: readonly Hex[],
    network: string,
    kind: Kind,
    find: () => Promise<found>,
    seen?: () => readonly string[],
  ) => Promise<found>
  /**
   * Takes a request without a session from its limit: that of an account that has signed in in this browser before, else that of
   * the network. @returns the lane and the client whose turn it uses there
   */
  takeOfVisitor: (
    kind: 'reads' | 'signIn',
    network: string,
    seen: () => readonly string[],
  ) => { lane: LaneName; client: string }
  /** Takes a sign-in message from the limit of its network. The account that the request names has no limit. */
  takeMessage: (network: string) => void
  /** A session that was opened, or an API token that was made, just now. */
  recognise: (found: Pick<Viewer, 'address' | 'tokenHash'>) => void
  /** Returns the account for which one of these hashes was valid at the last lookup. Null if none was. */
  accountOf: (shown: readonly Hex[]) => string | null
  /** @throws CountersignError `OVERLOADED` when this process has too much to do */
  run: <result>(
    lane: LaneName,
    key: string,
    work: () => Promise<result>,
    chain?: string,
    left?: AbortSignal,
  ) => Promise<result>
  /** As `run`, for what goes on after its answer has begun. @returns what ends it */
  enter: (lane: LaneName, key: string) => Promise<() => void>
  /** Takes from one of the limits: nothing, where limits are off. */
  take: (rate: keyof AdmissionSettings['rates'], key: string, cost?: number) => void
  /**
   * Starts a read if its client is within the limit of answered bytes. Until the answer is counted, its expected length is taken
   * from the limit. The expected length follows from the client's last answers to this question.
   *
   * @returns a function that counts the bytes of the answer, once
   * @throws CountersignError `RATE_LIMITED`
   */
  beginAnswer: (client: string, question: string) => (bytes: number) => void
  /** Returns to one of the limits what an overestimated request did not use. */
  giveBack: (rate: keyof AdmissionSettings['rates'], key: string, cost: number) => void
  /** Long computations of all requests. */
  slices: Slices
  /** Requests that run and wait in each lane, for the metrics. */
  lanes: () => { name: string; running: number; waiting: number }[]
}

export function createAdmission(
  { rates, groups: groupRates, lanes: laneSettings }: AdmissionSettings,
  { clock, hasRateLimits }: { clock: () => Date; hasRateLimits: boolean },
): Admission {
  const limits = mapValues(rates, (rate) => createRateLimit({ ...rate, clock }))
  const groups = mapValues(groupRates, (rate) => createReservedTurns({ ...rate, clock }))
  const lanes = mapValues(laneSettings, createLane)
  /** Hashes of sessions and API tokens that were good when they were last looked for, and whose; the latest last. */
  const recognised = new Map<Hex, string>()
  /** Expected length of the next answer, by client and question. Contains only long ones. */
  const expectedBytes = new Map<string, number>()

  function expect(asked: string, bytes: number): void {
    expectedBytes.delete(asked)
    // At most half of the burst, so that a client is served again even after an answer longer than the limit.
    if (bytes > SHORT_ANSWER_BYTES) expectedBytes.set(asked, Math.min(bytes, rates.answers.burst / 2))
    const [oldest] = expectedBytes.keys()
    if (expectedBytes.size > MAX_EXPECTED && oldest) expectedBytes.delete(oldest)
  }

  function take(rate: keyof typeof limits, key: string, cost?: number): void {
    if (hasRateLimits) limits[rate].take(key, cost)
  }

  function giveBack(rate: keyof typeof limits, key: string, cost?: number): void {
    if (hasRateLimits) limits[rate].giveBack(key, cost)
  }

  function takeOfAccount(kind: Kind, tokenHash: Hex, account: string): void {
    take(kind, tokenHash)
    take('account', account, kind === 'writes' ? WRITE_COST : 1)
  }

  function recognise({ tokenHash, address }: Pick<Viewer, 'address' | 'tokenHash'>): void {
    recognised.delete(tokenHash)
    recognised.set(tokenHash, address)
    const [oldest] = recognised.keys()
    if (recognised.size > MAX_RECOGNISED && oldest) recognised.delete(oldest)
  }

  /** @returns a function that gives back what was taken, for a guess that was right */
  function guess(network: string, seen: readonly string[]): () => void {
    const { known, refusal } = takeShare('seenLookUps', network, seen)
    if (known !== undefined)
      return () => {
        giveBack('seenLookUps', known)
        groups.seenLookUps.giveBack(network)
      }
    takeOrRefuse('guesses', network, refusal)
    takeOfAll('guessesOfAll')
    return () => giveBack('guesses', network)
  }

  /**
   * Takes from the share of the first of these accounts that has one left, and a turn of its network. `refusal` is the error if
   * the network has no turn left. It says when the account has its reserved turn.
   */
  function takeShare(share: keyof typeof groups, network: string, names: readonly string[]) {
    const known = names.find((name) => has(share, name))
    if (known === undefined || !hasRateLimits) return { known }
    try {
      groups[share].take(network, known)
      return { known }
    } catch (refusal) {
      giveBack(share, known)
      return { refusal }
    }
  }

  /** Takes from a limit of a network. If it is used up, throws `refusal`, or the limit's own error if there is none. */
  function takeOrRefuse(rate: keyof typeof limits, network: string, refusal: unknown): void {
    try {
      take(rate, network)
    } catch (error) {
      throw refusal ?? error
    }
  }

  /** Takes from a limit if it has enough left. */
  function has(rate: keyof typeof limits, key: string): boolean {
    try {
      take(rate, key)
      return true
    } catch {
      return false
    }
  }

  function takeOfAll(rate: keyof typeof limits): void {
    // Not the client's fault: other requests keep the server busy.
    if (!has(rate, '')) throw overloaded()
  }

  return {
    admit: (network) => take('network', network),
    takeOfVisitor(kind, network, seen) {
      const { known, refusal } = takeShare('seen', network, kind === 'signIn' ? seen() : [])
      if (known !== undefined) return { lane: 'seen', client: known }
      takeOrRefuse(kind, network, refusal)
      return { lane: kind, client: network }
    },
    takeMessage(network) {
      takeOfAll(has('firstMessages', network) ? 'firstMessagesOfAll' : 'messagesOfAll')
    },
    async find(shown, network, kind, find, seen = () => []) {
      const known = shown.find((hash) => recognised.has(hash))
      const account = known && recognised.get(known)
      let refund = () => {}
      if (known && account) takeOfAccount(kind, known, account)
      else if (shown.length > 0) refund = guess(network, seen())
      // Where nothing is shown nothing is looked for.
      const found = await (shown.length > 0 ? lanes.lookUps.run(account ?? network, find) : find()).catch(
        (error: unknown) => {
          if (known && isRefusal(error)) recognised.delete(known)
          throw error
        },
      )
      if (!found) {
        if (known) recognised.delete(known)
        return found
      }
      recognise(found)
      if (known) return found
      refund()
      takeOfAccount(kind, found.tokenHash, found.address)
      return found
    },
    recognise,
    accountOf: (shown) => shown.map((hash) => recognised.get(hash)).find((account) => account !== undefined) ?? null,
    run: (lane, key, work, chain, left) => lanes[lane].run(key, work, chain, left),
    enter: (lane, key) => lanes[lane].enter(key),
    take,
    beginAnswer(client, question) {
      const asked = `${client} ${question}`
      const expected = expectedBytes.get(asked) ?? 0
      take('answers', client, expected)
      let isCounted = false
      return (bytes) => {
        if (isCounted) return
        isCounted = true
        if (hasRateLimits) limits.answers.spend(client, bytes - expected)
        expect(asked, Math.max(bytes, expected / 2))
      }
    },
    giveBack,
    slices: createSlices(createTurns()),
    lanes: () =>
      Object.entries(lanes).map(([name, lane]) => ({ name, running: lane.running(), waiting: lane.waiting() })),
  }
}

/** Whether the session or API token itself is refused, and not the question after it. */
function isRefusal(error: unknown): boolean {
  return error instanceof CountersignError && errorTable[error.code as ErrorCode]?.status === 401
}

function mapValues<keys extends string, from, to>(
  record: Record<keys, from>,
  map: (value: from) => to,
): Record<keys, to> {
  return Object.fromEntries(Object.entries<from>(record).map(([key, value]) => [key, map(value)])) as Record<keys, to>
}
