import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

/** A DNS server of a test. `answers` gives the addresses of a name, anew at each question. */
export type DnsServer = {
  /** The server, as a `Resolver` names it. */
  address: string
  /** Names asked for so far, with the type of record: `A name` or `AAAA name`. */
  asked: string[]
  close: () => Promise<void>
}

const A = 1
const AAAA = 28

/** Starts a DNS server that answers with these addresses: IPv4 ones to `A`, IPv6 ones to `AAAA`. */
export async function startDnsServer(answers: (name: string, type: 'A' | 'AAAA') => string[]): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameAt(query, 12)
    const type = query.readUInt16BE(end) === AAAA ? 'AAAA' : 'A'
    asked.push(`${type} ${name}`)
    const records = answers(name, type).map(addressBytes)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A recursive answer without an error, to one question.
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    const question = query.subarray(12, end + 4)
    socket.send(Buffer.concat([header, question, ...records.map(record)]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function nameAt(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** A record of the name in the question, valid for no time at all. */
function record(bytes: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(bytes.length === 4 ? A : AAAA, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser brings IPv6 into groups of hex digits.
  const [front = '', back] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [left, right] = [groups(front), groups(back ?? '')]
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
