import type { RpcRequest } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { z } from 'zod'
import type { Chain, Chains } from '../../rpc/clients.ts'
import { isRevert } from '../../rpc/errors.ts'

/** Consecutive failed checks after which a node counts as stuck. A single one may be a coincidence. */
const MAX_FAILURES = 2

const pool = z.object({ pending: z.string().transform(Number) })

/** Detects nodes that answer but do not run calls or mine transactions. */
export type WorkWatch = {
  /** Checks each chain once. Never throws. */
  look: () => Promise<void>
  /** Chains whose node is reachable but answers no state request or, on a development chain, mines no transaction. */
  stuck: () => ReadonlySet<number>
}

/** Checks that a node works, not only that it answers. One call can block a node for minutes while it still returns its chain id. */
export function watchWork(chains: Chains): WorkWatch {
  const failures = new Map<number, number>()
  /** The newest block at the last check that found pending transactions. */
  const waitedAt = new Map<number, unknown>()
  const stuck = new Set<number>()

  async function lookAt(chain: Chain): Promise<void> {
    const { chainId, isDevnet } = chain.settings
    const works = (await answersOfState(chain.ask)) && (!isDevnet || (await mines(chain)))
    const count = works || chain.status !== 'ok' ? 0 : (failures.get(chainId) ?? 0) + 1
    failures.set(chainId, count)
    if (count >= MAX_FAILURES) stuck.add(chainId)
    else stuck.delete(chainId)
  }

  async function mines({ ask, settings: { chainId } }: Chain): Promise<boolean> {
    const [waiting, isAutomatic, block] = await Promise.all(
      ['txpool_status', 'anvil_getAutomine', 'eth_blockNumber'].map((method) => ask({ method }).catch(() => null)),
    )
    const isWaiting = isAutomatic === true && (pool.safeParse(waiting).data?.pending ?? 0) > 0
    const before = waitedAt.get(chainId)
    if (isWaiting) waitedAt.set(chainId, block)
    else waitedAt.delete(chainId)
    return !isWaiting || before === undefined || before !== block
  }

  return {
    async look() {
      await Promise.all([...chains.values()].map(lookAt))
    },
    stuck: () => stuck,
  }
}

async function answersOfState(ask: RpcRequest): Promise<boolean> {
  try {
    await ask({ method: 'eth_call', params: [{ to: zeroAddress, data: '0x', gas: '0xea60' }, 'latest'] })
    return true
  } catch (error) {
    return isRevert(error)
  }
}
