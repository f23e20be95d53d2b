import {
  erc20Abi,
  hashSafeDomain,
  hashSafeTx,
  normalizeEthSignature,
  officialDeployment,
  type SafeTx,
  safeAbi,
} from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, keccak256, padHex, parseAbi, parseEther, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { FindingId } from './catalogue.ts'
import type { SafeElsewhere } from './facts/safe/other-chains.ts'
import { computeHashes, reviewHash } from './findings/signatures/hash.ts'
import { reviewReturnedSignature } from './findings/signatures/signatures.ts'
import type { ReviewInput } from './input.ts'
import { entryOf, inForce } from './policy/scene.ts'
import { reviewSafeTx } from './review.ts'
import { account, codesOf, ids, inputOf, otherOwner, outsider, safeAddress, state, stranger, token } from './scene.ts'
import type { Review } from './types.ts'

const sentinel: Address = '0x0000000000000000000000000000000000000001'
const third: Address = '0x5555555555555555555555555555555555555555'
const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'

function batch(...calls: { to: Address; value?: bigint; data?: Hex; operation?: 0 | 1 }[]): Partial<SafeTx> {
  const entries = calls.map((call) => ({ value: 0n, data: '0x' as const, ...call }))
  return { to: callOnly, data: encodeMultiSend(entries), operation: 1 }
}

function settings(functionName: 'addOwnerWithThreshold', args: [Address, bigint]): { to: Address; data: Hex }
function settings(functionName: 'removeOwner', args: [Address, Address, bigint]): { to: Address; data: Hex }
function settings(functionName: 'swapOwner', args: [Address, Address, Address]): { to: Address; data: Hex }
function settings(functionName: 'changeThreshold', args: [bigint]): { to: Address; data: Hex }
function settings(
  functionName: 'enableModule' | 'setGuard' | 'setFallbackHandler',
  args: [Address],
): { to: Address; data: Hex }
function settings(functionName: 'disableModule', args: [Address, Address]): { to: Address; data: Hex }
function settings(functionName: string, args: readonly unknown[]): { to: Address; data: Hex } {
  return { to: safeAddress, data: encodeFunctionData({ abi: safeAbi as never, functionName, args }) }
}

const transfer = (amount: bigint, to = stranger) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
const approve = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, amount] })
const found = (review: Review, id: FindingId) => review.findings.find((known) => known.id === id)
const check = (review: Review, id: string) => review.checks.find((known) => known.id === id)?.status

describe('assets that nobody can take out again', () => {
  const lost = ['0x0000', '0x0004', '0xffff', '0x000000000000000000000000000000000000dEaD'] as const
  it.each(lost)('are named where they go to %s', async (short) => {
    const to = padHex(short, { size: 20 })
    for (const fields of [{ to, value: 1n }, batch({ to: token, data: transfer(1n, to) })])
      expect(found(await reviewSafeTx(inputOf(fields)), 'TOKEN-TO-ITSELF')).toMatchObject({ severity: 'high' })
  })

  it('are none where somebody may have the key', async () => {
    const to = padHex('0x010000', { size: 20 })
    expect(found(await reviewSafeTx(inputOf({ to, value: 1n })), 'TOKEN-TO-ITSELF')).toBeUndefined()
  })

  it('are what a multicall receives and does not forward', async () => {
    const to = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const abi = parseAbi([
      'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
    ])
    const calls = [1n, 2n].map((value) => ({ target: stranger, allowFailure: false, value, callData: '0x' as const }))
    const data = encodeFunctionData({ abi, args: [calls] })
    const reviewOf = (value: bigint) => reviewSafeTx(inputOf({ to, value, data }))
    expect(found(await reviewOf(3n), 'TOKEN-TO-ITSELF')).toBeUndefined()
    expect(found(await reviewOf(4n), 'TOKEN-TO-ITSELF')).toMatchObject({ severity: 'high' })
  })
})

describe('a right that is given up', () => {
  it.each([
    ['renounceOwnership', [], undefined],
    ['renounceRole', [padHex('0x01', { size: 32 }), safeAddress], 'role'],
  ] as const)('is told from another: %s', async (functionName, args, which) => {
    const abi = parseAbi(['function renounceOwnership()', 'function renounceRole(bytes32 role, address account)'])
    const data = encodeFunctionData({ abi, functionName, args } as never)
    const review = await reviewSafeTx(inputOf({ to: token, data }))
    expect(found(review, 'RENOUNCE')?.evidence.case).toBe(which)
  })
})

