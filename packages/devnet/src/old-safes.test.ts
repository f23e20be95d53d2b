import { readSafeState } from '@countersign/safe'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { readCodes, requestNode } from './node-client.ts'
import { deployOldSafe, type OldContract, oldContract, oldContracts, oldSafeVersions } from './old-safes.ts'
import { type Devnet, startDevnet } from './start.ts'

const owners = [demoAccounts[4].address, demoAccounts[5].address, demoAccounts[6].address]
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
})
afterAll(() => devnet?.close())

describe('oldContract', () => {
  test('behavior: the npm artifacts of 1.1.1 are the official code, those of 1.0.0 and 1.2.0 are not', () => {
    const officials = oldSafeVersions.flatMap((version) => oldContracts(version)).filter(({ isOfficial }) => isOfficial)
    expect(officials.map(({ version, asset }) => `${asset} ${version}`)).toEqual([
      'gnosis_safe 1.1.1',
      'proxy_factory 1.1.1',
      'multi_send 1.1.1',
      'default_callback_handler 1.1.1',
    ])
  })
})

describe('deployOldSafe', () => {
  test.each(oldSafeVersions)('default: version %s', async (version) => {
    const safe = await deployOldSafe({ rpcUrl: devnet.rpcUrl, version, owners, threshold: 2, saltNonce: 1n })
    const singleton = oldContract(version, 'gnosis_safe')
    const onChain = await readCodes(
      devnet.rpcUrl,
      oldContracts(version).map(({ address }: OldContract) => address),
    )
    expect(onChain.map((code) => keccak256(code))).toEqual(oldContracts(version).map(({ codeHash }) => codeHash))
    const state = await readSafeState(
      ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params),
      safe,
      devnet.chainId,
    )
    expect(state).toMatchObject({
      threshold: 2,
      nonce: 0n,
      singleton: singleton.address,
      version: singleton.isOfficial ? version : null,
      reportedVersion: version,
    })
    expect(new Set(state.owners)).toEqual(new Set(owners))
    const other = await deployOldSafe({ rpcUrl: devnet.rpcUrl, version, owners, threshold: 2, saltNonce: 2n })
    expect(other).not.toBe(safe)
  })
})
