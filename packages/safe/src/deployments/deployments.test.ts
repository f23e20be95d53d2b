import { type Hex, keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
// @ts-expect-error The generator is plain JavaScript.
import { readDeployments, readProxies } from '../../generate-deployments.mjs'
import { deployments } from './deployments.data.ts'
import {
  type Deployment,
  deploymentAt,
  isDelegatecallAllowed,
  isDelegatecallLibrary,
  listedChains,
  lookupDeployment,
  officialDeployment,
  officialDeployments,
  officialProxyVersion,
  officialSingleton,
} from './deployments.ts'
import { proxies } from './proxy-code.data.ts'

const UNKNOWN_HASH = `0x${'11'.repeat(32)}` as const
const callOnly = { to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2', selector: '0x8d80ff0a' } as const
const CALL_ONLY_HASH = '0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939'

type Listed = Omit<Deployment, 'chains'> & { chains: number[] }
const listed: Listed[] = readDeployments()

describe('deployments', () => {
  it('are those of @safe-global/safe-deployments and safe-modules-deployments, with their chains', () => {
    expect(deployments.length).toBe(listed.length)
    expect(listed.length).toBeGreaterThan(80)
    deployments.forEach(([name, version, kind, place, address, codeHash, chains], at) => {
      const row: Deployment = { name, version, kind, place, address, codeHash, chains }
      expect({ ...row, chains: listedChains(row) }).toEqual(listed[at])
    })
  })

  it('are run by delegatecall where they are libraries', () => {
    expect(isDelegatecallLibrary('multi-send-call-only')).toBe(true)
    expect(isDelegatecallLibrary('migration')).toBe(true)
    expect(isDelegatecallLibrary('singleton-l2')).toBe(false)
    expect(isDelegatecallLibrary('module')).toBe(false)
  })

  it('are given whole, in the order of the list', () => {
    expect(officialDeployments().map(({ address }) => address)).toEqual(deployments.map(([, , , , address]) => address))
  })

  it.each<{ version: string; creationCode: string; codeHash: string }>(readProxies())(
    'proxies of $version are those of the contract packages',
    ({ version, ...proxy }) => {
      expect(Object.entries(proxies).find(([known]) => known === version)?.[1]).toEqual(proxy)
      expect(proxy.creationCode).toContain('fe6080604052')
    },
  )

  it('have no address twice, but for a library that two releases share', () => {
    const addresses = listed.filter(({ kind }) => kind !== 'p256-verifier').map(({ address }) => address.toLowerCase())
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it('are found by address and code together', () => {
    const [first] = deployments
    expect(lookupDeployment(first[4], first[5])?.name).toBe('GnosisSafe')
    expect(lookupDeployment(first[4], UNKNOWN_HASH)).toBeNull()
    expect(lookupDeployment('0x1111111111111111111111111111111111111111', first[5])).toBeNull()
  })

  it('name a module by its address, and take no code for proof of it', () => {
    const module = '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'
    expect(deploymentAt(module)).toMatchObject({ name: 'AllowanceModule', kind: 'module', codeHash: null })
    expect(lookupDeployment(module, UNKNOWN_HASH)).toBeNull()
  })

  it('say where they are listed', () => {
    const safe = deploymentAt('0xd9Db270c1B5E3Bd161E8c8503c55cEABeE709552')
    const other = deploymentAt('0xB00ce5CCcdEf57e539ddcEd01DF43a13855d9910')
    if (safe === null || other === null) throw new Error('The table has no Safe 1.3.0.')
    expect(listedChains(safe)).toContain(1)
    expect(listedChains(other)).toContain(324)
    expect(listedChains(other)).not.toContain(1)
  })
})

/** Code that creation code leaves: from after its own end, less the sentence that it reverts with. */
function runtimeOf(creationCode: Hex): Hex {
  const start = creationCode.indexOf('6000f3fe') + '6000f3fe'.length
  return `0x${creationCode.slice(start, creationCode.indexOf('496e76616c6964'))}`
}

describe('officialProxyVersion', () => {
  it('default', () => {
    for (const [version, { creationCode, codeHash }] of Object.entries(proxies)) {
      const code = runtimeOf(creationCode)
      expect(keccak256(code)).toBe(codeHash)
      expect(officialProxyVersion(code)).toBe(version)
      expect(officialProxyVersion(`${code}00`)).toBeNull()
    }
    expect(officialProxyVersion('0x')).toBeNull()
    // The code of the proxies that contracts on mainnet compare 1.0.0 with.
    expect(proxies['1.0.0'].creationCode).toContain('1e7d648b83cfac072cbccefc2ffc62a6999d4a050ee87a721942de1da9670db8')
  })
})

describe('officialSingleton', () => {
  it('tells L1 from L2, and refuses other contracts', () => {
    const l1 = officialDeployment('singleton', '1.4.1')
    const l2 = officialDeployment('singleton-l2', '1.4.1')
    if (!l1?.codeHash || !l2?.codeHash) throw new Error('The table has no Safe 1.4.1.')
    expect(officialSingleton(l1.address, l1.codeHash)?.version).toBe('1.4.1')
    expect(officialSingleton(l2.address, l2.codeHash)?.version).toBe('1.4.1+L2')
    expect(officialSingleton(l2.address, UNKNOWN_HASH)).toBeNull()
    expect(officialSingleton(callOnly.to, CALL_ONLY_HASH)).toBeNull()
  })
})

describe('isDelegatecallAllowed', () => {
  it('requires both an allowed kind and an allowed function', () => {
    expect(isDelegatecallAllowed('multi-send-call-only', '0x8d80ff0a')).toBe(true)
    expect(isDelegatecallAllowed('multi-send-call-only', '0xa9059cbb')).toBe(false)
  })

  it('never allows a singleton, a factory or CreateCall', () => {
    for (const kind of ['singleton', 'singleton-l2', 'factory', 'handler', 'create-call'] as const)
      expect(isDelegatecallAllowed(kind, '0x8d80ff0a')).toBe(false)
  })
})