describe('balances', () => {
  it('name what is missing when more native coin is sent than there is', async () => {
    const review = await reviewSafeTx(inputOf({ value: parseEther('999999999') }))
    expect(found(review, 'BALANCE-EXCEEDED')).toMatchObject({
      severity: 'high',
      evidence: {
        asset: 'native',
        needed: { value: parseEther('999999999'), asset: 'native' },
        held: { value: parseEther('9.25'), asset: 'native' },
        missing: { value: parseEther('999999989.75'), asset: 'native' },
      },
      where: { field: 'value' },
    })
    expect(review).toMatchObject({ verdict: 'matches-with-warnings', wouldFail: true })
    expect(check(review, 'outcome')).toBe('failed')
  })

  it('are summed over a batch', async () => {
    const entry = { to: stranger, value: parseEther('5') }
    const review = await reviewSafeTx(inputOf(batch(entry, entry)))
    expect(found(review, 'BALANCE-EXCEEDED')?.evidence).toMatchObject({
      needed: { value: parseEther('10') },
      call: [1],
    })
    expect(ids(await reviewSafeTx(inputOf(batch(entry))))).not.toContain('BALANCE-EXCEEDED')
  })

  it('are summed for a token, in its unit', async () => {
    const half = { to: token, data: transfer(30_000_000_000n) }
    const review = await reviewSafeTx(inputOf(batch(half, half)))
    expect(found(review, 'BALANCE-EXCEEDED')?.evidence).toMatchObject({
      asset: token,
      symbol: 'TUSD',
      decimals: 6,
      needed: { value: 60_000_000_000n, asset: token },
      missing: { value: 10_000_000_000n, asset: token },
    })
    expect(review.wouldFail).toBe(true)
    expect((await reviewSafeTx(inputOf(half))).wouldFail).toBe(false)
  })

  it('are not enough for what is sent to the Safe itself either, but are not used up by it', async () => {
    const entry = { to: token, data: transfer(40_000_000_000n, safeAddress) }
    expect(ids(await reviewSafeTx(inputOf(batch(entry, entry))))).not.toContain('BALANCE-EXCEEDED')
    const more = { to: token, data: transfer(60_000_000_000n, safeAddress) }
    expect(ids(await reviewSafeTx(inputOf(more)))).toContain('BALANCE-EXCEEDED')
  })

  it('may be raised by a call before: then it is a doubt, not a certainty', async () => {
    const review = await reviewSafeTx(
      inputOf(batch({ to: stranger, data: '0xdeadbeef' }, { to: stranger, value: parseEther('10') })),
    )
    expect(found(review, 'BALANCE-EXCEEDED')?.severity).toBe('medium')
    expect(review.wouldFail).toBe(false)
  })

  it('that were not read leave the check open', async () => {
    const review = await reviewSafeTx(inputOf({ to: token, data: transfer(1n) }, { balances: {} }))
    expect(check(review, 'outcome')).toBe('not-checked')
    expect(check(await reviewSafeTx(inputOf({ value: 1n }, { state: null })), 'outcome')).toBe('not-checked')
    expect(check(await reviewSafeTx(inputOf({ to: token, data: transfer(1n) })), 'outcome')).toBe('passed')
  })

  it('that are nearly emptied are named', async () => {
    expect(ids(await reviewSafeTx(inputOf({ value: parseEther('9') })))).toContain('VALUE-DRAIN')
    expect(ids(await reviewSafeTx(inputOf({ value: parseEther('8') })))).not.toContain('VALUE-DRAIN')
    const all = await reviewSafeTx(inputOf({ to: token, data: transfer(50_000_000_000n) }))
    expect(found(all, 'VALUE-DRAIN')?.evidence).toMatchObject({ asset: token, needed: { value: 50_000_000_000n } })
  })

  it('do not count what another contract sends', async () => {
    const abi = parseAbi([
      'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
    ])
    const args = [[{ target: third, allowFailure: false, value: parseEther('100'), callData: '0x' as Hex }]] as const
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args })
    expect(ids(await reviewSafeTx(inputOf({ data })))).not.toContain('BALANCE-EXCEEDED')
  })
})

