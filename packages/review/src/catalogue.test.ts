import { officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, zeroAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { type FindingId, findingCatalogue, type Severity } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { account, inputOf, otherOwner, outsider, safeAddress, state, stranger, token } from './scene.ts'
import type { Where } from './types.ts'

const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
const singleton = officialDeployment('singleton', '1.4.1')
const SLOT_0 = zeroHash

const call = (to: Address, signature: string, args: readonly unknown[] = []) => ({
  to,
  data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
})
const batch = (...calls: { to: Address; data?: Hex; value?: bigint; operation?: 0 | 1 }[]) => ({
  to: callOnly,
  operation: 1 as const,
  data: encodeMultiSend(calls.map((call) => ({ value: 0n, data: '0x' as const, ...call }))),
})
const on = (version: string) => ({ state: { ...state, version, reportedVersion: version } })
const upgrade = (to: Address) => call(token, 'upgradeTo(address implementation)', [to])
const transferOwnership = (to: Address) => call(token, 'transferOwnership(address newOwner)', [to])
const settings = (signature: string, ...args: unknown[]) => call(safeAddress, signature, args)
const whole = { call: [] }

/** Findings that no other case produces, as they are listed, with their places. */
const cases: [id: FindingId, severity: Severity, where: Where, input: ReviewInput][] = [
  ['HASH-MISMATCH', 'critical', { field: 'safeTxHash' }, inputOf({}, { claimedHash: keccak256('0x') })],
  ['HASH-CHAIN-MISMATCH', 'critical', { field: 'safeTxHash' }, inputOf({}, { chainSafeTxHash: keccak256('0x') })],
  ['PROPOSAL-EDITED', 'critical', { field: 'safeTxHash' }, inputOf({}, { reviewedBefore: keccak256('0x') })],
  ['RPC-CHAINID', 'critical', { field: 'chainId' }, inputOf({}, { nodeChainId: 2 })],
  [
    'SINGLETON-UNKNOWN',
    'high',
    { slot: SLOT_0 },
    inputOf({}, { state: { ...state, version: null, singleton: stranger } }),
  ],
  [
    'SINGLETON-CODEHASH',
    'critical',
    { slot: SLOT_0 },
    inputOf({}, { state: { ...state, version: null, singletonCodeHash: keccak256('0x') } }),
  ],
  ['VERSION-LIES', 'critical', { slot: SLOT_0 }, inputOf({}, { state: { ...state, reportedVersion: '1.3.0' } })],
  ['VERSION-OLD', 'medium', { slot: SLOT_0 }, inputOf({}, on('1.1.1'))],
  ['DC-VALUE-IGNORED', 'medium', whole, inputOf({ ...batch({ to: stranger }), value: 1n })],
  ['BATCH-REVERT', 'high', whole, inputOf(batch({ to: stranger, operation: 1 }))],
  ['DECODE-NONE', 'medium', whole, inputOf({ data: '0xdeadbeef' })],
  ['DECODE-NONE', 'high', whole, inputOf({ data: '0xdeadbeef', value: 1n })],
  ['DECODE-NONE', 'high', whole, inputOf({ data: '0xdeadbeef', operation: 1 })],
  [
    'SELECTOR-AMBIGUOUS',
    'medium',
    whole,
    inputOf(call(stranger, 'transferFrom(address,address,uint256)', [safeAddress, stranger, 1n])),
  ],
  ['GUARD-REMOVE', 'high', whole, inputOf(settings('setGuard(address)', zeroAddress))],
  ['HANDLER-ZERO', 'medium', whole, inputOf(settings('setFallbackHandler(address)', zeroAddress))],
  ['SLOT0-CHANGE', 'critical', whole, inputOf(settings('changeMasterCopy(address)', stranger), on('1.1.1'))],
  [
    'SLOT0-OFFICIAL',
    'critical',
    whole,
    inputOf(settings('changeMasterCopy(address)', singleton?.address), on('1.1.1')),
  ],
  ['GAS-BASEGAS-HIGH', 'high', { field: 'baseGas' }, inputOf({ gasPrice: 1n, baseGas: 1_000_001n })],
  ['SAFETXGAS-SET', 'low', { field: 'safeTxGas' }, inputOf({ safeTxGas: 1n })],
  ['APPROVE-ALL-NFT', 'high', whole, inputOf(call(token, 'setApprovalForAll(address,bool)', [stranger, true]))],
  ['OWNERSHIP-TRANSFER', 'critical', whole, inputOf(transferOwnership(stranger))],
  ['OWNERSHIP-TRANSFER', 'critical', whole, inputOf(transferOwnership(zeroAddress))],
  ['OWNERSHIP-TRANSFER', 'high', whole, inputOf(transferOwnership(safeAddress))],
  ['OWNERSHIP-TRANSFER', 'high', whole, inputOf(transferOwnership(otherOwner))],
  ['PROXY-UPGRADE', 'critical', whole, inputOf(upgrade(stranger))],
  ['PROXY-UPGRADE', 'high', whole, inputOf(upgrade(singleton?.address ?? zeroAddress))],
  ['ROLE-CHANGE', 'critical', whole, inputOf(call(token, 'grantRole(bytes32,address)', [zeroHash, stranger]))],
  ['ROLE-CHANGE', 'high', whole, inputOf(call(token, 'grantRole(bytes32,address)', [zeroHash, safeAddress]))],
  ['ROLE-CHANGE', 'high', whole, inputOf(call(token, 'grantRole(bytes32,address)', [keccak256('0x'), stranger]))],
  ['ROLE-CHANGE', 'critical', whole, inputOf(call(token, 'setRoleAdmin(bytes32,bytes32)', [zeroHash, zeroHash]))],
  ['RENOUNCE', 'critical', whole, inputOf(call(token, 'renounceOwnership()'))],
  ['VALUE-HIDDEN', 'medium', whole, inputOf({ ...call(stranger, 'pause()'), value: 1n })],
  ['ADDR-LOOKALIKE', 'high', { field: 'to' }, inputOf({ to: '0x3333000000000000000000000000000000003333' })],
  [
    'ADDR-LOOKALIKE',
    'high',
    { field: 'refundReceiver' },
    inputOf({ refundReceiver: '0x3333000000000000000000000000000000003333' }),
  ],
]

describe('findingCatalogue', () => {
  it.each(cases)('%s can be %s, at %o', async (id, severity, where, input) => {
    const found = (await reviewSafeTx(input)).findings.filter((known) => known.id === id)
    expect(found.map((known) => known.severity)).toEqual([severity])
    expect(found[0]?.where).toMatchObject(where)
  })

  it.each(['upgradeTo(address)', 'setImplementation(address)', 'setLendingPoolImpl(address)'])(
    'PROXY-UPGRADE is told of %s in a batch, at its bytes',
    async (signature) => {
      const entry = call(token, signature, [stranger])
      const fields = batch({ to: stranger }, entry)
      const review = await reviewSafeTx(inputOf(fields))
      const found = review.findings.find(({ id }) => id === 'PROXY-UPGRADE')
      const { start = 0, end = 0 } = found?.where.bytes ?? {}
      expect(found).toMatchObject({ severity: 'critical', where: { call: [1] } })
      expect(`0x${fields.data.slice(start * 2 + 2, end * 2 + 2)}`).toBe(entry.data)
    },
  )

  it('ADDR-LOOKALIKE in an argument lies at the bytes of the address, inside a batch too', async () => {
    const imitation: Address = '0x3333000000000000000000000000000000003333'
    const fields = batch({ to: stranger }, call(token, 'transfer(address,uint256)', [imitation, 1n]))
    const found = (await reviewSafeTx(inputOf(fields))).findings.find(({ id }) => id === 'ADDR-LOOKALIKE')
    const { start = 0, end = 0 } = found?.where.bytes ?? {}
    expect(fields.data.slice(start * 2 + 2, end * 2 + 2)).toBe(imitation.slice(2).padStart(64, '0'))
  })

  it('every finding has a source, and severities from the worst on', () => {
    const order = ['critical', 'high', 'medium', 'low', 'info']
    for (const [id, { source, severities }] of Object.entries(findingCatalogue)) {
      expect(source, id).not.toBe('')
      expect(severities, id).toEqual(severities.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)))
    }
  })

  it('knows owners at any depth: through another Safe that acts as a module', async () => {
    const other: Address = '0x8888888888888888888888888888888888888888'
    const add = settings('addOwnerWithThreshold(address,uint256)', outsider.address, 1n)
    const asModule = 'execTransactionFromModule(address,uint256,bytes,uint8)'
    const back = call(safeAddress, asModule, [safeAddress, 0n, add.data, 0])
    const fields = batch(call(other, asModule, [safeAddress, 0n, back.data, 0]))
    const review = await reviewSafeTx(inputOf(fields))
    const owners = [outsider.address, account.address, ...state.owners.slice(1)]
    expect(review.configuration?.after).toMatchObject({ owners, threshold: 1 })
    expect(review.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['OWNER-ADD', 'THRESHOLD-DOWN', 'THRESHOLD-ONE', 'OWNER-QUORUM-UNKNOWN']),
    )
  })
})
