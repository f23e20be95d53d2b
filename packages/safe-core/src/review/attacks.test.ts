import { readFileSync } from 'node:fs'
import { type Address, type Hex, size } from 'viem'
import { describe, expect, it } from 'vitest'
import { deploymentAt, officialDeployment } from '../deployments.ts'
import { newSafeTx } from '../safe-tx.ts'
import { reviewSafeTx } from './review.ts'
import { codesOf, ids, inputOf, state } from './scene.ts'
import type { ReviewInput } from './types.ts'

type Vector = Record<'safe' | 'version' | 'to' | 'value' | 'data' | 'safeTxGas' | 'gasToken' | 'safeTxHash', string> & {
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
  return {
    chainId: vector.chainId,
    safeAddress: safe,
    safeTx,
    claimedSafeTxHash: vector.safeTxHash as Hex,
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
    sources: 'server-only',
  }
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

describe('delegatecalls that are legitimate elsewhere', () => {
  // Multicall3 and its relatives are no Safe libraries. That they are refused is intended: see DC-UNKNOWN.
  const delegatecalls = vectors.filter(({ operation }) => operation === 1)

  it.each(delegatecalls)('$safeTxHash', async (vector) => {
    const safe = vector.safe as Address
    const safeTx = newSafeTx({
      to: vector.to as Address,
      data: vector.data as Hex,
      operation: 1,
      nonce: BigInt(vector.nonce),
    })
    const review = await reviewSafeTx({
      ...inputOf({}),
      safeAddress: safe,
      safeTx,
      claimedSafeTxHash: null,
      codes: codesOf(safe, safeTx),
    })
    const isLibrary = deploymentAt(safeTx.to) !== null && size(safeTx.data) >= 4
    if (!isLibrary) expect(ids(review)).toContain('DC-UNKNOWN')
    else expect(ids(review)).toContain('DC-KNOWN-LIB')
  })
})