describe('settings that the Safe refuses', () => {
  const cases: [gsCode: string, call: { to: Address; data: Hex }, state?: Partial<typeof state>][] = [
    ['GS201', settings('changeThreshold', [3n])],
    ['GS201', settings('removeOwner', [account.address, otherOwner, 2n])],
    ['GS201', settings('addOwnerWithThreshold', [third, 4n])],
    ['GS202', settings('changeThreshold', [0n])],
    ['GS202', settings('addOwnerWithThreshold', [third, 0n])],
    ['GS203', settings('addOwnerWithThreshold', [safeAddress, 2n])],
    ['GS203', settings('swapOwner', [sentinel, account.address, sentinel])],
    ['GS203', settings('removeOwner', [account.address, sentinel, 1n])],
    ['GS204', settings('addOwnerWithThreshold', [otherOwner, 2n])],
    ['GS204', settings('swapOwner', [sentinel, account.address, otherOwner])],
    ['GS205', settings('removeOwner', [sentinel, otherOwner, 1n])],
    ['GS205', settings('swapOwner', [otherOwner, account.address, third])],
    ['GS101', settings('enableModule', [sentinel])],
    ['GS102', settings('enableModule', [third]), { modules: [third] }],
    ['GS103', settings('disableModule', [sentinel, third])],
    ['GS400', settings('setFallbackHandler', [safeAddress])],
  ]

  it.each(cases)('%s, alone and in a batch, changes nothing', async (gsCode, call, change = {}) => {
    for (const fields of [call, batch(call)]) {
      const review = await reviewSafeTx(inputOf(fields, { state: { ...state, ...change } }))
      expect(found(review, 'SETTINGS-REVERT')?.evidence.gsCode).toBe(gsCode)
      expect(review.wouldFail).toBe(true)
      expect(review.configuration?.changed).toBe(false)
      expect(ids(review)).not.toContain('THRESHOLD-ONE')
    }
  })

  it('are seen only against what the calls before have made of it', async () => {
    const fits = batch(settings('addOwnerWithThreshold', [third, 2n]), settings('changeThreshold', [3n]))
    const review = await reviewSafeTx(inputOf(fits))
    expect(ids(review)).not.toContain('SETTINGS-REVERT')
    expect(review.configuration?.after).toMatchObject({ owners: [third, account.address, otherOwner], threshold: 3 })
    expect(ids(review)).toContain('THRESHOLD-LOCK')
  })

  it('are followed through owners and modules at any depth', async () => {
    const inner = encodeMultiSend([{ ...settings('disableModule', [sentinel, third]), value: 0n }])
    const review = await reviewSafeTx(
      inputOf(
        batch(
          settings('enableModule', [third]),
          { to: callOnly, data: inner, operation: 1 },
          settings('removeOwner', [account.address, otherOwner, 1n]),
        ),
      ),
    )
    // A library for calls alone refuses a delegatecall inside, but the settings are followed all the same.
    expect(ids(review)).toEqual(
      expect.arrayContaining(['MODULE-ENABLE', 'MODULE-DISABLE', 'OWNER-REMOVE', 'THRESHOLD-DOWN']),
    )
    expect(ids(review)).not.toContain('SETTINGS-REVERT')
  })
})

describe('a fallback handler', () => {
  const official = officialDeployment('handler', '1.4.1')?.address ?? '0x'

  it('is unknown unless address and code are those of a release', async () => {
    const known = await reviewSafeTx(inputOf(settings('setFallbackHandler', [official])))
    expect(ids(known)).toContain('HANDLER-CHANGE')
    expect(known.verdict).toBe('matches')
    const unknown = await reviewSafeTx(inputOf(settings('setFallbackHandler', [third])))
    expect(found(unknown, 'HANDLER-UNKNOWN')?.severity).toBe('critical')
    const codes = { [official.toLowerCase()]: { codeHash: keccak256('0x00'), size: 1 } }
    expect(ids(await reviewSafeTx(inputOf(settings('setFallbackHandler', [official]), { codes })))).toContain(
      'HANDLER-UNKNOWN',
    )
  })

  it('whose code was not read cannot be verified', async () => {
    const review = await reviewSafeTx(inputOf(settings('setFallbackHandler', [official]), { codes: {} }))
    expect(review.verdict).toBe('cannot-verify')
  })
})

