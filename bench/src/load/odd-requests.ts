import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Connections that send as slowly as they can. */
const SLOW = 400
const BYTE_MS = 1_000

type Place = { url: string; path: string; cookie: string; seconds: number }
type Heard = (status: number) => void

/** Bodies and headers that arrive a byte at a time, until they are cut off. */
export async function sendSlowly({ url, path, cookie, seconds }: Place, heard: Heard): Promise<void> {
  const { hostname, port, host, origin } = new URL(url)
  const end = performance.now() + seconds * 1_000
  const sockets = new Set<Socket>()
  const open = (at: number) => {
    if (performance.now() > end) return
    const socket = connect({ host: hostname, port: Number(port) })
    sockets.add(socket)
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\nx-forwarded-for: 10.9.${at >> 8}.${at & 255}\r\n`
    // Every second one never comes to the end of its headers.
    const body = `cookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{`
    socket.write(at % 2 === 0 ? head : head + body)
    const timer = setInterval(() => socket.write('a'), BYTE_MS)
    socket.once('data', (chunk) => heard(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1] ?? 0)))
    socket.on('error', () => {})
    socket.once('close', () => {
      clearInterval(timer)
      sockets.delete(socket)
      open(at)
    })
  }
  for (let at = 0; at < SLOW; at += 1) open(at)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  for (const socket of sockets) socket.destroy()
}

export type OddRequest = { body: string | Buffer; headers: Record<string, string> }

/**
 * Bodies that are larger inside than they look, or deeper, or not what they say; and headers without end. Made before anything
 * is measured: packing takes the processor for a while.
 */
export function makeOddRequests(): OddRequest[] {
  const json = { 'content-type': 'application/json' }
  const deep = (levels: number, most: number) => `${'['.repeat(levels)}${'1,'.repeat(most / 2)}1${']'.repeat(levels)}`
  const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`x-${at}`, 'y']))
  return [
    { body: deep(10_000, 10 * 1024 * 1024), headers: json },
    { body: deep(10_000, 100_000), headers: json },
    { body: `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, headers: json },
    { body: deep(10_000, 10 * 1024 * 1024), headers: { ...json, 'transfer-encoding': 'chunked' } },
    { body: gzipSync(Buffer.alloc(64 * 1024 * 1024, '[')), headers: { ...json, 'content-encoding': 'gzip' } },
    { body: '{}', headers: { ...json, ...many } },
    { body: '{}', headers: { ...json, cookie: 'a=b; '.repeat(2_500) } },
    { body: '{}', headers: { ...json, 'x-long': 'z'.repeat(100_000) } },
    { body: `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join()}}`, headers: json },
    { body: `"${'\\u0000'.repeat(150_000)}"`, headers: json },
    { body: `{"chainId":1e${'9'.repeat(300_000)}}`, headers: json },
    { body: `{"chainId":${'9'.repeat(900_000)},"address":"0x"}`, headers: json },
  ]
}
