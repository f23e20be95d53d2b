import {
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  newSafeTx,
  officialDeployment,
  predictSafeAddress,
} from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { knownCreation } from './known-creation.ts'

const owners: Address[] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222']
const newSafe = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: 7n } as const
const { to, data } = encodeCreateProxy(newSafe)
const parent: Address = '0x3333333333333333333333333333333333333333'
const known = { safeAddress: predictSafeAddress(newSafe), factory: to, data, owners, threshold: 2 }
const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? parent

test('a creation is read from the call of the factory, and from inside a batch of another Safe', () => {
  expect(knownCreation(to, data)).toMatchObject(known)
  const batch = encodeMultiSend([{ to, value: 0n, data }])
  expect(knownCreation(callOnly, batch)).toMatchObject(known)
  const safeTx = newSafeTx({ to: callOnly, data: batch, operation: 1, nonce: 0n })
  expect(knownCreation(parent, encodeExecTransaction(safeTx, '0x'))).toMatchObject(known)
})

test('one of 1.1.1 comes to the same address on another chain, too', () => {
  const [factory, singleton] = [officialDeployment('factory', '1.1.1'), officialDeployment('singleton', '1.1.1')]
  if (!factory || !singleton) throw new Error('The table has no 1.1.1.')
  const initializer = encodeSetup({ owners, threshold: 1 }, '1.1.1')
  const creation = { singleton: singleton.address, initializer, saltNonce: 0n, callback: null }
  const old = encodeProxyCreation({ ...creation, method: 'createProxyWithNonce' })
  expect(knownCreation(factory.address, old)).toMatchObject({ factory: factory.address, threshold: 1, owners })
  // Without salt its address depends on what the factory did before.
  const unsalted = encodeProxyCreation({ ...creation, saltNonce: null, method: 'createProxy' })
  expect(knownCreation(factory.address, unsalted)).toBe('one-chain')
})

test('no other call is a creation: of a factory that is no release, of one chain alone, of nothing', () => {
  expect(knownCreation(parent, data)).toBe('none')
  expect(knownCreation(to, '0x')).toBe('none')
  const initializer = encodeSetup({ owners, threshold: 1 })
  const creation = { singleton: parent, initializer, saltNonce: 0n, callback: null }
  const specific = encodeProxyCreation({ ...creation, method: 'createChainSpecificProxyWithNonce' })
  expect(knownCreation(to, specific)).toBe('one-chain')
})
