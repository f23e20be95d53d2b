import * as releases from '@safe-global/safe-deployments'
import * as moduleReleases from '@safe-global/safe-modules-deployments'
import {
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  erc4626Abi,
  type Hex,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { writeAbiSignature } from '../abi/abi-type.ts'
import { decodeCalldata, listedFunctions } from './functions.ts'
import { parseGivenAbi } from './given-abi.ts'
import { knownFunctions } from './known-functions.ts'
import { protocolFunctions } from './protocol-functions.ts'

const lines = Object.entries({ ...knownFunctions, ...protocolFunctions }).flatMap(([family, list]) =>
  list.map((line) => ({ family, line })),
)

/** Every contract that the Safe project has released, in every version, with its ABI. */
const contracts = [...Object.values(releases), ...Object.values(moduleReleases)]
  .flatMap((find) => {
    if (typeof find !== 'function' || find.length > 1) return []
    return ['1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0', '0.1.0', '0.1.1', '0.2.0', '0.2.1', '0.3.0'].flatMap(
      (version) => {
        const deployment: unknown = Reflect.apply(find, undefined, [{ version }])
        return deployment === undefined ? [] : [{ name: `${find.name} ${version}`, abi: Object(deployment).abi }]
      },
    )
  })
  .filter(({ abi }) => Array.isArray(abi))

const standards = [
  { name: 'ERC-20', abi: erc20Abi },
  { name: 'ERC-721', abi: erc721Abi.filter((entry) => !('name' in entry) || entry.name !== 'tokenByIndex') },
  { name: 'ERC-1155', abi: erc1155Abi },
  { name: 'ERC-4626', abi: erc4626Abi },
  { name: 'Multicall3', abi: multicall3Abi },
]

describe('the list of functions', () => {
  it('has the selector of every function before it', () => {
    for (const { line } of lines) {
      const known = listedFunctions(line.slice(0, 8)).find(({ signature }) =>
        line.includes(` ${signature.split('(')[0]}(`),
      )
      expect(known && toFunctionSelector(known.signature)).toBe(`0x${line.slice(0, 8)}`)
      expect(known && writeAbiSignature(known)).toBe(known?.signature)
    }
  })

  it('has no function twice', () => {
    const signatures = lines.flatMap(({ line }) => listedFunctions(line.slice(0, 8)).map(({ signature }) => signature))
    expect(new Set(signatures).size).toBe(lines.length)
  })

  it('is looked into contract by contract', () => {
    expect(contracts.length).toBeGreaterThan(40)
  })

  it.each([...contracts, ...standards])('knows every function of $name', ({ abi }) => {
    for (const { signature, selector } of parseGivenAbi(abi)) {
      expect(listedFunctions(selector.slice(2)).map((listed) => listed.signature)).toContain(signature)
    }
  })

  it('knows the functions that have taken money before', () => {
    // Selectors as published with the incidents and in the documents of the protocols, not computed here.
    const published = {
      'approve(address,address,uint160,uint48)': '87517c45',
      'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': '2b67b570',
      'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)': '30f28b7a',
      'upgradeToAndCall(address,bytes)': '4f1ef286',
      'transferOwnership(address)': 'f2fde38b',
      'setLendingPoolImpl(address)': '5aef021f',
      'aggregate3((address,bool,bytes)[])': '82ad56cb',
      'aggregate3Value((address,bool,uint256,bytes)[])': '174dea71',
      'multicall(bytes[])': 'ac9650d8',
    }
    for (const [signature, selector] of Object.entries(published)) {
      expect(listedFunctions(selector).map((listed) => listed.signature)).toEqual([signature])
    }
  })
})

describe('functions that share a selector', () => {
  // Both are a9059cbb: the second one was mined to be.
  const collision = { type: 'function', name: 'many_msg_babbage', inputs: [{ name: 'flag', type: 'bytes1' }] }
  const given = parseGivenAbi([collision])
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [`0x${'11'.repeat(20)}`, 5n] })

  it('collide', () => {
    expect(given[0]?.selector).toBe('0xa9059cbb')
  })

  it('are all named, and the one on the list wins', () => {
    expect(decodeCalldata(transfer, given)).toMatchObject({
      called: { signature: 'transfer(address,uint256)', source: 'built-in' },
      alternatives: [{ signature: 'many_msg_babbage(bytes1)', source: 'given', isExact: false }],
    })
  })

  it('are never read by a given ABI, though the list cannot read the bytes and it can', () => {
    // Contracts of old compilers take a transfer whose amount is missing.
    const short: Hex = `0xa9059cbb${encodeAbiParameters([{ type: 'bytes1' }], ['0xff']).slice(2)}`
    expect(decodeCalldata(short, given)).toMatchObject({
      called: null,
      failure: { id: 'too-short' },
      alternatives: [
        { signature: 'transfer(address,uint256)', source: 'built-in', isExact: false },
        { signature: 'many_msg_babbage(bytes1)', source: 'given', isExact: true },
      ],
    })
  })

  it('never let a given ABI explain away what does not fit the list', () => {
    const long = parseGivenAbi([
      { type: 'function', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint256' }] },
    ])
    const spare: Hex = `${transfer}${'00'.repeat(32)}`
    const three = {
      ...long[0],
      inputs:
        parseGivenAbi([
          { type: 'function', name: 'f', inputs: [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }] },
        ])[0]?.inputs ?? [],
      signature: 'f(address,uint256,uint256)',
      name: 'f',
      source: 'given',
      family: null,
      selector: '0xa9059cbb',
    } as const
    const decoded = decodeCalldata(spare, [three])
    expect(decoded?.called?.source).toBe('built-in')
    expect(decoded?.called && decoded.decoded.isExact).toBe(false)
    expect(decoded?.alternatives).toEqual([{ signature: 'f(address,uint256,uint256)', source: 'given', isExact: true }])
  })
})
