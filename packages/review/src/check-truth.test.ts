import { deploymentAt, isBoundToChain, officialDeployment } from '@countersign/safe'
import { callIssueKinds, encodeMultiSend, flattenCalls } from '@countersign/safe/calls'
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, maxUint256, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { inputOfWritten } from '../vectors/verdicts/review-shape.ts'
import { shapes } from '../vectors/verdicts/shapes.ts'
import { agingContracts } from './facts/contracts/code-ages.ts'
import { codeAt } from './findings/make-finding.ts'
import { executedRun } from './findings/simulation/finished.ts'
import type { ReviewInput, SignedInput } from './input.ts'
import { reviewSubject } from './review.ts'
import { account, inputOf, otherOwner, outsider, state, stranger, token } from './scene.ts'
import type { Check, SignedReview } from './types.ts'

// Compares the label of every passed check with the facts. The conditions come from the labels of the page, not from the checks.

type Seen = { input: SignedInput; review: SignedReview }
const ofTransaction = ({ input, review }: Seen) =>
  input.kind === 'transaction' && review.kind === 'transaction' ? { input, calls: flattenCalls(review.call) } : null
const isAmong = (addresses: readonly string[], one: string) =>
  addresses.some((other) => other.toLowerCase() === one.toLowerCase())

/** Conditions under which a label is true, by check and scope. */
const claims: Record<string, (seen: Seen) => boolean> = {
  hash: ({ input, review }) => input.claimedHash?.toLowerCase() === review.hash,
  'hash.unclaimed': ({ input }) => input.claimedHash === null,
  state: ({ input }) => input.state !== null && input.state.creation === undefined,
  'state.undeployed': ({ input }) => input.state?.creation !== undefined,
  singleton: ({ input }) => typeof input.state?.version === 'string',
  proxy: ({ input }) => input.state?.isOfficialProxy === true,
  signatures: ({ input, review }) =>
    review.confirmations.length > 0 &&
    review.confirmations.every(
      ({ owner, status, signatureType }) =>
        status === 'valid' &&
        isAmong(input.state?.owners ?? [], owner) &&
        (signatureType !== 'APPROVED_HASH' || input.approvedHashes?.[owner.toLowerCase()] === true) &&
        (signatureType !== 'CONTRACT_SIGNATURE' || input.contractSignatures?.[owner.toLowerCase()] === true),
    ),
  'signatures.none': ({ input, review }) => input.confirmations.length + review.confirmations.length === 0,
  'signatures.none-counts': ({ input, review }) =>
    review.confirmations.length > 0 &&
    review.confirmations.every(
      ({ owner, status }) =>
        status === 'not-owner' &&
        !isAmong(input.state?.owners ?? [], owner) &&
        isAmong(input.formerOwners ?? [], owner),
    ),
  'signatures.some': ({ input, review }) =>
    review.confirmations.some(({ status }) => status === 'valid') &&
    review.confirmations.every(
      ({ owner, status }) =>
        status === 'valid' || (status === 'not-owner' && !isAmong(input.state?.owners ?? [], owner)),
    ),
  encoding: (seen) =>
    ofTransaction(seen)?.calls.every(({ issues }) =>
      issues.every(({ id }) => callIssueKinds[id] === 'TEXT' || callIssueKinds[id] === 'REVERTS'),
    ) === true,
  delegatecall: (seen) =>
    ofTransaction(seen)?.calls.every(
      ({ operation, to }) =>
        operation === 0 ||
        seen.input.policy?.status === 'in-force' ||
        (deploymentAt(to) !== null && codeAt(seen.input.codes, to)?.codeHash === deploymentAt(to)?.codeHash),
    ) === true,
  functions: (seen) =>
    ofTransaction(seen)?.calls.every(
      ({ operation, name, data }) => operation === 1 || name !== null || data === '0x',
    ) === true,
  nested: ({ review }) => review.nested.length > 0,
  // Where the team's policy allows nothing, nothing critical may have been found.
  settings: (seen) =>
    !seen.review.findings.some(
      ({ id, severity, evidence }) =>
        severity === 'critical' &&
        evidence.nestedSafe === undefined &&
        /^(?:SLOT0|THRESHOLD-DOWN|OWNER-QUORUM|MODULE|GUARD|MODGUARD|HANDLER|DOMAIN-VERIFIER|CRIT-SLOT)/.test(id),
    ) &&
    (executedRun(seen.input as ReviewInput) !== null ||
      !seen.review.findings.some(({ id }) => id === 'DC-UNKNOWN' || id === 'DC-WRONG-SELECTOR')),
  policy: ({ input }) => input.policy?.status === 'in-force',
  refund: (seen) => (seen.input as ReviewInput).safeTx.gasPrice === 0n,
  nonce: ({ input }) => input.state !== null && (input as ReviewInput).safeTx.nonce >= input.state.nonce,
  code: (seen) =>
    ofTransaction(seen)?.calls.every(
      ({ to, data, operation }) =>
        operation === 1 || data === '0x' || BigInt(to) <= 1n || (codeAt(seen.input.codes, to)?.size ?? 0) > 0,
    ) === true,
  addresses: ({ review }) => !review.findings.some(({ id }) => id === 'ADDR-LOOKALIKE'),
  'chain-hash': ({ input, review }) => (input as ReviewInput).chainSafeTxHash === review.hash,
  'chain-id': ({ input }) => input.nodeChainId === input.chainId,
  domain: ({ input }) => input.state !== null && isBoundToChain(input.state),
  'domain.configured': ({ input }) => input.otherChains?.every(({ safe }) => safe !== 'unanswered') === true,
  outcome: ({ review }) => !review.findings.some(({ id }) => id === 'BALANCE-EXCEEDED' || id === 'SETTINGS-REVERT'),
  simulation: ({ input }) =>
    input.simulation?.result.status === 'finished' && input.simulation.crossCheck.status === 'agrees',
  'simulation.unasked': ({ input }) =>
    input.simulation?.result.status === 'finished' && input.simulation.crossCheck.status === 'unasked',
  'simulation.by-node': ({ input }) =>
    input.simulation?.result.status === 'unfinished' && input.simulation.standIn !== null,
  'second-source': ({ review }) => review.grade === 'proved',
  'second-source.one-node': ({ input, review }) =>
    review.grade === 'one-node' && input.provenance?.sources.needed === 1,
  'token-lists': (seen) =>
    ofTransaction(seen)?.calls.every(
      ({ kind, to, args }) =>
        !/^erc20-(?:transfer|approve)$/.test(kind) ||
        isAmong(
          seen.input.tokens.map(({ address }) => address),
          args.find(({ name }) => name === 'token')?.value ?? to,
        ),
    ) === true,
  'contract-age': (seen) =>
    agingContracts(seen.input as ReviewInput).every(
      (contract) => seen.input.codeAges?.[contract.toLowerCase()] === 'old',
    ),
}