describe('allowed delegatecalls', () => {
  const data: Hex = '0xdeadbeef'
  const code = { address: stranger, codeHash: keccak256('0x6001') }
  const entry = entryOf({ kind: 'delegatecall', ...code, selector: data, name: 'Our upgrader' })
  const implementations = { [stranger]: null }

  it('are shown as less than critical', async () => {
    const review = await reviewSafeTx(
      inputOf(
        { operation: 1, data },
        { policy: inForce({ allowed: [entry] }), implementations, simulation: undefined },
      ),
    )
    const evidence = { allowed: 'Our upgrader', policy: 1 }
    expect(found(review, 'DC-UNKNOWN')).toMatchObject({ severity: 'medium', evidence })
    expect(check(review, 'delegatecall')).toBe('passed')
    expect(review.configuration).toBeNull()
    expect(review.effects).toMatchObject([{ key: 'foreign-code' }])
  })

  it.each([
    ['address', { ...entry, address: third }],
    ['code', { ...entry, codeHash: keccak256('0x00') }],
    ['function', { ...entry, selector: '0x12345678' as Hex }],
  ])('need the same %s', async (_part, allowed) => {
    const policy = inForce({ allowed: [allowed] })
    const review = await reviewSafeTx(inputOf({ operation: 1, data }, { policy, implementations }))
    expect(found(review, 'DC-UNKNOWN')?.severity).toBe('critical')
  })

  it('need their code, and the code behind a proxy, to be read', async () => {
    const policy = inForce({ allowed: [entry] })
    for (const unread of [{ codes: {}, implementations }, {}]) {
      const review = await reviewSafeTx(inputOf({ operation: 1, data }, { policy, ...unread }))
      expect(check(review, 'delegatecall')).toBe('not-checked')
      expect(review.verdict).toBe('cannot-verify')
    }
  })
})

describe('before Safe 1.3.0', () => {
  const old = officialDeployment('singleton', '1.1.1')
  if (old === null) throw new Error('The table has no Safe 1.1.1.')
  const oldState = {
    ...state,
    singleton: old.address,
    singletonCodeHash: old.codeHash,
    version: '1.1.1',
    reportedVersion: '1.1.1',
  }
  const storedDomainHash = hashSafeDomain({ chainId: 1, safeAddress, version: '1.1.1' })
  const inputAt = (change: Partial<ReviewInput>) => inputOf({}, { state: oldState, ...change })

  const elsewhere = (change: Partial<SafeElsewhere> = {}): SafeElsewhere => ({
    owners: [account.address, outsider.address],
    threshold: 1,
    nonce: 5n,
    version: '1.1.1',
    reportedVersion: '1.1.1',
    ...change,
  })

  it('a signature holds on other chains, too', async () => {
    const otherChains = [
      { chainId: 100, safe: elsewhere() },
      { chainId: 10, safe: null },
    ]
    const review = await reviewSafeTx(inputAt({ storedDomainHash, otherChains }))
    expect(found(review, 'REPLAY-CHAIN')?.evidence).toEqual({
      version: '1.1.1',
      chainId: 100,
      owners: [account.address],
      threshold: 1,
    })
    expect(check(review, 'domain')).toBe('failed')
    expect(review.verdict).toBe('matches-with-warnings')
    const alone = await reviewSafeTx(inputAt({ storedDomainHash, otherChains: [{ chainId: 1, safe: elsewhere() }] }))
    expect(ids(alone)).not.toContain('REPLAY-CHAIN')
    expect(check(alone, 'domain')).toBe('passed')
    expect(ids(await reviewSafeTx(inputOf({}, { otherChains })))).not.toContain('REPLAY-CHAIN')
  })

  it.each([
    ['a Safe that binds signatures to its chain', elsewhere({ version: '1.3.0', reportedVersion: '1.3.0' }), 'passed'],
    ['a Safe of other owners', elsewhere({ owners: [outsider.address] }), 'passed'],
    ['a Safe that has used the nonce', elsewhere({ nonce: 6n }), 'passed'],
    ['a Safe with an earlier nonce', elsewhere({ nonce: 0n }), 'failed'],
    ['code of no release, whatever it says', elsewhere({ version: null, reportedVersion: '1.4.1' }), 'failed'],
  ] as const)('on another chain stands %s', async (_name, safe, status) => {
    const review = await reviewSafeTx(inputAt({ storedDomainHash, otherChains: [{ chainId: 100, safe }] }))
    expect(check(review, 'domain')).toBe(status)
    expect(ids(review).includes('REPLAY-CHAIN')).toBe(status === 'failed')
  })

  it('the stored domain separator can be altered', async () => {
    const review = await reviewSafeTx(inputAt({ storedDomainHash: keccak256('0x00'), otherChains: [] }))
    expect(found(review, 'DOMAIN-SLOT')).toMatchObject({
      severity: 'critical',
      where: { slot: `0x${'6'.padStart(64, '0')}` },
    })
    expect(review.verdict).toBe('do-not-sign')
  })

  it.each([
    ['slot 6', inputAt({ otherChains: [] })],
    ['the other chains', inputAt({ storedDomainHash })],
    ['one of them', inputAt({ storedDomainHash, otherChains: [{ chainId: 100, safe: 'unanswered' }] })],
  ])('without %s that is not checked', async (_name, input) => {
    expect(check(await reviewSafeTx(input), 'domain')).toBe('not-checked')
  })
})

