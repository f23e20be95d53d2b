import {
  type ContractRole,
  composeCalls,
  composeSafeTx,
  encodeApprovedHash,
  encodeExecTransaction,
  type Intent,
  libraryCandidates,
  readContractFit,
  readSafeState,
  type SafeState,
} from '@countersign/safe-core'
import { type Address, getAddress, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { canonicalContract } from './canonical-contracts.ts'
import { readCodes, requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, deployAnySafe, handlerOf } from './test-safes.ts'

const owner = demoAccounts[3].address
const [second, third, fourth] = [demoAccounts[4].address, demoAccounts[5].address, demoAccounts[6].address]
/** Answers 1 to everything: whoever asks whether it is a guard is told yes. */
const guard = getAddress('0x00000000000000000000000000000000009a4d01')
const [moduleOne, moduleTwo] = [1, 2].map((index) => getAddress(numberToHex(0xabcd00 + index, { size: 20 }))) as [
  Address,
  Address,
]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  await requestNode(devnet.rpcUrl, 'anvil_setCode', guard, '0x600160005260206000f3')
})
afterAll(() => devnet?.close())

function read(safeAddress: Address): Promise<SafeState> {
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) =>
    requestNode(devnet.rpcUrl, method, ...params)
  return readSafeState(request, safeAddress, devnet.chainId)
}

/** Composes and executes, as the only owner whose word is needed; answers what the draft says and what the chain says then. */
async function carryOut(safeAddress: Address, intents: readonly Intent[]) {
  const before = await read(safeAddress)
  const draft = composeCalls(intents, before)
  expect(draft.intents.flatMap(({ problems }) => problems)).toEqual([])
  const candidates = libraryCandidates('multi-send-call-only', before)
  const codes = await readCodes(
    devnet.rpcUrl,
    candidates.map(({ address }) => address),
  )
  const library = candidates.find((_, index) => (codes[index] ?? '0x') !== '0x')
  const safeTx = composeSafeTx(draft.calls, { nonce: before.nonce, multiSend: library?.address ?? null })
  if (safeTx === null) throw new Error('there is nothing to execute')
  const data = encodeExecTransaction(safeTx, encodeApprovedHash(owner))
  await sendAll(devnet.rpcUrl, owner, [{ to: safeAddress, data, gas: 2_000_000n }])
  const after = await read(safeAddress)
  expect(after.nonce).toBe(before.nonce + 1n)
  return { draft, after }
}

let saltNonce = 9_100n
function newSafe(version: AnyVersion): Promise<Address> {
  saltNonce += 1n
  return deployAnySafe({ ...devnet, version, owners: [owner], threshold: 1, saltNonce })
}

describe('composeCalls', () => {
  test.each(['1.1.1', '1.3.0', '1.4.1', '1.5.0'] as const)(
    'behavior: the settings of a Safe %s are afterwards what the draft said',
    async (version) => {
      const safeAddress = await newSafe(version)
      const { draft, after } = await carryOut(safeAddress, [
        { kind: 'add-owner', owner: second, threshold: 2 },
        { kind: 'add-owner', owner: third, threshold: 1 },
        { kind: 'swap-owner', owner: second, newOwner: fourth },
        { kind: 'change-threshold', threshold: 2 },
        { kind: 'remove-owner', owner: fourth, threshold: 1 },
        { kind: 'enable-module', module: moduleOne },
        { kind: 'enable-module', module: moduleTwo },
        { kind: 'disable-module', module: moduleOne },
        { kind: 'set-handler', handler: handlerOf(version === '1.3.0' ? '1.4.1' : '1.3.0') },
        ...(version === '1.1.1' ? [] : [{ kind: 'set-guard', guard } as const]),
        ...(version === '1.5.0' ? [{ kind: 'set-module-guard', guard } as const] : []),
      ])
      expect(after).toMatchObject(draft.after)
      expect(after.owners).toEqual([third, owner])
      expect(after.modules).toEqual([moduleTwo])
    },
  )

  test.each([
    ['1.1.1', '1.4.1', false],
    ['1.3.0', '1.4.1', true],
    ['1.3.0', '1.5.0', false],
    ['1.4.1', '1.4.1', true],
    ['1.4.1', '1.5.0', true],
  ] as const)('behavior: a Safe %s becomes %s by the migration contract', async (from, version, isL2) => {
    const safeAddress = await newSafe(from)
    const { after } = await carryOut(safeAddress, [{ kind: 'upgrade', version, isL2, setsHandler: true }])
    expect(after).toMatchObject({
      version: isL2 ? `${version}+L2` : version,
      ...{ owners: [owner], threshold: 1, fallbackHandler: handlerOf(version) },
    })
    const { after: later } = await carryOut(safeAddress, [{ kind: 'add-owner', owner: second, threshold: 1 }])
    expect(later.owners).toEqual([second, owner])
  })
})

describe('readContractFit', () => {
  const fitOf = (address: Address, role: ContractRole) =>
    readContractFit(({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params), address, role)

  test('default: every released handler fits, a singleton and an account do not', async () => {
    for (const version of ['1.3.0', '1.4.1', '1.5.0'] as const) {
      expect(await fitOf(handlerOf(version), 'handler')).toBe('fits')
      expect(await fitOf(canonicalContract(version, 'multi_send').address, 'handler')).toBe('other-contract')
    }
    expect(await fitOf(canonicalContract('1.5.0', 'extensible_fallback_handler').address, 'handler')).toBe('fits')
    expect(await fitOf(second, 'handler')).toBe('no-contract')
    expect(await fitOf(guard, 'guard')).toBe('fits')
    expect(await fitOf(handlerOf('1.4.1'), 'guard')).toBe('other-contract')
  })
})
