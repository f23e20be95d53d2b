import { addDelegate, addDelegateOfAll, addSafe, call } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import type { SafeTx } from '@countersign/safe'
import { type Address, encodeFunctionData, getAddress, numberToHex, padHex, parseAbi, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { codeOf, newSafe, signedTx, signInAs } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'

/* Refusals of the service before it looks at any Safe, in its words and under its keys. */

const [alice, bob] = demoAccounts
const chainId = 31337
const firstAddress: Address = '0x0000000000000000000000000000000000000001'
const signature = `0x${'12'.repeat(64)}1b`

let client: TxClient
let safeAddress: Address

openScene([alice], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

const path = () => `/v2/safes/${safeAddress}/multisig-transactions/`

async function proposal(fields: Partial<SafeTx> = {}) {
  const { safeTx, safeTxHash, signature: signed } = await signedTx(safeAddress, alice, fields)
  const { value, safeTxGas, baseGas, gasPrice, nonce, ...rest } = safeTx
  const numbers = { value, safeTxGas, baseGas, gasPrice, nonce }
  const texts = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)]))
  const body = { ...rest, ...texts, contractTransactionHash: safeTxHash, sender: alice.address, signature: signed }
  return { body, safeTxHash }
}

describe('a proposal', () => {
  test.each([
    ['operation', 2, { nonFieldErrors: ['Operation CREATE not supported. Please use Safe CreateLib'] }],
    ['operation', 3, { operation: ['Unknown operation'] }],
    ['origin', '', { origin: ['This field may not be blank.'] }],
    ['origin', '  ', { origin: ['This field may not be blank.'] }],
    ['origin', true, { origin: ['Not a valid string.'] }],
    ['data', '0xzz', { data: ['zz is not a hexadecimal value.'] }],
    ['data', 12, { data: ['12 is not a hexadecimal value.'] }],
    ['data', true, { data: ['True is not a hexadecimal value.'] }],
    ['signature', 'no', { signature: ['no is not a hexadecimal value.'] }],
    ['contractTransactionHash', 7, { contractTransactionHash: ['7 is not a hexadecimal value.'] }],
    ['gasToken', firstAddress, { gasToken: ['0x1 address is not allowed'] }],
    ['refundReceiver', firstAddress, { refundReceiver: ['0x1 address is not allowed'] }],
    ['sender', zeroAddress, { sender: ['0x0 address is not allowed'] }],
  ])('error: %s: %j', async (field, value, expected) => {
    const { body } = await proposal()
    expect(await client.post(path(), { ...body, [field]: value })).toMatchObject({ status: 422, body: expected })
  })

  test('error: of a CREATE the fields that are wrong come first, and alone', async () => {
    const { body } = await proposal()
    expect((await client.post(path(), { ...body, operation: 2, to: 'x' })).body).toEqual({
      to: ['Address x is not checksumed'],
    })
  })

  test('behavior: numbers of JSON are taken whole, however large, as clients in Python write them', async () => {
    const { body, safeTxHash } = await proposal({ value: 123_456_789_012_345_678_901n, nonce: 7n })
    const text = JSON.stringify({ ...body, origin: '1234567890123456789012 stays a text: 99999999999999999999' })
      .replace('"123456789012345678901"', '123456789012345678901')
      .replace('"nonce":"7"', '"nonce":7')
    const headers = { 'content-type': 'application/json' }
    expect(await client.ask(path(), { method: 'POST', headers, body: text })).toMatchObject({ status: 201 })
    expect((await client.ask(`/v2/multisig-transactions/${safeTxHash}/`)).body).toMatchObject({
      value: '123456789012345678901',
      nonce: '7',
      origin: '1234567890123456789012 stays a text: 99999999999999999999',
    })
  })
})

