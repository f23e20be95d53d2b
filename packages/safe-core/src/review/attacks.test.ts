import { readFileSync } from 'node:fs'
import { type Address, encodeFunctionData, type Hex, padHex, parseAbi, slice, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { safeAbi } from '../abi.ts'
import { describeCall, flattenCalls } from '../calldata.ts'
import { officialDeployment } from '../deployments.ts'
import { entryOf, inForce } from '../policy/scene.ts'
import { newSafeTx, type SafeTx } from '../safe-tx.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { codesOf, ids, inputOf, runAsTold, safeAddress, state, stranger } from './scene.ts'

type Vector = Record<
  'safe' | 'version' | 'to' | 'value' | 'data' | 'safeTxGas' | 'gasToken' | 'safeTxHash' | 'source',
  string
> & {
  chainId: number
  operation: 0 | 1
  nonce: number
  attack?: string
  confirmations?: { owner: Address; signature: Hex }[]
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../vectors/safe-tx-hashes.json', import.meta.url), 'utf8'),
)

function attackInput(attack: string, owners: Address[], others: string[] = []): ReviewInput {
  const find = (name: string) => {
    const found = vectors.find((vector) => vector.attack === name)
    if (found === undefined) throw new Error(`There is no vector \`${name}\`.`)
    return found
  }
  const vector = find(attack)
  const [version = ''] = vector.version.split('+')
  const official = officialDeployment('singleton', version)
  if (official === null) throw new Error(`There is no Safe \`${version}\`.`)
  const safe = vector.safe as Address
  const safeTx = newSafeTx({
    to: vector.to as Address,
    value: BigInt(vector.value),
    data: vector.data as Hex,
    operation: vector.operation,
    safeTxGas: BigInt(vector.safeTxGas),
    nonce: BigInt(vector.nonce),
  })
  const input: ReviewInput = {
    chainId: vector.chainId,
    safeAddress: safe,
    safeTx,
    claimedHash: vector.safeTxHash as Hex,
    state: {
      ...state,
      chainId: vector.chainId,
      address: safe,
      owners,
      threshold: 3,
      nonce: BigInt(vector.nonce),
      singleton: official.address,
      singletonCodeHash: official.codeHash,
      version,
      reportedVersion: version,
    },
    codes: codesOf(safe, safeTx),
    confirmations: vector.confirmations ?? [],
    others: others.map(find).map((other) => ({
      safeTxHash: other.safeTxHash as Hex,
      nonce: BigInt(other.nonce),
      confirmations: other.confirmations ?? [],
    })),
    account: null,
    origin: null,
    tokens: [],
  }
  return { ...input, simulation: runAsTold(input) }
}

describe('attacks that happened', () => {
  const bybitOwners: Address[] = [
    '0x1F4EB0a903619ac168b19A82F1a6e2e426522211',
    '0x3Cc3A225769900e003E264dd4CB43E90896BC21A',
    '0xe3dF2cCEAc61B1aFA311372ecC5B40A3A6585a9E',
  ]

  it('Bybit: the transaction that was executed', async () => {
    const review = await reviewSafeTx(attackInput('bybit-2025-02-21', bybitOwners, ['bybit-2025-02-21-decoy']))
    expect(review.verdict).toBe('do-not-sign')
    expect(ids(review)).toEqual(
      expect.arrayContaining(['DC-UNKNOWN', 'SELECTOR-MASQUERADE', 'NONCE-CONFLICT', 'SIG-ETHSIGN']),
    )
    expect(review.confirmations.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid'])
    expect(review.effects).toMatchObject([{ key: 'foreign-code' }])
  })

  it('Bybit: the transaction that was shown carries the signatures of the other', async () => {
    const review = await reviewSafeTx(attackInput('bybit-2025-02-21-decoy', bybitOwners, ['bybit-2025-02-21']))
    expect(review.verdict).toBe('do-not-sign')
    expect(ids(review)).toEqual(expect.arrayContaining(['SIG-MISMATCH', 'SIG-OTHER-TX', 'NONCE-CONFLICT']))
    for (const confirmation of review.confirmations) {
      expect(confirmation.status).toBe('invalid')
      expect(confirmation.otherSafeTxHash).toBe('0xb3476d061aeb8fc1d605a873c483a2402d88a68a9cdd1a8b47655dd55ba004f8')
    }
  })

  it('Bybit: the shown transaction is refused even when the other one is kept secret', async () => {
    const review = await reviewSafeTx(attackInput('bybit-2025-02-21-decoy', bybitOwners))
    expect(review.verdict).toBe('do-not-sign')
    expect(ids(review)).not.toContain('SIG-OTHER-TX')
  })

  const rest = vectors.filter(({ attack }) => attack !== undefined && !attack.startsWith('bybit'))

  it('are WazirX and Radiant besides', () => {
    expect(rest.map(({ attack }) => attack?.split('-')[0]).toSorted()).toEqual(['radiant', 'wazirx'])
  })

  it.each(rest)('$attack', async ({ attack = '', confirmations = [] }) => {
    const owners = confirmations.map(({ owner }) => owner)
    const review = await reviewSafeTx(attackInput(attack, owners))
    expect(review.verdict).toBe('do-not-sign')
    const expected = attack.startsWith('wazirx') ? ['DC-UNKNOWN', 'DECODE-NONE'] : ['OWNERSHIP-TRANSFER']
    expect(ids(review)).toEqual(expect.arrayContaining(expected))
  })
})

describe('delegatecalls of a superchain operator', () => {
  const legitimate = vectors.filter(({ source }) => source.includes('superchain-ops'))

  function inputOfVector(vector: Vector, change: Partial<ReviewInput> = {}): ReviewInput {
    const singleton = officialDeployment('singleton', '1.3.0')
    if (singleton?.codeHash == null) throw new Error('The table has no Safe 1.3.0.')
    const safe = vector.safe as Address
    const safeTx = newSafeTx({
      to: vector.to as Address,
      data: vector.data as Hex,
      operation: 1,
      nonce: BigInt(vector.nonce),
    })
    const input: ReviewInput = {
      ...inputOf({}),
      chainId: vector.chainId,
      nodeChainId: vector.chainId,
      safeAddress: safe,
      safeTx,
      claimedHash: vector.safeTxHash as Hex,
      chainSafeTxHash: vector.safeTxHash as Hex,
      codes: codesOf(safe, safeTx),
      state: {
        ...state,
        chainId: vector.chainId,
        address: safe,
        owners: ownersOf(safe, safeTx),
        threshold: 6,
        nonce: safeTx.nonce,
        singleton: singleton.address,
        singletonCodeHash: singleton.codeHash,
        version: '1.3.0',
        reportedVersion: '1.3.0',
      },
      account: null,
      tokens: [],
      ...change,
    }
    return { ...input, simulation: runAsTold(input) }
  }

  /** Owners among whom the swaps in it are possible: each old owner right behind the one before it. */
  function ownersOf(safe: Address, safeTx: SafeTx): Address[] {
    const owners: Address[] = []
    const before = new Map<string, Address>()
    for (const { kind, args } of flattenCalls(describeCall({ ...safeTx, safeAddress: safe }))) {
      if (kind !== 'safe-settings') continue
      const [given = '0x', oldOwner = '0x', newOwner = '0x'] = args.map(({ value }) => value as Address)
      // An earlier swap may have put the one before into its place.
      const previous = before.get(given.toLowerCase()) ?? given
      before.set(newOwner.toLowerCase(), oldOwner)
      if (BigInt(previous) > 1n && !owners.includes(previous)) {
        owners.splice(owners.includes(oldOwner) ? owners.indexOf(oldOwner) : owners.length, 0, previous)
      }
      if (!owners.includes(oldOwner)) owners.splice(owners.indexOf(previous) + 1, 0, oldOwner)
    }
    return [
      ...owners,
      ...Array.from({ length: 12 }, (_, index) => padHex(`0x${(index + 16).toString(16)}`, { size: 20 })),
    ]
  }

  /** Entries for every delegatecall in it, as a team would write them down once. */
  function allowAll(
    input: ReviewInput,
    limit = Number.POSITIVE_INFINITY,
  ): Pick<ReviewInput, 'policy' | 'implementations'> {
    const calls = flattenCalls(describeCall({ ...input.safeTx, safeAddress: input.safeAddress }))
    const allowed = calls
      .filter(({ operation }) => operation === 1)
      .map(({ to, data }) => ({ address: to, codeHash: input.codes?.[to.toLowerCase()]?.codeHash ?? zeroHash, data }))
      .map(({ data, ...code }) => entryOf({ kind: 'delegatecall', ...code, selector: slice(data, 0, 4) }))
    const implementations = Object.fromEntries(calls.map(({ to }) => [to.toLowerCase(), null]))
    return { policy: inForce({ allowed: allowed.slice(0, limit) }), implementations }
  }

  const delegatecallsOf = ({ safeTx, safeAddress }: ReviewInput) =>
    flattenCalls(describeCall({ ...safeTx, safeAddress })).filter(({ operation }) => operation === 1).length

  it('are 53', () => expect(legitimate.length).toBe(53))

  it.each(legitimate)('$safeTxHash: the delegatecall, and nothing else', async (vector) => {
    const review = await reviewSafeTx(inputOfVector(vector))
    expect(review.findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual(['DC-UNKNOWN critical'])
  })

  // These attacks may be signed, but the review shows their effects. It cannot read all of them, and says so.
  const told = new Set(['DC-UNKNOWN', 'DECODE-NONE', 'OWNER-SWAP', 'OWNERSHIP-TRANSFER'])

  it.each(legitimate)('$safeTxHash: allowed, it is less than critical, and what it does is told', async (vector) => {
    const input = inputOfVector(vector)
    const allowed = { ...input, ...allowAll(input) }
    const review = await reviewSafeTx({ ...allowed, simulation: runAsTold(allowed) })
    expect(review.findings.filter(({ id }) => !told.has(id))).toEqual([])
    const delegatecalls = review.findings.filter(({ id }) => id === 'DC-UNKNOWN')
    expect(new Set(delegatecalls.map(({ severity }) => severity))).toEqual(new Set(['medium']))
    expect(review.checks.find(({ id }) => id === 'delegatecall')?.status).toBe('passed')
    const swaps = review.call.calls?.filter(({ kind }) => kind === 'safe-settings').length ?? 0
    expect(ids(review).filter((id) => id === 'OWNER-SWAP').length).toBe(swaps)
  })

  it('allowed on the outside alone, it lets no delegatecall inside through', async () => {
    const nested = legitimate.map((vector) => inputOfVector(vector)).find((input) => delegatecallsOf(input) > 1)
    if (nested === undefined) throw new Error('No vector has a delegatecall inside.')
    const review = await reviewSafeTx({ ...nested, ...allowAll(nested, 1) })
    expect(review.findings[0]).toMatchObject({ id: 'DC-UNKNOWN', severity: 'critical', where: { call: [0] } })
    expect(review.verdict).toBe('do-not-sign')
  })

  it('allowed, it lets no change of the Safe itself through', async () => {
    const abi = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)'])
    const enable = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [stranger] })
    const args = [[{ target: safeAddress, allowFailure: false, callData: enable }]] as const
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args })
    const input = inputOf({ to: '0xcA11bde05977b3631167028862bE2a173976CA11', operation: 1, data })
    const review = await reviewSafeTx({ ...input, ...allowAll(input) })
    expect(ids(review)).toContain('MODULE-ENABLE')
    expect(review.verdict).toBe('do-not-sign')
  })
})
