import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowing } from '../../networks.ts'
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts'
import { send } from './send.ts'

// The operator allows 127.0.0.5. The other addresses of this machine stand for its private network.
const ALLOWED = '127.0.0.5'
const allowed = allowing([ALLOWED])

let answers: (name: string, type: 'A' | 'AAAA') => string[]
let dns: DnsServer
let receivers: Server
let port: number
let received: string[]

beforeAll(async () => {
  dns = await startDnsServer((name, type) => answers(name, type))
  // Every address of this machine, so that a delivery to a wrong one is seen.
  receivers = createServer((request, response) => {
    received.push(request.socket.localAddress ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => receivers.listen(0, '::', resolve))
  port = (receivers.address() as AddressInfo).port
})

beforeEach(() => {
  received = []
  dns.asked.length = 0
})

afterAll(async () => {
  await dns.close()
  await new Promise((resolve) => receivers.close(resolve))
})

function deliver(host: string) {
  const request = { url: new URL(`http://${host}:${port}/hook`), headers: {}, body: '{}' }
  return send(request, allowed, [dns.address])
}

describe('send', () => {
  test('behavior: a name is resolved once, and the delivery goes to the address that was checked', async () => {
    let questions = 0
    answers = (_, type) => (type === 'A' ? [questions++ === 0 ? ALLOWED : '127.0.0.1'] : [])
    expect(await deliver('rebinding.example')).toMatchObject({ status: 200, failure: null })
    expect(received).toEqual([`::ffff:${ALLOWED}`])
    expect(dns.asked.toSorted()).toEqual(['A rebinding.example', 'AAAA rebinding.example'])

    // The next attempt asks again, and the name lies now.
    expect(await deliver('rebinding.example')).toMatchObject({ status: null, failure: 'address-refused' })
    expect(received).toHaveLength(1)
  })

  test.each([
    ['a private address', ['127.0.0.1'], []],
    ['a private address behind an allowed one', [ALLOWED, '127.0.0.1'], []],
    ['a private address before an allowed one', ['127.0.0.1', ALLOWED], []],
    ['a private IPv6 address beside an allowed IPv4 address', [ALLOWED], ['::1']],
    ['IPv4 mapped into IPv6', [], ['::ffff:127.0.0.1']],
    ['the allowed address mapped into IPv6', [], [`::ffff:${ALLOWED}`]],
    ['a mapped address beside an allowed one', [ALLOWED], ['::ffff:127.0.0.1']],
    ['IPv4-compatible IPv6', [], ['::127.0.0.5']],
    ['NAT64 of a private address', [], ['64:ff9b::7f00:1']],
    ['0.0.0.0', ['0.0.0.0'], []],
    ['::', [], ['::']],
    ['0.0.0.0 beside an allowed address', [ALLOWED, '0.0.0.0'], []],
    ['the address of a metadata service', ['169.254.169.254'], []],
    ['no address', [], []],
  ])('behavior: nothing is delivered by a name with %s', async (_, ipv4, ipv6) => {
    answers = (_, type) => (type === 'A' ? ipv4 : ipv6)
    expect(await deliver('lying.example')).toMatchObject({ status: null, failure: 'address-refused' })
    expect(received).toEqual([])
  })

  test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '127.0.0.1.', '[::ffff:127.0.0.1]', '[::1]'])(
    'behavior: nothing is delivered to %s, which is an address and never asked for by name',
    async (host) => {
      answers = () => [ALLOWED]
      expect(await deliver(host)).toMatchObject({ status: null, failure: 'address-refused' })
      expect([received, dns.asked]).toEqual([[], []])
    },
  )
})