describe('signatures', () => {
  const sign = (hash: Hex, signer = account) => signer.sign({ hash })
  const marked = (owner: Address, v: '00' | '01'): Hex => `0x${'00'.repeat(12)}${owner.slice(2)}${'00'.repeat(32)}${v}`

  it('of one owner at one nonce are named when there are two', async () => {
    const input = inputOf({})
    const other = inputOf({ value: 9n })
    const mine = { owner: account.address, signature: await sign(input.claimedHash ?? '0x') }
    const theirs = { owner: account.address, signature: await sign(other.claimedHash ?? '0x') }
    const competing = { safeTxHash: other.claimedHash ?? '0x', nonce: 5n, confirmations: [theirs] }
    const review = await reviewSafeTx({ ...input, confirmations: [mine], others: [competing] })
    expect(found(review, 'SIG-REPEATED')?.evidence).toMatchObject({
      owner: account.address,
      signatures: 2,
      nonce: 5n,
    })
    const elsewhere = { ...competing, nonce: 6n }
    expect(ids(await reviewSafeTx({ ...input, confirmations: [mine], others: [elsewhere] }))).not.toContain(
      'SIG-REPEATED',
    )
  })

  it('of one owner count once, however often the server lists them', async () => {
    const input = inputOf({})
    const signature = await sign(input.claimedHash ?? '0x')
    const mine = { owner: account.address, signature }
    const inOtherCase = { owner: mine.owner.toLowerCase() as Address, signature }
    const raw = await account.signMessage({ message: { raw: input.claimedHash ?? '0x' } })
    const byText = { owner: mine.owner, signature: normalizeEthSignature(raw) }
    const review = await reviewSafeTx({ ...input, confirmations: [mine, mine, inOtherCase, byText] })
    expect(review.confirmations.filter(({ status }) => status === 'valid')).toEqual([
      { ...mine, signatureType: 'EOA', status: 'valid' },
    ])
  })

  it('of a former owner count for nothing and are warned of', async () => {
    const input = inputOf({})
    const confirmation = { owner: outsider.address, signature: await sign(input.claimedHash ?? '0x', outsider) }
    const review = await reviewSafeTx({ ...input, confirmations: [confirmation], formerOwners: [outsider.address] })
    expect(ids(review)).toEqual(['SIG-STALE-OWNER'])
    expect(review.confirmations[0]?.status).toBe('not-owner')
    expect(review.verdict).toBe('matches-with-warnings')
  })

  it('that stand for an approval on the chain are worth what the chain says', async () => {
    const confirmations = [{ owner: account.address, signature: marked(account.address, '01') }]
    const key = account.address.toLowerCase()
    const approved = await reviewSafeTx(inputOf({}, { confirmations, approvedHashes: { [key]: true } }))
    expect(approved.confirmations[0]?.status).toBe('valid')
    expect(approved.findings).toEqual([])
    const refused = await reviewSafeTx(inputOf({}, { confirmations, approvedHashes: { [key]: false } }))
    expect(refused.confirmations[0]?.status).toBe('invalid')
    expect(ids(refused)).toEqual(['SIG-APPROVED-DENIED'])
    expect(refused.verdict).toBe('cannot-verify')
  })

  it('of a contract are worth what the contract says', async () => {
    const signature: Hex =
      `${marked(account.address, '00').slice(0, 66)}${'41'.padStart(64, '0')}00${'00'.repeat(32)}` as Hex
    const confirmations = [{ owner: account.address, signature }]
    const of = (isAccepted: boolean | undefined) =>
      reviewSafeTx(inputOf({}, { confirmations, contractSignatures: { [account.address.toLowerCase()]: isAccepted } }))
    expect((await of(true)).confirmations[0]?.status).toBe('valid')
    const refused = await of(false)
    expect(refused.confirmations[0]?.status).toBe('invalid')
    expect(refused.verdict).toBe('do-not-sign')
    const open = await of(undefined)
    expect(ids(open)).toEqual(['SIG-CONTRACT-UNVERIFIED'])
    expect(open.verdict).toBe('cannot-verify')
  })

  it('returned by a wallet must be the account’s, on this hash', async () => {
    const hash = keccak256('0x01')
    expect(await reviewReturnedSignature(hash, await sign(hash), account.address)).toBeNull()
    for (const signature of [await sign(keccak256('0x02')), await sign(hash, outsider), '0x12' as Hex]) {
      const finding = await reviewReturnedSignature(hash, signature, account.address)
      expect(finding).toMatchObject({ id: 'SIG-RETURNED-MISMATCH', severity: 'critical' })
    }
  })
})

