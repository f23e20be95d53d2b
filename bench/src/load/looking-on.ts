import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentMemory } from './process-time.ts'

const LOOK_MS = 250

type Place = { url: string; server: number; chainId: number; cookie: string }

/** Waits in milliseconds, memory in bytes, lag of the follower in seconds. */
export type Seen = {
  longestProbe: number
  probes: number
  yes: number
  asked: number
  served: number
  longestServed: number
  memory: number
  lag: number
}

/**
 * Looks on while something happens: as a probe, and as somebody of another network with a session. In a process of its own: a
 * wait is the product's and not that of whoever attacks it.
 *
 * @returns ends looking, and says what was seen
 */
export function lookOn(place: Place): () => Promise<Seen> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv })
  child.send(place)
  return () =>
    new Promise((resolve, reject) => {
      child.once('message', (seen) => resolve(seen as Seen))
      child.once('exit', (code) => reject(new Error(`who looks on ended with ${code}`)))
      child.send('end')
    })
}

async function look({ url, server, chainId, cookie }: Place): Promise<void> {
  const seen: Seen = { longestProbe: 0, probes: 0, yes: 0, asked: 0, served: 0, longestServed: 0, memory: 0, lag: 0 }
  let isOver = false
  process.once('message', () => {
    isOver = true
  })
  while (!isOver) {
    for (const path of ['/healthz', '/metrics', '/readyz']) {
      const started = performance.now()
      const { status, text } = await get(url, path, cookie)
      seen.longestProbe = Math.max(seen.longestProbe, performance.now() - started)
      seen.probes += 1
      if (status !== 200) continue
      seen.yes += 1
      if (path === '/readyz') seen.lag = Math.max(seen.lag, JSON.parse(text).chains?.[chainId]?.lagSeconds ?? 0)
    }
    seen.asked += 1
    const started = performance.now()
    if ((await get(url, '/api/safes', cookie)).status === 200) seen.served += 1
    seen.longestServed = Math.max(seen.longestServed, performance.now() - started)
    seen.memory = Math.max(seen.memory, residentMemory(server))
    await sleep(LOOK_MS)
  }
  process.send?.(seen, () => process.disconnect())
}

/** As what watches a server: over connections that it keeps. */
const agent = new Agent({ keepAlive: true })

/** Status 0 without an answer. */
function get(url: string, path: string, cookie: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, text: '' })
    request(new URL(path, url), { agent, headers: { cookie, 'x-forwarded-for': '192.0.2.7' } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', none)
    })
      .on('error', none)
      .end()
  })
}

if (process.send) process.once('message', (place) => void look(place as Place))
