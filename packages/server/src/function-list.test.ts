import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, findFunctions } from '@countersign/contract'
import { type Hex, toFunctionSelector } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { parseEnvironment } from './config/environment.ts'
import { readFunctionList } from './function-list.ts'
import { alice, asAlice, openScene } from './test/scene.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function fileOf(content: string | Uint8Array, name = 'functions.txt'): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-functions-'))
  folders.push(folder)
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const read = (content: string | Uint8Array) => Object.fromEntries(readFunctionList(fileOf(content)).bySelector)

const transfer = { '0xa9059cbb': ['transfer(address,uint256)'] }

describe('readFunctionList', () => {
  test.each([
    ['lines', '# tokens\n\ntransfer(address,uint256)\r\n'],
    ['lines with selectors', '0xA9059CBB transfer(address,uint256)\n0xa9059cbb, transfer(address,uint256)'],
    ['names of parameters, which could tell a story', 'function transfer(address yourOwnSafe, uint256 nothing)'],
    ['a list in JSON', '["transfer(address,uint256)", "transfer(address to,uint256 amount)"]'],
    ['an object in JSON', '{ "0xa9059cbb": "transfer(address,uint256)" }'],
    ['an object of lists', '{ "0xa9059cbb": ["transfer(address,uint256)", "transfer(address,uint256)"] }'],
  ])('behavior: %s', (_, content) => {
    expect(read(content)).toEqual(transfer)
  })

  test('behavior: two functions with one selector both stay, since nothing tells which is meant', () => {
    expect(read('many_msg_babbage(bytes1)\ntransfer(address,uint256)')).toEqual({
      '0xa9059cbb': ['many_msg_babbage(bytes1)', 'transfer(address,uint256)'],
    })
  })

  test('behavior: names of prototypes are names as any other', () => {
    const names = ['constructor()', '__proto__()', 'toString()', 'hasOwnProperty(bytes)']
    expect(read(names.join('\n'))).toEqual(
      Object.fromEntries(names.map((name) => [toFunctionSelector(`function ${name}`), [name]])),
    )
    expect(() => read('{ "__proto__": "transfer(address,uint256)" }')).toThrow(/0xa9059cbb, not `__proto__`/)
  })

  test('behavior: reads a list of the maximum size', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `f${at}(uint256,(address,bytes)[],string)`.padEnd(100))
    const path = fileOf(lines.join('\n'))
    expect(readFunctionList(path).bySelector.size).toBeGreaterThan(99_900)
  })

  test.each([
    ['more than 10 MB', 'x'.repeat(10 * 1024 * 1024 + 1), 'is larger than 10485760 bytes'],
    ['more functions than are read', 'f()\n'.repeat(100_001), 'has 100001 functions; 100000 are read at most'],
    ['a selector that is another', '0xdeadbeef transfer(address,uint256)', 'line 1: the selector of'],
    ['a name of another in JSON', '{ "0xdeadbeef": ["transfer(address,uint256)"] }', 'not `0xdeadbeef`'],
    ['no function', 'f()\nhello', 'line 2: `hello` is no function'],
    ['an unknown type', 'f(uint7)', 'line 1: `f(uint7)` is no function'],
    ['types in types without end', `f(${'('.repeat(50_000)}`, 'line 1:'],
    ['lists in lists without end', `["f(uint256${'[]'.repeat(20)})"]`, 'entry 0:'],
    ['letters that look like others', 'trаnsfer(address,uint256)', 'is no function'],
    ['something that is no text', '[1]', 'entry 0: must be a text'],
    ['null', '{ "0xa9059cbb": null }', 'must be a text'],
    ['half a JSON', '["f()"', 'JSON'],
    ['bytes that are no text', new Uint8Array([0x66, 0xff, 0xfe]), 'not valid'],
  ])('error: %s', (_, content, reason) => {
    const path = fileOf(content)
    expect(() => readFunctionList(path)).toThrow(reason)
  })
})

describe('functionList in the configuration', () => {
  const configured = (functionList: string) =>
    parseEnvironment({
      DATABASE_URL: 'postgres://localhost/countersign',
      COUNTERSIGN_CONFIG: fileOf(JSON.stringify({ functionList }), 'countersign.config.json'),
    })

  test('default', () => {
    const { functionList } = configured(fileOf('transfer(address,uint256)'))
    expect(functionList).toEqual({ name: 'functions.txt', bySelector: new Map(Object.entries(transfer)) })
  })

  test('error: CONFIGURATION_INVALID', () => {
    expect(() => configured(fileOf('hello'))).toThrow(/functionList .*line 1: 'hello' is no function/)
    expect(() => configured('/nowhere/list.txt')).toThrow(/functionList '\/nowhere\/list.txt'/)
    expect(() => configured('/dev/zero')).toThrow(/is no file/)
  })
})

describe('findFunctions', () => {
  const content = 'many_msg_babbage(bytes1)\ntransfer(address,uint256)'
  openScene([alice], () => ({ functionList: readFunctionList(fileOf(content)) }))
  const listOf = async (selector: Hex) => (await call(asAlice, findFunctions, { selector })).list

  test('default', async () => {
    const name = 'functions.txt'
    expect(await listOf('0xA9059CBB')).toEqual({ name, functions: content.split('\n') })
    expect(await listOf('0x00000000')).toEqual({ name, functions: [] })
  })

  test('error: INVALID_REQUEST', async () => {
    await expect(listOf('0xa9059c')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(listOf('__proto__' as Hex)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
