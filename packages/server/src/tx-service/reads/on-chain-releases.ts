import { type Deployment, officialDeployments } from '@countersign/safe'
import { isHex, keccak256 } from 'viem'
import type { ChainSettings } from '../../config/chains.ts'
import { type Chain, unreachable } from '../../rpc/clients.ts'

const REMEMBERED_MS = 300_000

const remembered = new WeakMap<ChainSettings, { at: number; releases: Promise<Deployment[]> }>()

/**
 * The Safe project's contracts that a chain has: whose code there is the released code. Of modules and passkeys nobody
 * lists the code, so any code counts.
 *
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
export function findReleases(chain: Chain, now: Date): Promise<Deployment[]> {
  const { settings } = chain
  const known = remembered.get(settings)
  if (known && now.getTime() - known.at < REMEMBERED_MS) return known.releases
  const releases = readReleases(chain)
  remembered.set(settings, { at: now.getTime(), releases })
  releases.catch(() => remembered.delete(settings))
  return releases
}

async function readReleases({ request, settings }: Chain): Promise<Deployment[]> {
  const all = officialDeployments()
  const codes = await Promise.all(
    all.map(({ address }) => request({ method: 'eth_getCode', params: [address, 'latest'] })),
  ).catch((error: unknown) => {
    throw unreachable(settings, error)
  })
  return all.filter(({ codeHash }, at) => {
    const code = codes[at]
    return isHex(code) && code !== '0x' && (codeHash === null || keccak256(code) === codeHash)
  })
}
