import { fail } from '@countersign/safe'
import { type Address, getAddress, keccak256, pad, recoverTypedDataAddress, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { account, otherOwner, outsider, safeAddress, stranger, token } from '../scene.ts'
import { nextPolicy, POLICY_BOUNDS, parsePolicy, writePolicy } from './parse-policy.ts'
import { policyInForce, rememberedPolicy, type SeenPolicy } from './policy-in-force.ts'
import {
  type FoundWithdrawal,
  MAX_POLICY_SIGNATURES,
  policySigners,
  verifyPolicySignatures,
} from './policy-signatures.ts'
import { policyApprovalsRequired, policyStanding } from './policy-standing.ts'
import { emptyPolicy, entryOf } from './scene.ts'
import {
  hashAllowEntry,
  hashPolicy,
  hashWithdrawal,
  policyTypedData,
  type TeamPolicy,
  withdrawalTypedData,
} from './team-policy.ts'

const third = privateKeyToAccount(`0x${'03'.repeat(32)}`)
const code = keccak256('0x6001')
const entry = entryOf({ kind: 'delegatecall', address: stranger, codeHash: code, selector: '0xdeadbeef' })
const full: TeamPolicy = {
  ...emptyPolicy,
  reason: 'After nonce 47 I want this closed.',
  allowed: [entry, entryOf({ kind: 'module', address: token, codeHash: code })],
  refundLimits: [{ asset: zeroAddress, amount: 10n }],
  amountLimits: [{ asset: token, amount: 110_000n, period: 604_800 }],
  reviewers: [
    { reviewer: otherOwner, asset: token, above: 50_000n },
    { reviewer: otherOwner, asset: null, above: 0n },
  ],
  recipientsOnly: true,
  recipients: [stranger],
  noDelegatecall: true,
}

describe('parsePolicy', () => {
  it('reads what writePolicy writes, and nothing else', () => {
    expect(parsePolicy(writePolicy(full))).toEqual(full)
    expect(() => parsePolicy(` ${writePolicy(full)}`)).toThrow(expect.objectContaining({ code: 'POLICY_MALFORMED' }))
    expect(() => parsePolicy(JSON.stringify(JSON.parse(writePolicy(full)), null, 1))).toThrow('canonical form')
  })

  const text = writePolicy(full)
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(text), ...change })
  const entries = JSON.parse(text).allowed
  const hostile: [what: string, text: string][] = [
    ['ten megabytes', `"${'x'.repeat(10_000_000)}"`],
    ['deep lists', '['.repeat(60_000) + ']'.repeat(60_000)],
    [
      'deep lists as a field',
      text.replace('"recipients":[', `"recipients":${'['.repeat(50_000)}${']'.repeat(50_000)},"x":[`),
    ],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['a prototype', text.replace('{', '{"__proto__":{"noDelegatecall":false},')],
    ['a constructor', text.replace('{', '{"constructor":1,')],
    ['a field twice', text.replace('"number":1', '"number":2,"number":1')],
    ['a field too many', changed({ extra: 1 })],
    ['a field missing', changed({ recipients: undefined })],
    ['an amount with a sign', changed({ refundLimits: [{ asset: zeroAddress, amount: '-1' }] })],
    ['an amount in hex', changed({ refundLimits: [{ asset: zeroAddress, amount: '0x1' }] })],
    ['an amount beyond 256 bits', changed({ refundLimits: [{ asset: zeroAddress, amount: String(2n ** 256n) }] })],
    ['an amount as a number', changed({ refundLimits: [{ asset: zeroAddress, amount: 1 }] })],
    [
      'one asset with two limits',
      changed({ refundLimits: [1, 2].map((amount) => ({ asset: token, amount: String(amount) })) }),
    ],
    ['an entry twice', changed({ allowed: [entries[0], { ...entries[0], name: 'Another' }] })],
    ['a recipient twice', changed({ recipients: [stranger, stranger] })],
    ['an address in lower case', changed({ recipients: ['0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1'] })],
    ['a number below one', changed({ number: 0 })],
    ['a number that is none', changed({ number: 1.5 })],
    ['a second version without a first', changed({ number: 2 })],
    ['a first version after another', changed({ previousHash: keccak256('0x') })],
    ['a name that hides', changed({ allowed: [{ ...entries[0], name: 'Pay\u202eroll' }] })],
    ['a name without end', changed({ allowed: [{ ...entries[0], name: 'x'.repeat(61) }] })],
    ['a delegatecall of any function', changed({ allowed: [{ ...entries[0], selector: null }] })],
    ['a module with a function', changed({ allowed: [{ ...entries[1], selector: '0xdeadbeef' }] })],
    ['code that is nothing', changed({ allowed: [{ ...entries[0], codeHash: zeroHash }] })],
    ['an implementation without code', changed({ allowed: [{ ...entries[0], implementation: token }] })],
    [
      'too many recipients',
      changed({
        recipients: Array.from({ length: POLICY_BOUNDS.recipients + 1 }, (_, at) =>
          getAddress(pad(`0x${(at + 1).toString(16)}`, { size: 20 })),
        ),
      }),
    ],
  ]
  it.each(hostile)('error: POLICY_MALFORMED for %s', (_what, given) => {
    expect(() => parsePolicy(given)).toThrow(expect.objectContaining({ code: 'POLICY_MALFORMED' }))
  })

  it.each(['__proto__', 'constructor', '%s%n', '{count, plural, other {#}}', '<b>Payroll</b>'])(
    'takes %s as a name of an entry, as it is written',
    (name) => {
      const written = changed({ allowed: [{ ...entries[0], name }] })
      expect(parsePolicy(written).allowed).toMatchObject([{ name }])
      expect(writePolicy(parsePolicy(written))).toBe(written)
    },
  )

  it('numbers the next version after the one in force, with its hash', () => {
    expect(nextPolicy(full, null)).toEqual(emptyPolicy)
    const next = nextPolicy(full, { policy: full, hash: hashPolicy(full) })
    expect(next).toEqual({ ...full, number: 2, previousHash: hashPolicy(full), reason: '' })
    expect(parsePolicy(writePolicy(next))).toEqual(next)
  })
})

