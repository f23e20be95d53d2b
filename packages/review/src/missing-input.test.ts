import { erc20Abi, hashSafeDomain, officialDeployment, safeAbi } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, concatHex, encodeFunctionData, type Hex, keccak256, pad, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ReviewInput } from './input.ts'
import { entryOf, inForce } from './policy/scene.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, safeAddress, state, stranger, token } from './scene.ts'
import type { Review } from './types.ts'

const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
const handler = officialDeployment('handler', '1.4.1')?.address ?? '0x'

const call = (signature: string, args: readonly unknown[], to: Address = safeAddress) => ({
  to,
  data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
})
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 1n] })
const sent = { to: token, data: transfer }
const batch = { to: callOnly, data: encodeMultiSend([{ to: stranger, value: 1n, data: '0x' }]), operation: 1 as const }
const storedDomainHash = hashSafeDomain({ chainId: 1, safeAddress, version: '1.1.1' })
const old = { ...state, version: '1.1.1', reportedVersion: '1.1.1' }

function missing(review: Review): string[] {
  return review.findings
    .filter(({ id }) => id === 'INPUT-MISSING')
    .map(({ evidence, severity }) => `${evidence.check} needs ${evidence.input}, ${severity}`)
}

describe('INPUT-MISSING', () => {
  it('is not said of a review that has everything', async () => {
    for (const fields of [{}, sent, batch]) expect(missing(await reviewSafeTx(inputOf(fields)))).toEqual([])
  })

  const cases: [name: string, input: ReviewInput, expected: string[]][] = [
    [
      'the state of the Safe',
      inputOf({}, { state: null }),
      [
        ...['hash', 'state', 'singleton', 'proxy', 'signatures'].map((check) => `${check} needs state, medium`),
        'simulation needs state, medium',
        ...['settings', 'nonce', 'domain', 'outcome'].map((check) => `${check} needs state, info`),
      ],
    ],
    [
      'VERSION()',
      inputOf({}, { state: { ...state, reportedVersion: null } }),
      ['singleton needs state.reportedVersion, medium'],
    ],
    ['the hash by the Safe', inputOf({}, { chainSafeTxHash: null }), ['chain-hash needs chainSafeTxHash, info']],
    ['some of those it has paid', inputOf({}, { paid: [], isPaidWhole: false }), ['addresses needs paid, info']],
    ['the chain of the node', inputOf({}, { nodeChainId: null }), ['chain-id needs nodeChainId, info']],
    [
      'the code of a library',
      inputOf(batch, { codes: {} }),
      [`delegatecall needs codes ${callOnly}, medium`, `code needs codes ${callOnly}, info`],
    ],
    [
      'the code of a handler',
      inputOf(call('setFallbackHandler(address)', [handler]), {
        codes: { [safeAddress]: { codeHash: keccak256('0x'), size: 1 } },
      }),
      [`delegatecall needs codes ${handler}, medium`, `code needs codes ${handler}, info`],
    ],
    ['the code of what is called', inputOf(sent, { codes: {} }), [`code needs codes ${token}, info`]],
    ['a balance', inputOf(sent, { balances: {} }), [`outcome needs balances ${token}, info`]],
    ['slot 6, before 1.3.0', inputOf({}, { state: old, otherChains: [] }), ['domain needs storedDomainHash, info']],
    [
      'the other chains, before 1.3.0',
      inputOf({}, { state: old, storedDomainHash }),
      ['domain needs otherChains, info'],
    ],
  ]

  it.each(cases)('%s', async (_name, input, expected) => {
    expect(missing(await reviewSafeTx(input)).toSorted()).toEqual(expected.toSorted())
  })

  it('names ten addresses at most', async () => {
    const entries = Array.from({ length: 40 }, (_, index) => ({
      to: pad(`0x${(index + 100).toString(16)}`, { size: 20 }),
      value: 0n,
      data: transfer,
    }))
    const review = await reviewSafeTx(inputOf({ ...batch, data: encodeMultiSend(entries) }, { codes: {} }))
    const found = review.findings.find(({ evidence }) => evidence.check === 'code')
    expect(found?.evidence.input).toMatch(/^codes (?:0x[0-9a-fA-F]{40}, ){10}…$/)
  })

  it('leaves a signature that only the chain can tell of to its own finding', async () => {
    const signature: Hex = concatHex([pad(account.address), pad('0x00'), '0x01'])
    const review = await reviewSafeTx(inputOf({}, { confirmations: [{ owner: account.address, signature }] }))
    expect(review.findings.map(({ id }) => id)).toEqual(['SIG-APPROVED-UNVERIFIED'])
  })
})