const keyOf = ({ id, scope }: Check) => (scope === undefined ? id : `${id}.${scope}`)

/** Returns the passed checks, and those of their labels that are not true for the review. */
async function lookAt(input: SignedInput) {
  const review = await reviewSubject(input)
  const passed = review.checks.filter(({ status }) => status === 'passed').map(keyOf)
  return { review, passed, untrue: passed.filter((key) => claims[key]?.({ input, review }) !== true) }
}

const mark = (owner: Address): Hex => concat([pad(owner), pad('0x00'), '0x01'])
const transfer = (to: Address = stranger) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })
const plain = inputOf({ value: 1n })
const own = async (signer = account) => ({
  owner: signer.address,
  signature: await signer.sign({ hash: plain.claimedHash ?? '0x' }),
})
const finished = plain.simulation
if (finished?.result.status !== 'finished') throw new Error('The scene has a run.')

describe('the label of a passed check', () => {
  const former = [outsider.address]
  it.each(shapes)('is true: $file: $name', async (shape) => {
    for (const isRun of shape.way === 'run' ? [false, true] : [false]) {
      const input = await inputOfWritten(shape, { isRun })
      expect((await lookAt(input)).untrue).toEqual([])
      // And beside what a former owner has signed.
      const confirmations = [...input.confirmations, { owner: outsider.address, signature: mark(outsider.address) }]
      expect((await lookAt({ ...input, confirmations, formerOwners: former })).untrue).toEqual([])
    }
  })

  const approved = [{ owner: otherOwner, signature: mark(otherOwner) }]
  const signatures: [name: string, change: Partial<ReviewInput>, said: string | null][] = [
    ['no signature', {}, 'signatures.none'],
    ['an approval that the Safe shows', { approvedHashes: { [otherOwner.toLowerCase()]: true } }, 'signatures'],
    ['an approval that the Safe denies', { approvedHashes: { [otherOwner.toLowerCase()]: false } }, null],
    ['an approval of which the Safe was not asked', {}, null],
    [
      'an approval of which the node did not answer',
      { approvedHashes: { [otherOwner.toLowerCase()]: undefined } },
      null,
    ],
    ['the mark of a former owner', { formerOwners: former }, 'signatures.none-counts'],
    ['the mark of a stranger', {}, null],
  ]
  it.each(signatures)('of signatures, with %s', async (name, change, said) => {
    const confirmations = name.startsWith('an approval')
      ? approved
      : name.startsWith('the mark')
        ? [{ owner: outsider.address, signature: mark(outsider.address) }]
        : []
    const { passed, untrue } = await lookAt({ ...plain, ...change, confirmations })
    expect([passed.find((key) => key.startsWith('signatures')) ?? null, untrue]).toEqual([said, []])
  })

  it('for signatures of which some count and some do not', async () => {
    const stale = { owner: outsider.address, signature: mark(outsider.address) }
    const of = async (confirmations: ReviewInput['confirmations'], change: Partial<ReviewInput> = {}) => {
      const { passed, untrue, review } = await lookAt({ ...plain, confirmations, formerOwners: former, ...change })
      expect(untrue).toEqual([])
      return [passed.find((key) => key.startsWith('signatures')) ?? null, review.verdict]
    }
    expect(await of([await own()])).toEqual(['signatures', 'matches'])
    expect(await of([await own(), stale])).toEqual(['signatures.some', 'matches-with-warnings'])
    expect(await of([await own(), await own(outsider)])).toEqual(['signatures.some', 'matches-with-warnings'])
    expect(await of([await own(), ...approved])).toEqual([null, 'cannot-verify'])
    const denied = { approvedHashes: { [otherOwner.toLowerCase()]: false } }
    expect(await of([await own(), ...approved], denied)).toEqual([null, 'cannot-verify'])
  })

  const unfinished = {
    status: 'unfinished',
    reason: { kind: 'limit', limit: 'steps' },
    block: null,
    cost: null,
  } as never
  const runs: [name: string, simulation: ReviewInput['simulation'], said: string | null][] = [
    [
      'a node that agrees',
      { ...finished, crossCheck: { status: 'agrees', method: 'eth_call' } as never },
      'simulation',
    ],
    [
      'a node without overrides',
      { ...finished, crossCheck: { status: 'unasked', reason: 'no overrides' } },
      'simulation.unasked',
    ],
    [
      'a node that is silent',
      { ...finished, crossCheck: { status: 'unasked', reason: 'failed' } },
      'simulation.unasked',
    ],
    ['a proof pack', { ...finished, crossCheck: { status: 'unasked', reason: 'pack' } }, 'simulation.unasked'],
    ['no run', undefined, null],
    [
      'a run that did not end',
      { result: unfinished, crossCheck: { status: 'unasked', reason: 'unfinished' }, standIn: null },
      null,
    ],
  ]
  it.each(runs)('of the simulation, with %s', async (_, simulation, said) => {
    const { passed, untrue } = await lookAt({ ...plain, simulation })
    expect([passed.find((key) => key.startsWith('simulation')) ?? null, untrue]).toEqual([said, []])
  })

  const listed = inputOf({ to: token, data: transfer() })
  const batch = (calls: readonly Address[], data = transfer()) => {
    const library = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? stranger
    return { to: library, operation: 1 as const, data: encodeMultiSend(calls.map((to) => ({ to, value: 0n, data }))) }
  }
  const many = Array.from({ length: 60 }, (_, index) => pad(`0x${(index + 4096).toString(16)}`, { size: 20 }))
  const old = Object.fromEntries(many.slice(0, 10).map((address) => [address.toLowerCase(), 'old' as const]))
  const others: [name: string, input: ReviewInput, check: string, said: string | null][] = [
    ['a listed token', listed, 'token-lists', 'token-lists'],
    ['a token on no list', { ...listed, tokens: [] }, 'token-lists', null],
    ['a listed token beside one on no list', inputOf(batch([token, stranger])), 'token-lists', null],
    [
      'the last of sixty tokens on no list',
      { ...inputOf(batch([...many, token])), tokens: many.map((address) => ({ address, symbol: 'X', decimals: 0 })) },
      'token-lists',
      null,
    ],
    ['no token', plain, 'token-lists', null],
    ['sixty contracts of which ten are old', { ...inputOf(batch(many)), codeAges: old }, 'contract-age', null],
    ['no claim', { ...plain, claimedHash: null }, 'hash', 'hash.unclaimed'],
    [
      'an unlimited allowance',
      inputOf({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, maxUint256] }),
      }),
      'token-lists',
      'token-lists',
    ],
    [
      'foreign code without a run',
      { ...inputOf({ to: stranger, operation: 1, data: transfer() }), simulation: undefined },
      'settings',
      null,
    ],
    [
      'an old version that no other chain was asked about',
      {
        ...inputOf({ value: 1n }, { state: { ...state, version: '1.2.0', reportedVersion: '1.2.0' } }),
        otherChains: [],
        storedDomainHash: null,
      },
      'domain',
      null,
    ],
  ]
  it.each(others)('of other checks, with %s', async (_, input, check, said) => {
    const { passed, untrue } = await lookAt(input)
    expect([passed.find((key) => key.split('.')[0] === check) ?? null, untrue]).toEqual([said, []])
  })
})