describe('a Safe whose singleton is no official release', () => {
  test('error: UNKNOWN_SINGLETON: its proposals are 422 and its messages 400, with the singleton, and nothing is stored', async () => {
    const own = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
    await call(asAlice, addSafe, { chainId, address: own })
    const { safeTx, safeTxHash, signature: signed } = await signedTx(own, alice)
    const texts = Object.fromEntries(Object.entries(safeTx).map(([name, value]) => [name, String(value)]))
    const { operation } = safeTx
    const body = { ...texts, operation, contractTransactionHash: safeTxHash, sender: alice.address, signature: signed }
    // Code of a release with one byte behind it, at an address of its own.
    const copy = getAddress(`0x${'c0'.repeat(20)}`)
    const singleton = await actor.rpc('eth_getStorageAt', own, numberToHex(0), 'latest')
    const code = await actor.rpc('eth_getCode', getAddress(`0x${String(singleton).slice(-40)}`), 'latest')
    await actor.rpc('anvil_setCode', copy, `${code}00`)
    await actor.rpc('anvil_setStorageAt', own, numberToHex(0, { size: 32 }), padHex(copy, { size: 32 }))
    await actor.rpc('evm_mine')

    const proposals = `/v2/safes/${own}/multisig-transactions/`
    const refused = await client.post(proposals, body)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining(copy)])
    const messages = `/v1/safes/${own}/messages/`
    const message = await client.post(messages, { message: 'hello', signature })
    expect([message.status, JSON.stringify(message.body)]).toEqual([400, expect.stringContaining(copy)])
    for (const list of [proposals, messages]) expect((await client.ask(list)).body).toMatchObject({ count: 0 })
  })
})

describe('delegates', () => {
  const rest = () => ({ safe: safeAddress, delegate: bob.address, delegator: alice.address, label: 'L', signature })
  test.each([
    ['delegate', zeroAddress, '0x0 address is not allowed'],
    ['delegate', firstAddress, '0x1 address is not allowed'],
    ['delegator', zeroAddress, '0x0 address is not allowed'],
    ['delegator', firstAddress, '0x1 address is not allowed'],
    ['safe', zeroAddress, '0x0 address is not allowed'],
    ['safe', firstAddress, '0x1 address is not allowed'],
  ])('error: %s %s, in both versions', async (field, address, message) => {
    for (const version of ['v1', 'v2'])
      expect(await client.post(`/${version}/delegates/`, { ...rest(), [field]: address })).toMatchObject({
        status: 400,
        body: { [field]: [message] },
      })
    if (field !== 'delegate')
      expect(
        await client.post(`/v2/delegates/${bob.address}/`, { ...rest(), [field]: address }, 'DELETE'),
      ).toMatchObject({ status: 400, body: { [field]: [message] } })
  })

  test('error: our own API names none either', async () => {
    const browser = await signInAs(server, alice)
    for (const delegate of [zeroAddress, firstAddress]) {
      const named = { chainId, delegate, label: 'L', expiryDate: null }
      expect(await codeOf(call(browser, addDelegate, { ...named, safeAddress }))).toBe('INVALID_REQUEST')
      expect(await codeOf(call(browser, addDelegateOfAll, named))).toBe('INVALID_REQUEST')
    }
  })
})

describe('filters', () => {
  const module = () => `/v1/safes/${safeAddress}/module-transactions/`
  test.each(['5', '-1', 'call', '1.5'])('error: operation=%s is none', async (operation) => {
    expect(await client.ask(`${module()}?operation=${operation}`)).toMatchObject({
      status: 400,
      body: { operation: [`Select a valid choice. ${operation} is not one of the available choices.`] },
    })
  })
  test.each(['0', '1', '2', ''])('default: operation=%s is one', async (operation) => {
    expect(await client.ask(`${module()}?operation=${operation}`)).toMatchObject({ status: 200, body: { count: 0 } })
  })
  test.each(['nonce__gt=-1', 'value__lt=1.5', 'nonce=.5', 'value=%2B3', 'value__gt=1e3'])(
    'default: %s is a number',
    async (query) => {
      expect(await client.ask(`${path()}?${query}`)).toMatchObject({ status: 200 })
    },
  )
  test.each(['nonce=0x12', 'nonce=NaN', 'nonce=1_0', 'nonce=.'])('error: %s is none', async (query) => {
    expect(await client.ask(`${path()}?${query}`)).toMatchObject({ status: 400, body: { nonce: ['Enter a number.'] } })
  })
  test('error: a hash that is no hex, or of another length', async () => {
    expect((await client.ask(`${path()}?safe_tx_hash=0xzz`)).body).toEqual({
      safeTxHash: ['"0xzz" is not a valid keccak256 hash.'],
    })
    expect((await client.ask(`${path()}?transaction_hash=0x1`)).body).toEqual({
      transactionHash: ['"0x01" keccak256 hash should be 32 bytes.'],
    })
  })
})

