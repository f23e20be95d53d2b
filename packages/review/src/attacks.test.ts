import { readFileSync } from 'node:fs'
import { hashSafeTx, isSameAddress, newSafeTx, officialDeployment, type SafeTx, safeAbi } from '@countersign/safe'
import { type Call, describeCall, flattenCalls, parseGivenAbi } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  keccak256,
  padHex,
  parseAbi,
  slice,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { demandsOf } from './acknowledgements.ts'
import type { FindingId } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { entryOf, inForce } from './policy/scene.ts'
import { reviewSafeTx } from './review.ts'
import { codesOf, ids, inputOf, runAsTold, safeAddress, state, stranger } from './scene.ts'
import type { Verdict } from './types.ts'

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
  readFileSync(new URL('../../safe/vectors/safe-tx-hashes.json', import.meta.url), 'utf8'),
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

  /** Functions of the operator's contracts, as their ABI gives them: what multicalls call besides the Safe itself. */
  const functions = parseGivenAbi(
    parseAbi([
      'function setGasLimit(uint64 gasLimit)',
      'function setEIP1559Params(uint32 denominator, uint32 elasticity)',
      'function setRespectedGameType(uint32 gameType)',
      'function setImplementation(uint32 gameType, address implementation, bytes args)',
      'function setInitBond(uint32 gameType, uint256 initBond)',
      'function setBatcherHash(bytes32 batcherHash)',
      'function setUnsafeBlockSigner(address signer)',
      'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data)',
    ]),
  )
  const selectors = new Set(functions.map(({ selector }) => selector))

  /** The code behind the proxy at an address. */
  const behind = (proxy: Address) => slice(keccak256(proxy), 0, 20)

  /** All that a team would have given for it: entries for its delegatecalls, and the ABI of the code behind each proxy. */
  function allowed(input: ReviewInput): ReviewInput {
    const calls = flattenCalls(describeCall({ ...input.safeTx, safeAddress: input.safeAddress }))
    const read = calls.filter(({ operation, data }) => operation === 0 && selectors.has(slice(data, 0, 4)))
    const proxies = read.map(({ to }) => {
      const proxy = { address: behind(to), codeHash: keccak256('0x6002'), kind: 'eip1967' as const }
      return [to.toLowerCase(), proxy] as const
    })
    const { policy, implementations } = allowAll(input)
    const given: ReviewInput = {
      ...input,
      policy,
      implementations: { ...implementations, ...Object.fromEntries(proxies) },
      abis: read.map(({ to }) => ({ address: behind(to), functions })),
    }
    return { ...given, simulation: runAsTold(given) }
  }

  /** Those whose inner calls decide more than a tick: control that goes to somebody, and bytes that look like a call. */
  const harder: Record<string, [Verdict, FindingId]> = {
    '0x0ad3b377': ['do-not-sign', 'OWNERSHIP-TRANSFER'],
    '0xa0f635ed': ['do-not-sign', 'OWNERSHIP-TRANSFER'],
    '0xd82c4c1e': ['do-not-sign', 'OWNERSHIP-TRANSFER'],
    '0x8e15aad6': ['do-not-sign', 'PROXY-UPGRADE'],
    '0x0f383bea': ['cannot-verify', 'DECODE-NONE'],
  }

  it.each(legitimate)('$safeTxHash: allowed, what it does decides, not the code that does it', async (vector) => {
    const review = await reviewSafeTx(allowed(inputOfVector(vector)))
    const calls = flattenCalls(review.call)
    const isAllCode = calls.every(({ operation }) => operation === 1)
    const [verdict, because] = harder[vector.safeTxHash.slice(0, 10)] ?? [
      isAllCode ? 'matches' : 'matches-with-warnings',
    ]
    expect(review.verdict).toBe(verdict)
    if (because !== undefined) expect(ids(review)).toContain(because)
    expect(review.checks.find(({ id }) => id === 'delegatecall')?.status).toBe('passed')
    // Code that the team has allowed is still told, and stops nobody.
    const ofCode = review.findings.filter(({ where: { call } }) =>
      calls.some(({ path, operation }) => operation === 1 && path.join() === call?.join()),
    )
    expect(new Set(ofCode.map(({ id, severity }) => `${id} ${severity}`))).toEqual(new Set(['DC-UNKNOWN medium']))
    const ordinary = calls.filter(({ operation }) => operation === 0).map(({ path }) => path.join())
    for (const { finding } of demandsOf(review)) expect(ordinary, finding.id).toContain(finding.where.call?.join())
    const swaps = calls.filter(({ kind }) => kind === 'safe-settings').length
    expect(ids(review).filter((id) => id === 'OWNER-SWAP').length).toBe(swaps)
  })

  const multicall = parseAbi([
    'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
    'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  ])

  /** A transaction with one of its inner calls changed, and the hash of what it is then. */
  function changedVector(vector: Vector, at: number, change: { target: Address } | { selector: Hex }): Vector {
    const { functionName, args } = decodeFunctionData({ abi: multicall, data: vector.data as Hex })
    const changed = args[0].map((call, index) => {
      if (index !== at) return call
      if ('target' in change) return { ...call, target: change.target }
      return { ...call, callData: concat([change.selector, slice(call.callData, 4)]) }
    })
    const data = encodeFunctionData({ abi: multicall, functionName, args: [changed] } as never)
    const { chainId, safe, to, nonce } = vector
    const safeTx = newSafeTx({ to: to as Address, data, operation: 1, nonce: BigInt(nonce) })
    const hashes = hashSafeTx({ chainId, safeAddress: safe as Address, version: '1.3.0', safeTx })
    return { ...vector, data, safeTxHash: hashes.safeTxHash }
  }

  /** Everything that was given for the transaction as it was, and the facts about the one that it is now. */
  function changedInput(vector: Vector, at: number, change: { target: Address } | { selector: Hex }): ReviewInput {
    const { policy, implementations, abis } = allowed(inputOfVector(vector))
    const now = inputOfVector(changedVector(vector, at, change))
    const nobody = { [stranger]: null }
    const input = { ...now, policy, abis, implementations: { ...implementations, ...nobody } }
    return { ...input, simulation: runAsTold(input) }
  }

  /** Other code at the called contract: behind a proxy where an ABI reads the call, of the Safe where it calls itself. */
  function changedCode(vector: Vector, { to }: Call): ReviewInput {
    const input = allowed(inputOfVector(vector))
    const key = to.toLowerCase()
    const code = { codeHash: keccak256('0x6003'), size: 2 }
    const isSafe = isSameAddress(to, input.safeAddress)
    const proxy = input.implementations?.[key]
    const isProxy = proxy !== null && proxy !== undefined
    const changed: ReviewInput = {
      ...input,
      codes: { ...input.codes, [key]: code },
      implementations: isProxy
        ? { ...input.implementations, [key]: { ...proxy, address: stranger, codeHash: code.codeHash } }
        : input.implementations,
      state:
        isSafe && input.state ? { ...input.state, proxyCodeHash: code.codeHash, isOfficialProxy: false } : input.state,
    }
    return { ...changed, simulation: runAsTold(changed) }
  }

  const inner = legitimate.flatMap((vector) =>
    (describeCall({ ...inputOfVector(vector).safeTx, safeAddress: vector.safe as Address }).calls ?? []).map((call) => {
      return {
        vector,
        call,
        at: call.path[0] ?? 0,
        name: `call ${call.path.join('.')} of ${vector.safeTxHash.slice(0, 10)}`,
      }
    }),
  )

  it('have inner calls, all of them', () => expect(new Set(inner.map(({ vector }) => vector)).size).toBe(53))

  /** Asks for a refusal that no person can answer, or of a power that goes to somebody, which names the changed call. */
  async function expectRefusal(input: ReviewInput, { path, to, operation }: Pick<Call, 'path' | 'to' | 'operation'>) {
    const review = await reviewSafeTx(input)
    expect(['do-not-sign', 'cannot-verify']).toContain(review.verdict)
    // Findings that say the same at several places are one demand: this place alone is asked.
    const here = review.findings.filter(
      ({ where, evidence }) => where.call?.join() === path.join() && isSameAddress(evidence.to ?? '', to),
    )
    const named = demandsOf({ hash: review.hash, checks: [], findings: here })
    if (operation === 1) {
      expect(review.verdict).toBe('do-not-sign')
      expect(named).toContainEqual(
        expect.objectContaining({ way: 'never', finding: expect.objectContaining({ id: 'DC-UNKNOWN' }) }),
      )
      return
    }
    expect(named.filter(({ way }) => way !== 'tick').map(({ finding: { id } }) => id)).not.toEqual([])
  }

  it.each(inner)('$name, to another contract, is refused', async ({ vector, call, at }) => {
    await expectRefusal(changedInput(vector, at, { target: stranger }), { ...call, to: stranger })
  })

  it.each(inner)('$name, of another function, is refused', async ({ vector, call, at }) => {
    await expectRefusal(changedInput(vector, at, { selector: '0xdeadbeef' }), call)
  })

  it.each(inner)('$name, to other code, is refused', async ({ vector, call }) => {
    const input = changedCode(vector, call)
    if (!isSameAddress(call.to, input.safeAddress)) return expectRefusal(input, call)
    // Its own code is the Safe's, and a fact about the whole.
    const review = await reviewSafeTx(input)
    expect(review.verdict).toBe('cannot-verify')
    expect(demandsOf(review)).toContainEqual(
      expect.objectContaining({ way: 'never', finding: expect.objectContaining({ id: 'PROXY-UNKNOWN' }) }),
    )
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
