import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, listHistory, streamEvents } from '@countersign/contract'
import {
  makeDataPath,
  newOwner,
  type ScriptOwner,
  safePath,
  signIn,
  signInByScript,
  startBrowser,
  team,
} from '@countersign/e2e'
import { type Address, formatEther } from 'viem'
import type { Measurement } from '../entry.ts'
import { startBusyChain } from './busy-chain.ts'
import { startFollowing, track } from './following.ts'

const PAYMENTS = 100
const FIRST_WEI = 10_100_000_000_000_000n
const STEP_WEI = 1_000_000_000_000n
/** So that no payment comes in step with the follower, which looks every 400 ms at a node of this machine. */
const MAX_PAUSE = 500

/** From the moment that a payment to a Safe is mined until the open history shows it. */
export async function measureBlockToScreen(): Promise<Measurement[]> {
  await using chain = await startBusyChain(1)
  const place = { dataPath: makeDataPath() }
  const browser = await startBrowser()
  const [safe] = chain.safes
  if (!safe) throw new Error('no Safe')
  try {
    await track(chain, place)
    const product = await startFollowing(chain, place)
    const { url } = product
    const stop = new AbortController()
    try {
      const { chainId, rpcUrl } = chain
      const script = await signInByScript(url, team.anna.privateKey, chainId)
      const listed = await listen(script, safe, stop.signal)
      await using anna = await newOwner(browser, { privateKey: team.anna.privateKey, rpcUrl, chainId, url })
      await signIn(anna, `${safePath(chainId, safe)}/history`)
      await anna.page.locator('[data-history-row]').first().waitFor()
      const inList: number[] = []
      const onPage: number[] = []
      for (let at = 0; at < PAYMENTS; at += 1) {
        await sleep(Math.random() * MAX_PAUSE)
        const wei = FIRST_WEI + BigInt(at) * STEP_WEI
        await chain.pay(safe, wei)
        const mined = performance.now()
        const since = () => performance.now() - mined
        await Promise.all([
          listed(wei).then(() => inList.push(since())),
          anna.page
            .locator('[data-history-row]', { hasText: formatEther(wei) })
            .first()
            .waitFor()
            .then(() => onPage.push(since())),
        ])
      }
      return [
        ...percentiles('mined until the list that is asked for after the live event has it', inList),
        ...percentiles('mined until the open history shows it', onPage),
      ]
    } finally {
      stop.abort()
      await product.stop()
    }
  } finally {
    await browser.close()
    rmSync(place.dataPath, { recursive: true, force: true })
  }
}

/** Holds a stream of live events; after each asks for the list. @returns waits until a payment stands in the list */
async function listen(
  { options, chainId }: ScriptOwner,
  safeAddress: Address,
  signal: AbortSignal,
): Promise<(wei: bigint) => Promise<void>> {
  const waiting = new Map<bigint, () => void>()
  const send = options.fetch ?? fetch
  const response = await send(`${options.baseUrl}${streamEvents.path}`, { headers: options.headers ?? {}, signal })
  const look = async () => {
    const { entries } = await call(options, listHistory, { chainId, safeAddress })
    for (const { amount } of entries) if (amount !== null) waiting.get(amount)?.()
  }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? [])
      if (decoder.decode(chunk, { stream: true }).includes('event: change')) await look()
  }
  void read().catch(() => {})
  return (wei) => new Promise((resolve) => waiting.set(wei, resolve))
}

function percentiles(what: string, values: readonly number[]): Measurement[] {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [
    { what: `${what}: the middle one of ${values.length}`, value: at(0.5), unit: 'ms' },
    { what: `${what}: 99 of 100`, value: at(0.99), unit: 'ms' },
  ]
}