describe('tokens', () => {
  const fake: Address = '0x6666666666666666666666666666666666666666'
  const claim = (symbol: string) => ({ tokenClaims: { [fake]: { symbol, name: 'Test Dollar' } } })

  it.each(['ТUSD', 'TU5D', 'T​USD', 'ＴＵＳＤ', 'TÚSD', 'TUSD'])('%s imitates a listed one', async (symbol) => {
    const review = await reviewSafeTx(inputOf({ to: fake, data: transfer(1n) }, claim(symbol)))
    expect(found(review, 'TOKEN-HOMOGLYPH')?.evidence).toMatchObject({ token: fake, resembles: token, listed: 'TUSD' })
  })

  it.each(['DAI', 'TUSDC', 'USD'])('%s does not', async (symbol) => {
    expect(ids(await reviewSafeTx(inputOf({ to: fake, data: transfer(1n) }, claim(symbol))))).not.toContain(
      'TOKEN-HOMOGLYPH',
    )
  })

  it('of the list imitate nothing', async () => {
    const tokenClaims = { [token]: { symbol: 'TUSD', name: 'Test Dollar' } }
    expect((await reviewSafeTx(inputOf({ to: token, data: transfer(1n) }, { tokenClaims }))).findings).toEqual([])
  })

  it('with hidden characters in their name are named', async () => {
    const review = await reviewSafeTx(inputOf({ to: fake, data: transfer(1n) }, claim('US\u202eD')))
    expect(found(review, 'TEXT-CONTROL')).toMatchObject({ severity: 'high', evidence: { codePoints: 'U+202E' } })
  })

  it('without code are no tokens', async () => {
    const codes = { [token]: { codeHash: keccak256('0x'), size: 0 } }
    expect(ids(await reviewSafeTx(inputOf({ to: token, data: transfer(1n) }, { codes })))).toContain(
      'SELECTOR-MASQUERADE',
    )
  })

  it('can be allowed beyond what is there, and to keys', async () => {
    const over = await reviewSafeTx(inputOf({ to: token, data: approve(50_000_000_001n) }))
    expect(found(over, 'APPROVE-OVER-BALANCE')?.evidence.held.value).toBe(50_000_000_000n)
    expect(ids(await reviewSafeTx(inputOf({ to: token, data: approve(50_000_000_000n) })))).not.toContain(
      'APPROVE-OVER-BALANCE',
    )
    const codes = {
      ...codesOf(safeAddress, inputOf({ to: token, data: approve(1n) }).safeTx),
      [stranger.toLowerCase()]: { codeHash: keccak256('0xef'), size: 23, delegatesTo: third },
    }
    const delegated = await reviewSafeTx(inputOf({ to: token, data: approve(1n) }, { codes }))
    expect(found(delegated, 'APPROVE-EOA')?.evidence).toMatchObject({ delegatesTo: third, case: 'delegated' })
  })
})