describe('an answer that was given', () => {
  const guard: Address = '0x7777777777777777777777777777777777777777'
  const idsAndSeverities = (review: Review) => review.findings.map(({ id, severity }) => `${id} ${severity}`)

  it('that a guard is none: from 1.4.0 on the Safe refuses it', async () => {
    const fields = call('setGuard(address)', [guard])
    const is = async (answer: boolean | undefined, version: string) => {
      const versioned = { ...state, version, reportedVersion: version }
      const guardAnswers = { [guard]: answer }
      return idsAndSeverities(await reviewSafeTx(inputOf(fields, { state: versioned, guardAnswers })))
    }
    expect(await is(undefined, '1.4.1')).toEqual(['GUARD-SET critical'])
    expect(await is(true, '1.4.1')).toEqual(['GUARD-SET critical'])
    expect(await is(false, '1.4.1')).toEqual(['GUARD-SET critical', 'SETTINGS-REVERT high'])
    expect(await is(false, '1.3.0')).toEqual(['GUARD-SET critical'])
    const moduleGuard = inputOf(call('setModuleGuard(address)', [guard]), { guardAnswers: { [guard]: false } })
    expect(idsAndSeverities(await reviewSafeTx(moduleGuard))).toEqual([
      'MODGUARD-CHANGE critical',
      'SETTINGS-REVERT high',
    ])
    const removal = call('setGuard(address)', ['0x0000000000000000000000000000000000000000'])
    expect(idsAndSeverities(await reviewSafeTx(inputOf(removal, { guardAnswers: { [guard]: false } })))).toEqual([
      'GUARD-REMOVE high',
    ])
  })

  it('that a module is known makes it less than critical, with address and code', async () => {
    const fields = {
      to: safeAddress,
      data: encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [guard] }),
    }
    const is = async (module: { address: Address; codeHash: Hex }) => {
      const policy = inForce({ allowed: [entryOf({ kind: 'module', ...module })] })
      const implementations = { [guard.toLowerCase()]: null }
      return idsAndSeverities(await reviewSafeTx(inputOf(fields, { policy, implementations })))
    }
    expect(await is({ address: guard, codeHash: keccak256('0x6001') })).toEqual(['MODULE-ENABLE medium'])
    expect(await is({ address: guard, codeHash: keccak256('0x6002') })).toEqual(['MODULE-ENABLE critical'])
    expect(await is({ address: stranger, codeHash: keccak256('0x6001') })).toEqual(['MODULE-ENABLE critical'])
  })

  it('that a token has no balance is no token’s', async () => {
    const review = await reviewSafeTx(inputOf(sent, { balances: { [token]: null } }))
    expect(idsAndSeverities(review)).toContain('SELECTOR-MASQUERADE high')
    expect(missing(review)).toEqual([`outcome needs balances ${token}, info`])
  })
})

describe('an entry to the zero address', () => {
  const zero: Address = '0x0000000000000000000000000000000000000000'

  it.each(['1.3.0', '1.4.1', '1.5.0'])(
    'MULTISEND-ZERO-TO says whom it means, by the library of %s',
    async (version) => {
      const library = officialDeployment('multi-send-call-only', version)?.address ?? '0x'
      const data = encodeMultiSend([{ to: zero, value: 1n, data: '0x' }])
      const review = await reviewSafeTx(inputOf({ to: library, data, operation: 1 }))
      const found = review.findings.find(({ id }) => id === 'MULTISEND-ZERO-TO')
      expect(found).toMatchObject({
        id: 'MULTISEND-ZERO-TO',
        severity: 'high',
        evidence: { means: version === '1.5.0' ? safeAddress : zero },
      })
    },
  )
})

describe('a refund', () => {
  it('without a gas limit is over every limit of the team', async () => {
    const fields = { gasPrice: 2n, baseGas: 10n, refundReceiver: account.address }
    const policy = inForce({ refundLimits: [{ asset: zeroAddress, amount: 10n ** 30n }] })
    expect(ids(await reviewSafeTx(inputOf(fields)))).not.toContain('POLICY-BROKEN')
    expect(ids(await reviewSafeTx(inputOf(fields, { policy })))).toContain('POLICY-BROKEN')
    const severityOf = async (change: Partial<ReviewInput>) =>
      (await reviewSafeTx(inputOf(fields, change))).findings.find(({ id }) => id === 'GAS-REFUND')?.severity
    expect(await severityOf({})).toBe('high')
    expect(await severityOf({ state: null })).toBe('critical')
  })

  it('by a Safe of unknown version has no maximum, and exceeds every limit', async () => {
    const fields = { gasPrice: 2n, safeTxGas: 10n, refundReceiver: account.address }
    const policy = inForce({ refundLimits: [{ asset: zeroAddress, amount: 10n ** 30n }] })
    const refundIn = async (change: Partial<ReviewInput>) => {
      const review = await reviewSafeTx(inputOf(fields, { policy, ...change }))
      const found = review.findings.find(({ id }) => id === 'GAS-REFUND')
      return { broken: ids(review).includes('POLICY-BROKEN'), severity: found?.severity, ...found?.evidence }
    }
    expect(await refundIn({})).toMatchObject({ broken: false, severity: 'medium', maximum: { asset: 'native' } })
    const unread = await refundIn({ state: { ...state, version: null } })
    expect(unread).toMatchObject({ broken: true, severity: 'critical', case: 'unbounded' })
    expect(unread).not.toHaveProperty('maximum')
  })
})
