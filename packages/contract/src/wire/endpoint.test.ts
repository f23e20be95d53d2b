import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import { errorTable } from '../errors/errors.ts'
import * as contract from '../index.ts'
import { type Endpoint, type Input, type Reply, toWire, writeWire } from './endpoint.ts'

const endpoints = Object.values<unknown>(contract).filter(isEndpoint)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

describe('every endpoint', () => {
  test('behavior: name and address are its own', () => {
    expect(endpoints.length).toBeGreaterThan(10)
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length)
  })

  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
    expect(Object.entries(contract).find(([, value]) => value === endpoint)?.[0]).toBe(name)

    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)
    expect(inPath).toEqual(Object.keys(endpoint.params?.shape ?? {}))

    const body =
      endpoint.body instanceof z.ZodMiniObject ? Object.keys(endpoint.body.shape) : endpoint.body ? ['body'] : []
    const keys = [...inPath, ...Object.keys(endpoint.query?.shape ?? {}), ...body]
    expect(new Set(keys).size, 'input is flat: a key may stand in one place only').toBe(keys.length)

    if (endpoint.method !== 'POST') expect(endpoint.body).toBeUndefined()
    for (const code of endpoint.errors) expect(errorTable).toHaveProperty(code)
    expect(new Set(endpoint.errors).size).toBe(endpoint.errors.length)

    for (const schema of [endpoint.params, endpoint.query, endpoint.body, endpoint.reply])
      if (schema) expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow()
  })
})

describe('Input', () => {
  test('behavior: params and body are one object, as the program holds them', () => {
    expectTypeOf<Input<typeof contract.confirmTransaction>>().toExtend<{
      chainId: number
      safeTxHash: `0x${string}`
      signature: `0x${string}`
    }>()
    expectTypeOf<Input<typeof contract.proposeTransaction>['safeTx']['value']>().toEqualTypeOf<bigint>()
  })

  test('behavior: a body that is no object stands under `body`', () => {
    expectTypeOf<Input<typeof contract.callNode>>().toHaveProperty('body')
    expectTypeOf<Input<typeof contract.callNode>['chainId']>().toEqualTypeOf<number>()
  })
})

describe('Reply', () => {
  test('behavior: undefined when the operation answers nothing', () => {
    expectTypeOf<Reply<typeof contract.signOut>>().toEqualTypeOf<undefined>()
    expectTypeOf<Reply<typeof contract.getSafe>>().toEqualTypeOf<contract.Safe>()
  })
})

describe('writeWire', () => {
  test('default: the text of what toWire gives', () => {
    const value = { value: 10n ** 30n, calls: [{ nonce: 0n }], origin: null, ok: true, absent: undefined }
    expect(writeWire(value)).toBe(JSON.stringify(toWire(value)))
  })
})

describe('toWire', () => {
  test('default', () => {
    expect(toWire({ value: 10n ** 30n, calls: [{ nonce: 0n }], origin: null, ok: true, absent: undefined })).toEqual({
      value: '1000000000000000000000000000000',
      calls: [{ nonce: '0' }],
      origin: null,
      ok: true,
      absent: undefined,
    })
  })

  test('behavior: what is written is read back the same', () => {
    const safeTx = {
      to: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      value: (1n << 256n) - 1n,
      data: '0xabcd',
      operation: 1,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: '0x0000000000000000000000000000000000000000',
      refundReceiver: '0x0000000000000000000000000000000000000000',
      nonce: 7n,
    }
    expect(contract.storedSafeTx.parse(JSON.parse(JSON.stringify(toWire(safeTx))))).toEqual(safeTx)
  })
})