describe('the rest', () => {
  it('HASH-IMPL-MISMATCH stays silent for every version', async () => {
    for (const version of ['0.1.0', '1.0.0', '1.1.1', '1.2.0', '1.3.0', '1.4.1', '1.5.0']) {
      const input = inputOf({ value: 7n, data: '0x1234' })
      const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress, version, safeTx: input.safeTx })
      const versioned = { ...state, version: null, reportedVersion: version }
      const review = await reviewSafeTx({ ...input, claimedHash: safeTxHash, state: versioned })
      expect(ids(review)).not.toContain('HASH-IMPL-MISMATCH')
      expect(ids(review)).not.toContain('HASH-MISMATCH')
    }
  })

  it('HASH-IMPL-MISMATCH: a fault in one of the two computations shows', () => {
    const input = inputOf({})
    const { hashes, again } = computeHashes(input)
    expect(reviewHash(hashes, again, input)).toEqual([])
    expect(reviewHash(hashes, keccak256('0x'), input)).toMatchObject([
      { id: 'HASH-IMPL-MISMATCH', severity: 'critical' },
    ])
    const faulty = { ...hashes, safeTxHash: keccak256('0x') }
    expect(reviewHash(faulty, again, input).map(({ id }) => id)).toContain('HASH-IMPL-MISMATCH')
  })

  it('RPC-CHAINID: the node is on another chain', async () => {
    const review = await reviewSafeTx(inputOf({}, { nodeChainId: 5 }))
    expect(found(review, 'RPC-CHAINID')?.evidence).toEqual({ expected: 1, actual: 5 })
    expect(review.verdict).toBe('do-not-sign')
    expect(check(await reviewSafeTx(inputOf({}, { nodeChainId: null })), 'chain-id')).toBe('not-checked')
  })

  it('ADDR-LOOKALIKE compares with the address book, and the imitation may be in it', async () => {
    const imitated: Address = '0x1234999999999999999999999999999999997890'
    for (const named of [[imitated], [imitated, stranger], [stranger, imitated]]) {
      const review = await reviewSafeTx(inputOf({ to: stranger }, { named }))
      expect(found(review, 'ADDR-LOOKALIKE')?.evidence).toEqual({ address: stranger, resembles: imitated })
      expect(review.verdict).toBe('matches-with-warnings')
    }
    expect(ids(await reviewSafeTx(inputOf({ to: stranger }, { named: [stranger] })))).not.toContain('ADDR-LOOKALIKE')
  })

  it('ADDR-LOOKALIKE compares a named imitation with a listed token', async () => {
    const tokens = [{ address: '0x1234999999999999999999999999999999997890', symbol: 'TUSD', decimals: 6 }] as const
    const review = await reviewSafeTx(inputOf({ to: stranger }, { named: [stranger], tokens }))
    expect(ids(review)).toContain('ADDR-LOOKALIKE')
    const toToken = await reviewSafeTx(inputOf({ to: tokens[0].address }, { named: [stranger], tokens }))
    expect(ids(toToken)).not.toContain('ADDR-LOOKALIKE')
  })

  it('a name never makes a verdict better', async () => {
    const alone = { ...state, owners: [account.address], threshold: 1 }
    const ownership = encodeFunctionData({
      abi: parseAbi(['function transferOwnership(address newOwner)']),
      args: [stranger],
    })
    const quorum = settings('addOwnerWithThreshold', [stranger, 1n])
    const refund = inputOf({ gasPrice: 1n, refundReceiver: stranger })
    for (const input of [inputOf({ to: third, data: ownership }), inputOf(quorum, { state: alone }), refund]) {
      const unnamed = await reviewSafeTx(input)
      const named = await reviewSafeTx({ ...input, named: [stranger, third], familiar: [stranger, third] })
      expect(unnamed.verdict).toBe('do-not-sign')
      expect(named).toEqual(unnamed)
    }
  })

  it('GAS-REFUND states the most that can be paid, and keeps to a limit', async () => {
    const fields = { gasPrice: 2n, baseGas: 10n, safeTxGas: 5n, refundReceiver: account.address }
    const limited = (amount: bigint) => ({ policy: inForce({ refundLimits: [{ asset: zeroAddress, amount }] }) })
    const review = await reviewSafeTx(inputOf(fields, limited(211_644n)))
    expect(found(review, 'GAS-REFUND')).toMatchObject({
      severity: 'medium',
      evidence: { maximum: { value: 211_644n } },
    })
    const over = await reviewSafeTx(inputOf(fields, limited(211_643n)))
    expect(found(over, 'POLICY-BROKEN')).toMatchObject({
      severity: 'critical',
      evidence: { rule: 'refund', limit: { value: 211_643n } },
    })
  })
})