describe('hashPolicy', () => {
  it('is what a wallet signs', async () => {
    const signature = await account.signTypedData(policyTypedData(full))
    expect(await policySigners(hashPolicy(full), [{ owner: account.address, signature }])).toEqual([account.address])
    expect(await recoverTypedDataAddress({ ...policyTypedData(full), signature })).toBe(account.address)
  })

  it('changes with everything in it', () => {
    const changes: Partial<TeamPolicy>[] = [
      { chainId: 2 },
      { safeAddress: stranger },
      { number: 2 },
      { previousHash: code },
      { reason: '' },
      { allowed: [] },
      { allowed: [{ ...entry, selector: '0xdeadbeee' }] },
      { refundLimits: [] },
      { amountLimits: [{ asset: token, amount: 110_000n, period: 604_801 }] },
      { reviewers: [{ reviewer: otherOwner, asset: zeroAddress, above: 0n }] },
      { reviewers: [{ reviewer: otherOwner, asset: null, above: 0n }] },
      { recipientsOnly: false },
      { recipients: [token] },
      { noDelegatecall: false },
    ]
    const hashes = changes.map((change) => hashPolicy({ ...full, ...change }))
    expect(new Set([...hashes, hashPolicy(full)]).size).toBe(changes.length + 1)
  })
})

