import type { RpcRequest } from '@countersign/safe'
import { type Hex, toHex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { safeAddress } from '../scene.ts'
import type { Header } from './header.ts'
import { createProvedReader } from './proved-reader.ts'
import { judgeSources } from './vouched-block.ts'

test('requests the slots of an account in several parts, and each slot once', async () => {
  const parts: Hex[][] = []
  const request: RpcRequest = async ({ method, params = [] }) => {
    if (method !== 'eth_getProof') return '0x0'
    parts.push(params[1] as Hex[])
    throw new Error('This node gives no proofs.')
  }
  const block = {
    chainId: 1,
    number: 1n,
    hash: zeroHash,
    header: { stateRoot: zeroHash } as Header,
    vouching: judgeSources(zeroHash, [], 0),
  }
  const slots = Array.from({ length: 1_200 }, (_, index) => toHex(index, { size: 32 }))
  const question = { address: safeAddress, withAccount: false, slots }
  await createProvedReader(request, block).read({ accounts: [question], blockNumbers: [] })
  expect(parts.map(({ length }) => length)).toEqual([500, 500, 200])
  expect(parts.flat()).toEqual(slots)
})
