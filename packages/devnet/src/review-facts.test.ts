import { readFact } from '@countersign/review'
import { type Address, concat, getAddress, type Hex, keccak256, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { deploySafe } from './deploy-safe.ts'
import { requestNode } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'

// Facts of a review that say what a contract is, asked of real contracts on a real node.

const at = (digits: string): Address => getAddress(pad(`0x${digits}`, { size: 20 }))
const nobody = at('00dead01')
const slot1967: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const slotBeacon: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const slot1822: Hex = '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'
const slotZeppelin: Hex = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'

let devnet: Devnet
let multisig: Address
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  const owners = [demoAccounts[4].address]
  multisig = await deploySafe({ rpcUrl, chainId, version: '1.4.1', l2: true, owners, threshold: 1, saltNonce: 7n })
})
afterAll(() => devnet?.close())

const chain = () => (request: { method: string; params?: unknown[] }) =>
  requestNode(devnet.rpcUrl, request.method, ...(request.params ?? []))

function implementationsOf(...addresses: Address[]): Promise<unknown> {
  return readFact(chain, { id: 'implementations', need: { chainId: 31_337, addresses } })
}

const setCode = (address: Address, code: Hex) => requestNode(devnet.rpcUrl, 'anvil_setCode', address, code)
const setSlot = (address: Address, slot: Hex, value: Hex) =>
  requestNode(devnet.rpcUrl, 'anvil_setStorageAt', address, slot, pad(value, { size: 32 }))
const key = (address: Address) => address.toLowerCase()
/** Code that answers everything with one word. */
const answering = (word: Hex): Hex => concat(['0x7f', pad(word, { size: 32 }), '0x60005260206000f3'])

describe('implementations', () => {
  test('default: proxies of every kind, with the code that they run', async () => {
    const { erc20 } = devnet.tokens
    const code = await requestNode(devnet.rpcUrl, 'eth_getCode', erc20, 'latest')
    const codeHash = keccak256(code as Hex)
    const [minimal, withArguments, eip1967, eip1822, zeppelin, proxyOfBeacon, beacon] = [
      ...['c0de1', 'c0de2', 'c0de3', 'c0de4', 'c0de5', 'c0de6', 'c0de7'].map(at),
    ] as [Address, Address, Address, Address, Address, Address, Address]
    const clone = concat(['0x363d3d373d3d3d363d73', erc20, '0x5af43d82803e903d91602b57fd5bf3'])
    await setCode(minimal, clone)
    await setCode(withArguments, concat([clone, '0x1234']))
    for (const proxy of [eip1967, eip1822, zeppelin, proxyOfBeacon]) await setCode(proxy, '0x6001')
    await setSlot(eip1967, slot1967, erc20)
    await setSlot(eip1822, slot1822, erc20)
    await setSlot(zeppelin, slotZeppelin, erc20)
    await setSlot(proxyOfBeacon, slotBeacon, beacon)
    await setCode(beacon, answering(erc20))
    const found = await implementationsOf(minimal, withArguments, eip1967, eip1822, zeppelin, proxyOfBeacon)
    expect(found).toEqual({
      [key(minimal)]: { kind: 'minimal', address: erc20, codeHash },
      [key(withArguments)]: { kind: 'minimal', address: erc20, codeHash },
      [key(eip1967)]: { kind: 'eip1967', address: erc20, codeHash },
      [key(eip1822)]: { kind: 'eip1822', address: erc20, codeHash },
      [key(zeppelin)]: { kind: 'zeppelin', address: erc20, codeHash },
      [key(proxyOfBeacon)]: { kind: 'beacon', address: erc20, codeHash },
    })
  })

  test('behavior: a Safe is a proxy of its singleton, and another contract with an address in slot 0 is not', async () => {
    const found = (await implementationsOf(multisig)) as Record<string, { kind: string }>
    expect(found[key(multisig)]).toMatchObject({ kind: 'safe' })
    const other = at('c0de8')
    await setCode(other, '0x6001')
    await setSlot(other, '0x0', devnet.tokens.erc20)
    expect(await implementationsOf(other, nobody, devnet.tokens.erc20)).toEqual({
      [key(other)]: null,
      [key(nobody)]: null,
      [key(devnet.tokens.erc20)]: null,
    })
  })

  test('behavior: a proxy that names several places says so, since its own code chooses between them', async () => {
    const [decoy, beacon, clone] = [at('c0de21'), at('c0de22'), at('c0de23')]
    const { erc20 } = devnet.tokens
    await setCode(decoy, '0x6001')
    await setSlot(decoy, slot1967, erc20)
    await setSlot(decoy, slotBeacon, beacon)
    await setCode(beacon, answering(nobody))
    await setCode(clone, concat(['0x363d3d373d3d3d363d73', erc20, '0x5af43d82803e903d91602b57fd5bf3']))
    await setSlot(clone, slot1967, nobody)
    expect(await implementationsOf(decoy, clone)).toMatchObject({
      [key(decoy)]: { kind: 'eip1967', address: erc20, isMixed: true },
      [key(clone)]: { kind: 'minimal', address: erc20, isMixed: true },
    })
  })

  test('behavior: bytes above the address hide nothing, and neither does an address without code', async () => {
    const [odd, empty] = [at('c0de9'), at('c0de10')]
    for (const proxy of [odd, empty]) await setCode(proxy, '0x6001')
    await setSlot(odd, slot1967, concat([`0x${'ff'.repeat(12)}`, nobody]))
    await setSlot(empty, slot1967, nobody)
    const found = { kind: 'eip1967', address: nobody, codeHash: keccak256('0x') }
    expect(await implementationsOf(odd, empty)).toEqual({ [key(odd)]: found, [key(empty)]: found })
  })

  test('behavior: a node that is silent says nothing', async () => {
    const silent = () => () => Promise.reject(new Error('No.'))
    const need = { chainId: 31_337, addresses: [nobody] }
    expect(await readFact(silent, { id: 'implementations', need })).toEqual({ [key(nobody)]: undefined })
  })
})
