import { gzipSync } from 'node:zlib'
import type { Owner } from '@countersign/e2e'

/** `worker`: gzip bytes of the code of Workers, which is not among the others, once however many run it. */
export type Fetched = { raw: number; gzip: number; scripts: number; requests: number; foreign: number; worker: number }

const isOfWorker = ({ pathname }: URL) => /-worker-.*\.js$/.test(pathname)

/** Counts what a page fetches from now on, where it arrives; what it tries elsewhere counts also when nobody answers. */
export function countFetched(page: Owner['page'], url: string): () => Promise<Fetched> {
  const bodies: Promise<Buffer>[] = []
  const ofWorkers = new Map<string, Promise<Buffer>>()
  const { origin, host } = new URL(url)
  let requests = 0
  let foreign = 0
  const asked = new Set<string>()
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol === 'data:' || address.protocol === 'blob:') return
    // A second Worker has its code from the cache, which an answer that never changes is in: no server is asked.
    if (isOfWorker(address) && asked.has(address.href)) return
    asked.add(address.href)
    requests += 1
    if (address.origin !== origin) foreign += 1
  })
  page.on('websocket', (socket) => {
    requests += 1
    if (new URL(socket.url()).host !== host) foreign += 1
  })
  page.on('response', (response) => {
    const address = new URL(response.url())
    const { pathname } = address
    if (isOfWorker(address)) ofWorkers.set(pathname, response.body())
    else if (response.request().resourceType() === 'script' || pathname.endsWith('.js')) bodies.push(response.body())
  })
  return async () => {
    const [scripts, workers] = await Promise.all([Promise.all(bodies), Promise.all(ofWorkers.values())])
    return {
      raw: scripts.reduce((sum, { length }) => sum + length, 0),
      gzip: gzipOf(scripts),
      worker: gzipOf(workers),
      scripts: scripts.length,
      requests,
      foreign,
    }
  }
}

function gzipOf(bodies: readonly Buffer[]): number {
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
}
