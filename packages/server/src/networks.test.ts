import { describe, expect, test } from 'vitest'
import { parseReceiver, send } from './features/webhooks/send.ts'
import { allowing, isNetwork } from './networks.ts'
import { codeOf } from './test/test-server.ts'

const publicOnly = allowing([])

describe('allowing', () => {
  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '3fff::1',
    '100::1',
    'no address',
    '',
  ])('behavior: %s is nobody’s receiver', (address) => {
    expect([publicOnly.isAllowed(address, true), publicOnly.isAllowed(address, false)]).toEqual([false, false])
  })

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'default: %s by https',
    (address) => {
      expect([publicOnly.isAllowed(address, true), publicOnly.isAllowed(address, false)]).toEqual([true, false])
    },
  )

  test('behavior: what the operator names, also by http, and nothing beside it', () => {
    const { isAllowed } = allowing(['10.1.0.0/16', 'fd12::/64', '127.0.0.1'])
    const addresses = ['10.1.2.3', 'fd12::1', '127.0.0.1', '10.2.0.1', 'fd13::1', '127.0.0.2', '::ffff:10.1.2.3']
    expect(addresses.map((address) => isAllowed(address, false))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('behavior: networks as they are written', () => {
    const texts = ['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '10.0.0.0/33', '10.0.0.0/8/8', 'example.org', '10.0.0.0/', '']
    expect(texts.map(isNetwork)).toEqual([true, true, true, false, false, false, false, false])
  })
})

describe('parseReceiver', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://017700000001/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://①②⑦.⓪.⓪.①/',
    'https://10.0.0.1:8443/',
  ])('error: WEBHOOK_URL_REFUSED: %s', async (url) => {
    expect(await codeOf(Promise.resolve().then(() => parseReceiver(url, publicOnly)))).toBe('WEBHOOK_URL_REFUSED')
  })
})

describe('send', () => {
  test.each(['https://localhost:9/', 'https://127.0.0.1:9/', 'https://[::1]:9/'])(
    'behavior: %s is not connected to, whatever was kept before',
    async (url) => {
      const outcome = await send({ url: new URL(url), headers: {}, body: '{}' }, publicOnly)
      expect(outcome).toMatchObject({ status: null, failure: 'address-refused' })
    },
  )
})
