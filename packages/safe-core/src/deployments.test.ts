import { describe, expect, it } from 'vitest'
// @ts-expect-error The generator is plain JavaScript.
import { readDeployments, readProxyCode } from '../generate-deployments.mjs'
import { deployments } from './deployments.data.ts'
import { knownDelegatecallTarget, lookupDeployment, officialSingleton } from './deployments.ts'
import { proxyCreationCode } from './proxy-code.data.ts'

const UNKNOWN_HASH = `0x${'11'.repeat(32)}` as const
const callOnly = { to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2', selector: '0x8d80ff0a' } as const
const CALL_ONLY_HASH = '0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939'

describe('deployments', () => {
  it('are those of @safe-global/safe-deployments', () => {
    expect(deployments).toEqual(readDeployments())
    expect(proxyCreationCode).toEqual(readProxyCode())
  })

  it('have no address twice', () => {
    expect(new Set(deployments.map(({ address }) => address.toLowerCase())).size).toBe(deployments.length)
  })

  it('are found by address and code together', () => {
    const [first] = deployments
    expect(lookupDeployment(first.address, first.codeHash)?.name).toBe('GnosisSafe')
    expect(lookupDeployment(first.address, UNKNOWN_HASH)).toBeNull()
    expect(lookupDeployment('0x1111111111111111111111111111111111111111', first.codeHash)).toBeNull()
  })
})

describe('officialSingleton', () => {
  it('tells L1 from L2, and refuses other contracts', () => {
    const l1 = deployments.find(({ name, version }) => name === 'Safe' && version === '1.4.1')
    const l2 = deployments.find(({ name, version }) => name === 'SafeL2' && version === '1.4.1')
    if (l1 === undefined || l2 === undefined) throw new Error('The table has no Safe 1.4.1.')
    expect(officialSingleton(l1.address, l1.codeHash)?.version).toBe('1.4.1')
    expect(officialSingleton(l2.address, l2.codeHash)?.version).toBe('1.4.1+L2')
    expect(officialSingleton(l2.address, UNKNOWN_HASH)).toBeNull()
    expect(officialSingleton(callOnly.to, CALL_ONLY_HASH)).toBeNull()
  })
})

describe('knownDelegatecallTarget', () => {
  it('wants address, code and function', () => {
    expect(knownDelegatecallTarget({ ...callOnly, codeHash: CALL_ONLY_HASH })?.name).toBe('MultiSendCallOnly')
    expect(knownDelegatecallTarget({ ...callOnly, codeHash: UNKNOWN_HASH })).toBeNull()
    expect(knownDelegatecallTarget({ ...callOnly, codeHash: CALL_ONLY_HASH, selector: '0xa9059cbb' })).toBeNull()
  })

  it('never allows a singleton, a factory or CreateCall', () => {
    for (const { address, codeHash, kind } of deployments) {
      if (!['singleton', 'singleton-l2', 'factory', 'handler', 'create-call'].includes(kind)) continue
      expect(knownDelegatecallTarget({ to: address, codeHash, selector: '0x8d80ff0a' })).toBeNull()
    }
  })
})
