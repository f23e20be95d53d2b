import { encodeExecTransaction, hashSafeTx, newSafeTx, safeEventTopics } from '@countersign/safe-core'
import { type Address, concat, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { type KnownSafe, readExecution } from './executions.ts'
import type { EthereumTransaction, Log } from './logs.ts'

const address: Address = '0x2222222222222222222222222222222222222222'
const safe: KnownSafe = { chainId: 1, address, version: '1.4.1', domainVersion: '1.4.1', threshold: 1 }
const safeTx = newSafeTx({ to: '0x3333333333333333333333333333333333333333', data: '0xdeadbeef', nonce: 0n })
const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress: address, version: '1.4.1', safeTx })
const [topic = '0x'] = safeEventTopics('ExecutionSuccess')
const log: Log = {
  address,
  topics: [topic, safeTxHash],
  data: pad('0x00'),
  blockNumber: 1,
  blockHash: pad('0x01'),
  transactionHash: pad('0x02'),
  logIndex: 0,
  blockTimestamp: null,
}

/** Reads the execution of `safeTx` from a transaction with this calldata; the Safe has its first nonce. */
function read(input: Hex) {
  const call: EthereumTransaction = { hash: pad('0x02'), from: address, to: address, input, value: '0x0' }
  return readExecution(async () => pad('0x00'), { log, logs: [log], safe, call })
}

describe('readExecution', () => {
  test('default: finds the fields wherever they are wrapped', async () => {
    const execution = encodeExecTransaction(safeTx, '0x')
    expect(await read(execution)).toMatchObject({ safeTx })
    expect(await read(concat(['0x8d80ff0a6a761202', execution, '0x6a761202']))).toMatchObject({ safeTx })
  })

  test('behavior: is not kept busy by calldata that is full of selectors', async () => {
    const started = performance.now()
    expect(await read(`0x${'6a761202'.repeat(16_000)}`)).toMatchObject({ safeTx: null })
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
