import {
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  encodeSetupToL2,
  officialDeployment,
  predictSafeAddress,
} from '@countersign/safe'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseGivenCreations } from './given-creations.ts'

const owners = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'] as const
const of = (kind: 'singleton' | 'singleton-l2' | 'factory' | 'handler') =>
  officialDeployment(kind, '1.4.1')?.address ?? zeroAddress
const newSafe = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: 69n } as const
const address = predictSafeAddress(newSafe)
const call = encodeCreateProxy(newSafe)

/** As Safe Wallet writes it: version 3.0 of its export. */
const props = {
  factoryAddress: of('factory'),
  masterCopy: of('singleton-l2'),
  saltNonce: '69',
  safeVersion: '1.4.1',
  safeAccountConfig: {
    owners,
    threshold: 2,
    to: zeroAddress,
    data: '0x',
    fallbackHandler: of('handler'),
    paymentToken: zeroAddress,
    payment: 0,
    paymentReceiver: zeroAddress,
  },
}
const exported = (change: object = {}, at: string = address, chainId: number | string = 1) =>
  JSON.stringify({
    version: '3.0',
    data: {
      addressBook: {},
      undeployedSafes: {
        [chainId]: {
          [at]: { props: { ...props, ...change }, status: { status: 'AWAITING_EXECUTION', type: 'PayLater' } },
        },
      },
    },
  })
const configured = (change: object) => exported({ safeAccountConfig: { ...props.safeAccountConfig, ...change } })

describe('parseGivenCreations', () => {
  test('default: the export of Safe Wallet', () => {
    const planned = { chainIds: [1], safeAddress: address, factory: call.to, data: call.data, owners, threshold: 2 }
    expect(parseGivenCreations(exported(), 5)).toEqual([
      { chainId: 1, safeAddress: address, planned: { ...planned, name: '', names: [] } },
    ])
    // Fields of the payment may be left out.
    const { paymentToken: _, payment: __, ...some } = props.safeAccountConfig
    expect(parseGivenCreations(exported({ safeAccountConfig: some }), 5)).toMatchObject([{ planned }])
  })

  test('behavior: the call itself, under either name, for the chosen chain', () => {
    for (const text of [
      JSON.stringify(call),
      JSON.stringify({ factory: call.to, factoryData: call.data }),
      JSON.stringify({ factory: call.to.toLowerCase(), data: call.data }),
    ])
      expect(parseGivenCreations(text, 10)).toMatchObject([{ chainId: 10, safeAddress: address }])
  })

  test('behavior: a Safe that is moved to layer 2 at its set-up', () => {
    const moved = { ...props.safeAccountConfig, ...encodeSetupToL2('1.4.1') }
    const initializer = encodeSetup({ ...moved, payment: 0n })
    const singleton = of('singleton')
    const data = encodeProxyCreation({
      method: 'createProxyWithNonce',
      singleton,
      initializer,
      saltNonce: 69n,
      callback: null,
    })
    const [found] = parseGivenCreations(JSON.stringify({ to: of('factory'), data }), 10) ?? []
    const text = exported({ masterCopy: singleton, safeAccountConfig: moved }, found?.safeAddress ?? '0x', 10)
    expect(parseGivenCreations(text, 10)).toMatchObject([{ planned: { data, owners, threshold: 2 } }])
  })

  test.each<[string, string, string]>([
    ['another salt than that of the address', 'address', exported({ saltNonce: '70' })],
    ['another owner', 'address', configured({ owners: [owners[0], '0x3333333333333333333333333333333333333333'] })],
    ['a foreign factory', 'factory', exported({ factoryAddress: owners[0] })],
    ['a foreign singleton', 'singleton', exported({ masterCopy: owners[0] })],
    ['code at set-up', 'code', configured({ to: owners[0], data: '0x12' })],
    ['a payment', 'payment', configured({ payment: 1, paymentReceiver: owners[0] })],
    ['owners that no Safe takes', 'setup', configured({ owners: [owners[0], owners[0]] })],
    ['a threshold above the owners', 'setup', configured({ threshold: 3 })],
    ['no salt', 'incomplete', exported({ saltNonce: undefined })],
    ['the older form, without contracts', 'incomplete', exported({ factoryAddress: undefined })],
    ['owners that are no list', 'incomplete', configured({ owners: 'all' })],
  ])('error: CREATION_REFUSED for %s', (_, reason, text) => {
    expect(parseGivenCreations(text, 1)).toMatchObject([{ error: { code: 'CREATION_REFUSED', data: { reason } } }])
  })

  test('behavior: what is neither is nothing', () => {
    for (const text of [
      '',
      '{}',
      'hello',
      '[]',
      'null',
      '{"data":{}}',
      '{"to":"0x12","data":"0x"}',
      'x'.repeat(5_000_001),
    ])
      expect(parseGivenCreations(text, 1)).toBeNull()
    expect(parseGivenCreations(exported({}, 'nobody'), 1)).toEqual([])
    expect(parseGivenCreations(exported({}, address, 'main'), 1)).toEqual([])
  })
})