describe('functions that pass rights or assets on', () => {
  const call = (signature: string, args: readonly unknown[], to: Address = third) => ({
    to,
    data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
  })
  const setup = (to: Address, data: Hex = '0x') =>
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [[account.address], 1n, to, data, handler, third, 0n, third],
    })
  const zero: Address = `0x${'00'.repeat(20)}`
  const handler = officialDeployment('handler', '1.4.1')?.address ?? '0x'
  const l2Singleton = officialDeployment('singleton-l2', '1.4.1')?.address ?? '0x'
  const toL2 = call('setupToL2(address l2Singleton)', [l2Singleton]).data
  const official = officialDeployment('singleton', '1.4.1')?.address ?? '0x'
  const l2Setup = officialDeployment('l2-setup', '1.4.1')?.address ?? '0x'
  const create = 'createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)'

  const cases: [id: FindingId, fields: { to: Address; data: Hex }][] = [
    ['SPENDING-RIGHT', call('addDelegate(address delegate)', [stranger])],
    ['SPENDING-RIGHT', call('authorizeOperator(address operator)', [stranger])],
    ['TOKEN-MOVE', call('burn(uint256 amount)', [1n])],
    ['RECEIVER-OTHER', call('withdraw(uint256,address,address)', [1n, stranger, safeAddress])],
    ['RECOVERY-CHANGE', call('addGuardianWithThreshold(address,uint256)', [stranger, 1n])],
    ['EXEC-AS-MODULE', call('execTransactionFromModule(address,uint256,bytes,uint8)', [stranger, 0n, '0x', 0])],
    ['CODE-CREATE', call('performCreate(uint256,bytes)', [0n, '0x6001'])],
    ['DECODE-NONE', call('execute(address,bytes)', [stranger, '0x'])],
    ['DEPLOY-SETUP-DELEGATE', call(create, [third, setup(zero), 0n])],
    ['DEPLOY-SETUP-DELEGATE', call(create, [official, setup(stranger), 0n])],
    ['DEPLOY-SETUP-DELEGATE', call(create, [official, '0xdeadbeef', 0n])],
    ['DOMAIN-VERIFIER', call('addSupportedInterfaceBatch(bytes4,bytes32[])', ['0x12345678', []], safeAddress)],
  ]

  it.each(cases)('%s', async (id, fields) => {
    expect(ids(await reviewSafeTx(inputOf(fields)))).toContain(id)
  })

  it.each([
    ['a vault that pays the Safe', call('withdraw(uint256,address,address)', [1n, safeAddress, safeAddress])],
    ['a Safe by official contracts', call(create, [official, setup(zero), 0n])],
    ['a Safe that turns itself into L2', call(create, [official, setup(l2Setup, toL2), 0n])],
    [
      'somebody else’s permit',
      call('permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)', [
        third,
        stranger,
        1n,
        1n,
        27,
        keccak256('0x'),
        keccak256('0x'),
      ]),
    ],
  ])('say nothing about %s', async (_name, fields) => {
    expect((await reviewSafeTx(inputOf(fields))).findings).toEqual([])
  })

  it('create a contract as the Safe itself by the official library alone', async () => {
    const library = officialDeployment('create-call', '1.4.1')?.address ?? '0x'
    const fields = { ...call('performCreate(uint256,bytes)', [0n, '0x6001'], library), operation: 1 as const }
    const review = await reviewSafeTx(inputOf(fields))
    expect(ids(review)).toEqual(['CODE-CREATE', 'DC-KNOWN-LIB'])
    expect(review.effects).toMatchObject([{ key: 'contract-create' }])
  })
})

describe('places', () => {
  it('are bytes of the transaction, at any depth', async () => {
    const dirty: Hex = `${transfer(1n)}00`
    const inner = encodeMultiSend([
      { to: stranger, value: 1n, data: '0x' },
      { to: token, value: 0n, data: dirty },
    ])
    const fields = batch({ to: stranger, value: 1n }, { to: callOnly, data: inner, operation: 1 })
    const { where } = found(await reviewSafeTx(inputOf(fields)), 'DECODE-NONCANONICAL') ?? {}
    const start = (where?.bytes?.start ?? 0) * 2 + 2
    const end = (where?.bytes?.end ?? 0) * 2 + 2
    // The one byte that is too many, right behind the transfer.
    expect(fields.data?.slice(start, end)).toBe('00')
    expect(fields.data?.slice(start - transfer(1n).length + 2, start)).toBe(transfer(1n).slice(2))
    expect(where?.call).toEqual([1, 1])
  })

  it('are the whole call where nothing closer is known', async () => {
    const fields = batch({ to: stranger, value: 1n }, { to: third, data: transfer(2n) })
    const { where } = found(await reviewSafeTx(inputOf(fields)), 'TOKEN-UNLISTED') ?? {}
    expect(`0x${fields.data?.slice((where?.bytes?.start ?? 0) * 2 + 2, (where?.bytes?.end ?? 0) * 2 + 2)}`).toBe(
      transfer(2n),
    )
  })
})

describe('the Safe itself', () => {
  it('must be an official proxy', async () => {
    const of = (isOfficialProxy: boolean) => reviewSafeTx(inputOf({}, { state: { ...state, isOfficialProxy } }))
    const unknown = await of(false)
    expect(found(unknown, 'PROXY-UNKNOWN')?.evidence.codeHash).toBe(state.proxyCodeHash)
    expect(unknown.verdict).toBe('cannot-verify')
    expect(check(await of(true), 'proxy')).toBe('passed')
  })
})
