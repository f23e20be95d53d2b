import { TimeoutError } from 'viem'
import { type Chain, type Chains, unreachable } from './clients.ts'

/** Time that one request waits for nodes in all: a person is told before the page gives up. */
const NODE_MS = 7_000

/**
 * The chains as one request asks them. Each question to a node has its own limit, and a node that takes nearly as long for
 * every one would keep a request of five questions five times as long: from now on they have one limit together.
 */
export function chainsOfOneRequest(chains: Chains, milliseconds = NODE_MS): Chains {
  const deadline = performance.now() + milliseconds
  return new Map(Array.from(chains, ([chainId, chain]) => [chainId, boundedBy(deadline, chain)]))
}

function boundedBy(deadline: number, chain: Chain): Chain {
  const late = () => new TimeoutError({ body: {}, url: chain.settings.name })
  const isAway = () => unreachable(chain.settings, late())
  return {
    ...chain,
    // It changes while the request runs.
    get status() {
      return chain.status
    },
    request: (call) => within(deadline, () => chain.request(call), late),
    ask: (call) => within(deadline, () => chain.ask(call), late),
    forward: (body) => within(deadline, () => chain.forward(body), isAway),
    readSafe: (...given) => within(deadline, () => chain.readSafe(...given), isAway),
  }
}

/** Answers after the deadline are dropped; the node's own limits end them. */
async function within<result>(deadline: number, work: () => Promise<result>, late: () => Error): Promise<result> {
  const left = deadline - performance.now()
  if (left <= 0) throw late()
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), left)
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
