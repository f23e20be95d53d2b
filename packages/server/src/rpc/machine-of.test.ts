import { expect, test } from 'vitest'
import { machineOf } from './machine-of.ts'

test.each([
  ['https://node.example', 'https://node.example:8546/key'],
  ['https://node.example/a', 'http://NODE.example./b'],
  ['http://localhost:8545', 'http://127.0.0.1:8546'],
  ['http://127.0.0.2:8545', 'http://[::1]:8545'],
  ['http://[::ffff:127.0.0.1]', 'http://node.localhost'],
  ['http://2130706433', 'http://0x7f.1'],
])('%s and %s are one machine', (one, other) => {
  expect(machineOf(one)).toBe(machineOf(other))
})

test.each([
  ['https://node.example', 'https://other.example'],
  ['https://node.example', 'https://a.node.example'],
  ['http://10.0.0.1:8545', 'http://10.0.0.2:8545'],
  ['http://localhost.example', 'http://localhost'],
])('%s and %s may be two', (one, other) => {
  expect(machineOf(one)).not.toBe(machineOf(other))
})