describe('what is read into', () => {
  test('error: the decoder takes neither nobody nor the marker as a contract', async () => {
    for (const [to, message] of [
      [zeroAddress, '0x0 address is not allowed'],
      [firstAddress, '0x1 address is not allowed'],
    ])
      expect(await client.post('/v1/data-decoder/', { data: '0x12345678', to })).toMatchObject({
        status: 422,
        body: { to: [message] },
      })
  })

  test.each([
    ['function transfer(address to, uint256 value)', [bob.address, 1n]],
    ['function approve(address spender, uint256 value)', [bob.address, 1n]],
    ['function transferFrom(address from, address to, uint256 value)', [alice.address, bob.address, 1n]],
  ])('default: parameters of %s are called so', async (signature, args) => {
    const [item] = parseAbi([signature] as string[])
    if (item?.type !== 'function') throw new Error(signature)
    const data = encodeFunctionData({ abi: [item], args })
    const { body } = await client.post('/v1/data-decoder/', { data })
    expect(body.parameters.map(({ name }: { name: string }) => name)).toEqual(item.inputs.map(({ name }) => name))
  })
})

describe('typed data', () => {
  const mail = { domain: { name: 'Test', chainId }, types: { Mail: [{ name: 'contents', type: 'string' }] } }
  const propose = (message: object) => client.post(`/v1/safes/${safeAddress}/messages/`, { message, signature })

  test('error: a signature would not cover any part of the message', async () => {
    for (const change of [{ primaryType: 'EIP712Domain' }, { types: { Mail: [] } }]) {
      const { status, body } = await propose({
        ...mail,
        primaryType: 'Mail',
        message: { contents: 'pay 1' },
        ...change,
      })
      expect([status, Object.keys(body), body.message[0]]).toEqual([
        400,
        ['message'],
        expect.stringMatching(/^Provided dictionary is not a valid EIP712 message.*would not cover any part/),
      ])
    }
  })

  test('default: accepts typed data without the type of its domain, and its signature', async () => {
    const { body } = await propose({ ...mail, primaryType: 'Mail', message: { contents: 'hi' } })
    expect(JSON.stringify(body)).not.toContain('EIP712')
  })
})

describe('about/deployments', () => {
  test('default: releases of the Safe, with the addresses that this chain has, and no others', async () => {
    const { body } = await client.ask('/v1/about/deployments/')
    expect(body.map(({ version }: { version: string }) => version)).toEqual([
      '1.0.0',
      '1.1.1',
      '1.2.0',
      '1.3.0',
      '1.4.1',
      '1.5.0',
    ])
    for (const { contracts } of body)
      for (const { address, ...rest } of contracts) {
        expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
        expect(Object.keys(rest)).toEqual(['contractName'])
      }
    const { body: named } = await client.ask('/v1/about/deployments/?version=1.4.1&contract=SafeL2')
    expect(named).toEqual([
      {
        version: '1.4.1',
        contracts: [{ contractName: 'SafeL2', address: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762' }],
      },
    ])
    expect((await client.ask('/v1/about/deployments/?version=1.4.1&contract=Nothing')).body).toEqual([
      { version: '1.4.1', contracts: [] },
    ])
    for (const version of ['0.1.0', '9.9.9'])
      expect(await client.ask(`/v1/about/deployments/?version=${version}`)).toMatchObject({ status: 404, body: '' })
  })
})