describe('policySigners', () => {
  const hash = hashPolicy(full)

  it('counts neither a signature on something else nor one of somebody else, and each owner once', async () => {
    const own = { owner: account.address, signature: await account.sign({ hash }) }
    const onOther = { owner: outsider.address, signature: await outsider.sign({ hash: hashPolicy(emptyPolicy) }) }
    const stolen = { owner: otherOwner, signature: own.signature }
    const empty = { owner: stranger, signature: '0x' as const }
    expect(await policySigners(hash, [own, own, onOther, stolen, empty])).toEqual([account.address])
  })

  it('asks an owner that is a contract, and counts nothing but its yes', async () => {
    const given = [{ owner: otherOwner, signature: '0x1234' as const }]
    const yes = `0x1626ba7e${'0'.repeat(56)}`
    expect(await policySigners(hash, given, async () => yes)).toEqual([otherOwner])
    for (const answer of ['0x', '0x1626ba7e', `0x${'f'.repeat(64)}`, null])
      expect(await policySigners(hash, given, async () => answer)).toEqual([])
    const reverted = fail('RPC_ERROR', { reason: 'refused', rpcCode: 3 })
    expect(await policySigners(hash, given, () => Promise.reject(reverted))).toEqual([])
    await expect(policySigners(hash, given, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(await policySigners(hash, given)).toEqual([])
    // One that is cut off could be the one that matters.
    const junk = Array.from({ length: MAX_POLICY_SIGNATURES + 1 }, () => given[0] as (typeof given)[0])
    await expect(policySigners(hash, junk)).rejects.toMatchObject({ code: 'POLICY_MALFORMED' })
  })
})

describe('verifyPolicySignatures', () => {
  const entryHash = hashAllowEntry(entry)
  const given = {
    approvals: [{ owner: otherOwner, signature: '0x1234' as const }],
    withdrawals: [{ owner: otherOwner, signature: '0x1234' as const, entryHash }],
  }
  const verify = (request: Parameters<typeof verifyPolicySignatures>[2]) => verifyPolicySignatures(full, given, request)

  it('default: the signers, and the entries that one of them has withdrawn', async () => {
    const yes = async () => `0x1626ba7e${'0'.repeat(56)}`
    const withdrawn = { entryHash, owner: otherOwner, isProved: true }
    expect(await verify(yes)).toEqual({ signers: [otherOwner], unprovedSigners: [], withdrawals: [withdrawn] })
    expect(await verify(async () => '0x')).toEqual({ signers: [], unprovedSigners: [], withdrawals: [] })
  })

  it('counts an answer that the block contradicts as a withdrawal, not as an approval', async () => {
    const contradicted = fail('PROOF_INVALID', { reason: 'call', address: otherOwner })
    const unproved = { entryHash, owner: otherOwner, isProved: false }
    const strict = { signers: [], unprovedSigners: [otherOwner], withdrawals: [unproved] }
    expect(await verify(() => Promise.reject(contradicted))).toEqual(strict)
    // A former owner may have signed, and then the entries have lapsed.
    const served = { policy: full, signers: [account.address, outsider.address], withdrawals: [unproved] }
    const inForce = (unprovedSigners: Address[], seen: SeenPolicy | null = null) =>
      policyInForce({
        chainId: full.chainId,
        safeAddress: full.safeAddress,
        owners: served.signers,
        threshold: 2,
        served: { ...served, unprovedSigners },
        seen,
      })
    expect(inForce([])).toMatchObject({ isLapsed: false, withdrawn: [] })
    const lapsed = inForce([otherOwner])
    expect(lapsed).toMatchObject({ isLapsed: true, allowed: [], withdrawn: [entry] })
    // Only proved answers are remembered, because a later proof may show that this account signed nothing.
    const remembered = rememberedPolicy(lapsed)
    expect(remembered).toMatchObject({ signers: served.signers, withdrawn: [] })
    expect(inForce([], remembered)).toMatchObject({ isLapsed: false, allowed: full.allowed })
    expect(inForce([otherOwner], remembered)).toMatchObject({ isLapsed: true })
  })

  it('throws while a contract cannot be asked', async () => {
    await expect(verify(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
  })
})

describe('policyStanding', () => {
  const owners = [account.address, outsider.address, third.address]
  const stand = (change: Partial<Parameters<typeof policyStanding>[1]>) =>
    policyStanding(full, { owners, threshold: 2, signers: owners.slice(0, 2), withdrawnHashes: [], ...change })

  it.each([
    [1, 1, 1],
    [3, 1, 2],
    [3, 2, 2],
    [3, 3, 3],
    [2, 1, 2],
    [0, 0, 0],
  ])('of %i owners with threshold %i, %i approve', (count, threshold, required) => {
    expect(policyApprovalsRequired({ owners: owners.slice(0, count), threshold })).toBe(required)
  })

  it('needs distinct owners of now, its proposer among them', () => {
    expect(stand({})).toMatchObject({ isApproved: true, allowed: full.allowed })
    expect(stand({ signers: owners.slice(0, 1) })).toMatchObject({ isApproved: false, allowed: [] })
    expect(stand({ signers: [account.address, account.address] })).toMatchObject({ isApproved: false, allowed: [] })
    expect(stand({ signers: [account.address, stranger] })).toMatchObject({ isApproved: false, allowed: [] })
    expect(stand({ threshold: 3 })).toMatchObject({ isApproved: false, allowed: [] })
    expect(stand({ owners: [], signers: [] })).toMatchObject({ isApproved: false, allowed: [] })
  })

  it('lets every entry lapse when somebody who signed is an owner no more, with enough others too', () => {
    expect(stand({ signers: owners, owners: owners.slice(0, 2) })).toMatchObject({
      isApproved: true,
      isLapsed: true,
      allowed: [],
      formerApprovers: [third.address],
    })
  })

  it('leaves an entry out that one owner took back, and keeps the others', () => {
    const { allowed, withdrawn } = stand({ withdrawnHashes: [hashAllowEntry(entry)] })
    expect(withdrawn).toEqual([entry])
    expect(allowed).toEqual(full.allowed.slice(1))
  })

  it('lowers nothing critical in a Safe with one owner', () => {
    const alone = { owners: owners.slice(0, 1), signers: owners.slice(0, 1), threshold: 1 }
    expect(stand(alone)).toMatchObject({ isApproved: true, lowersCritical: false })
  })

  it('is withdrawn by a signature of its own, which is none on the policy', async () => {
    const withdrawal = { ...full, policyHash: hashPolicy(full), entryHash: hashAllowEntry(entry) }
    const signature = await account.signTypedData(withdrawalTypedData(withdrawal))
    const given = [{ owner: account.address, signature }]
    expect(await policySigners(hashWithdrawal(withdrawal), given)).toEqual([account.address])
    expect(await policySigners(hashPolicy(full), given)).toEqual([])
  })
})

describe('policyInForce', () => {
  const owners = [account.address, outsider.address]
  const place = { chainId: 1, safeAddress, owners, threshold: 2 }
  const version = (number: number, previousHash = code) => ({
    policy: { ...full, number, previousHash: number === 1 ? zeroHash : previousHash },
    signers: owners,
    withdrawals: [] as FoundWithdrawal[],
  })
  const first = version(1)
  const withdrawnBy = (owner: Address) => ({
    ...first,
    withdrawals: [{ entryHash: hashAllowEntry(entry), owner, isProved: true }],
  })
  const seenOf = ({ policy }: { policy: TeamPolicy }) => ({
    number: policy.number,
    hash: hashPolicy(policy),
    withdrawn: [],
    signers: owners,
  })

  it('is none where none was ever seen, and one that enough owners signed', () => {
    expect(policyInForce({ ...place, served: null, seen: null })).toEqual({ status: 'none' })
    const state = policyInForce({ ...place, served: first, seen: null })
    expect(state).toMatchObject({ status: 'in-force', isProven: true, allowed: full.allowed })
    expect(rememberedPolicy(state)).toEqual(seenOf(first))
  })

  it('is refused when it is missing, older, or another one under the same number', () => {
    const second = seenOf(version(2))
    const refused = (served: typeof first | null, seen = second) => {
      const state = policyInForce({ ...place, served, seen })
      return state.status === 'rolled-back' ? state.why : state.status
    }
    expect(refused(null)).toBe('missing')
    expect(refused(first)).toBe('older')
    expect(refused(version(2, hashPolicy(emptyPolicy)))).toBe('differs')
    expect(refused(version(2))).toBe('in-force')
    expect(refused(version(3, second.hash))).toBe('in-force')
    expect(refused(version(3))).toBe('differs')
    expect(refused({ ...version(3, second.hash), signers: owners.slice(0, 1) })).toBe('unapproved')
    expect(refused({ ...version(9), signers: owners })).toBe('in-force')
    expect(refused({ ...first, policy: { ...first.policy, safeAddress: stranger } })).toBe('place')
    expect(refused({ ...first, policy: { ...first.policy, chainId: 2 } })).toBe('place')
  })

  it('keeps restrictions and drops entries when owners change, and remembers nothing that is not proven', () => {
    const left = { ...place, owners: [account.address, third.address] }
    expect(policyInForce({ ...left, served: first, seen: seenOf(first) })).toMatchObject({
      status: 'in-force',
      isProven: true,
      isLapsed: true,
      allowed: [],
    })
    const unproven = policyInForce({ ...left, served: first, seen: null })
    expect(unproven).toMatchObject({ status: 'in-force', isProven: false, allowed: [] })
    expect(rememberedPolicy(unproven)).toBeNull()
  })

  it('lets entries lapse with somebody who left, also when the server hides that signature later', () => {
    const all = { ...first, signers: [...owners, third.address] }
    const three = { ...place, owners: [...owners, third.address] }
    const seen = rememberedPolicy(policyInForce({ ...three, served: all, seen: null }))
    expect(seen?.signers).toEqual([...owners, third.address])
    expect(policyInForce({ ...place, served: all, seen })).toMatchObject({ isLapsed: true, allowed: [] })
    expect(policyInForce({ ...place, served: first, seen })).toMatchObject({ isApproved: true, allowed: [] })
    // Back as an owner, their signature is one of now; and nobody's counts without enough owners of now.
    expect(policyInForce({ ...three, served: first, seen })).toMatchObject({ allowed: full.allowed })
    const hidden = { ...first, signers: [account.address] }
    expect(policyInForce({ ...place, served: hidden, seen: null })).toMatchObject({ isProven: false, allowed: [] })
    expect(policyInForce({ ...place, served: hidden, seen })).toMatchObject({ allowed: [] })
  })

  it('remembers a withdrawal that the server has forgotten', () => {
    const seen = rememberedPolicy(policyInForce({ ...place, served: withdrawnBy(account.address), seen: null }))
    expect(policyInForce({ ...place, served: first, seen })).toMatchObject({ allowed: full.allowed.slice(1) })
  })

  it('counts only withdrawals of owners and of former signers', () => {
    const allowedBy = (owner: Address, signers: Address[] = owners) => {
      const state = policyInForce({ ...place, served: { ...withdrawnBy(owner), signers }, seen: null })
      return state.status === 'in-force' && state.withdrawn.length === 0
    }
    expect(allowedBy(account.address)).toBe(false)
    expect(allowedBy(third.address, [...owners, third.address])).toBe(false)
    expect(allowedBy(third.address)).toBe(true)
    expect(allowedBy(stranger)).toBe(true)
  })
})
