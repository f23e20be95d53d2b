import { readFileSync } from 'node:fs'
import {
  encodeContractSignature,
  encodeSafeTxPreimage,
  hashSafeDomain,
  hashSafeTx,
  newSafeTx,
  safeTxTypedData,
  writeSignInMessage,
} from '@countersign/safe'
import { type Hex, keccak256, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../scripts/testing/growth.mjs'
import type { MessageInput } from '../input.ts'
import { reviewMessage } from '../review.ts'
import { account, otherOwner, outsider, safeAddress, state, stranger, token, typedDataOf } from '../scene.ts'
import type { MessageReviewInput } from '../types.ts'
import { reviewSafeMessage } from './message-content.ts'

const safeTx = newSafeTx({ to: stranger, nonce: 5n })
const context = { chainId: 1, safeAddress, version: '1.4.1', safeTx }
const now = Date.parse('2026-01-01T12:00:00Z')

function review(content: MessageReviewInput['content'], change: Partial<MessageReviewInput> = {}) {
  return reviewSafeMessage({
    chainId: 1,
    safeAddress,
    version: '1.4.1',
    content,
    claimedHash: null,
    safeTxHashes: [hashSafeTx(context).safeTxHash],
    origin: 'https://app.example.org',
    now,
    ...change,
  })
}
const idsOf = (...args: Parameters<typeof review>) => review(...args).findings.map(({ id }) => id)
const text = (written: string) => ({ encoding: 'EIP191_TEXT', text: written }) as const
const raw = (bytes: Hex) => ({ encoding: 'RAW', bytes }) as const

describe('a message that is a transaction', () => {
  it.each([
    ['its hash', raw(hashSafeTx(context).safeTxHash)],
    ['its hash by personal_sign', { encoding: 'EIP191_BYTES', bytes: hashSafeTx(context).safeTxHash } as const],
    ['the 66 bytes of it', raw(encodeSafeTxPreimage(context))],
    ['the typed data of it', { encoding: 'EIP712', typedData: safeTxTypedData(context) } as const],
  ])('is critical: %s', (_name, content) => {
    expect(review(content).findings[0]).toMatchObject({ id: 'MSG-IS-TX', severity: 'critical' })
  })

  it('is not every hash, but nobody sees what one stands for', () => {
    expect(idsOf(raw(keccak256('0x01')))).toEqual(['MSG-RAW-HASH'])
    expect(review(raw('0x1234')).findings).toMatchObject([{ id: 'MSG-RAW-HASH', severity: 'high' }])
  })
})

describe('a text', () => {
  it('is harmless when it is one', () =>
    expect(review(text('Hello\nworld'))).toMatchObject({ findings: [], signIn: null }))

  it('can look like bytes', () => expect(idsOf(text('0xdeadbeef'))).toEqual(['MSG-HEX-AMBIGUOUS']))

  it('can hide characters', () => expect(idsOf(text('names\u202eake'))).toEqual(['TEXT-CONTROL']))

  it.each([
    ['an act', 'Please withdraw everything', 'withdraw'],
    ['a key', `My key is ${'ab'.repeat(20)}`, 'ab'.repeat(20)],
    ['another account', `I agree with ${stranger}`, stranger],
    ['an amount', 'Ich zahle 1.000,5 USDC', '1.000,5 USDC'],
    ['an amount behind a mark', 'x1,5 ETH', '5 ETH'],
    ['a name of a registry', 'To pay.foo.eth, today', 'pay.foo.eth'],
    ['a name in letters of another script, in the middle of a sentence', '给文.eth的', '给文.eth'],
    ['an act in letters that look the same', 'Please \u0442r\u0430nsfer', 'transfer'],
  ])('can be taken for an order: %s', (_name, written, named) => {
    const [found] = review(text(written)).findings
    expect(found).toMatchObject({ id: 'MSG-INSTRUCTS', severity: 'high' })
    expect(found?.evidence.named).toContain(named)
  })

  it.each([
    ['the Safe itself', `Wallet address: ${safeAddress}`],
    ['a time', 'Signed at 10:00 UTC, 2026'],
    ['agreement', 'I agree to the terms'],
  ])('is no order by %s', (_name, written) => expect(idsOf(text(written))).toEqual([]))

  it.each(['a.', 'a-', '1,', '1 ', 'new ', '.eth', 'ETH '])(
    'of marks like %j alone takes work in proportion to its length',
    (marks) => {
      const growth = growthOf((units) => idsOf(text(marks.repeat(units))), Math.floor(65_000 / marks.length))
      expect(growth).toBeLessThan(8)
    },
  )

  it('of a sign-in is its statement, and what it entitles to', () => {
    const fields = {
      domain: 'app.example.org',
      address: safeAddress,
      uri: 'https://app.example.org/',
      version: '1' as const,
      chainId: 1,
      nonce: '32891756abcd',
      issuedAt: '2026-01-01T11:59:00Z',
    }
    const signIn = (more: object) => idsOf(text(writeSignInMessage({ ...fields, ...more })))
    expect(signIn({ statement: 'Welcome', resources: [`https://a.example/${stranger}`] })).toEqual([])
    expect(signIn({ statement: 'I authorize withdrawals' })).toEqual(['MSG-INSTRUCTS'])
    expect(signIn({ resources: ['urn:recap:eyJhdHQiOnt9fQ'] })).toEqual(['MSG-INSTRUCTS'])
  })

  it('must have the hash that was asked for', () => {
    expect(idsOf(text('a'), { claimedHash: keccak256('0x') })).toEqual(['HASH-MISMATCH'])
    const { hashes } = review(text('a'))
    expect(idsOf(text('a'), { claimedHash: hashes.safeMessageHash })).toEqual([])
  })
})

describe('typed data that lets somebody take assets', () => {
  const typedData = (primaryType: string, fields: [name: string, type: string, value: unknown][]) => ({
    domain: { chainId: 1, verifyingContract: token },
    types: { [primaryType]: fields.map(([name, type]) => ({ name, type })) },
    primaryType,
    message: Object.fromEntries(fields.map(([name, _type, value]) => [name, value])),
  })

  it('is named with who gets what until when', () => {
    const permit = typedData('Permit', [
      ['owner', 'address', safeAddress],
      ['spender', 'address', stranger],
      ['value', 'uint256', 2n ** 256n - 1n],
      ['nonce', 'uint256', 0n],
      ['deadline', 'uint256', 1_900_000_000n],
    ])
    expect(review({ encoding: 'EIP712', typedData: permit }).findings).toMatchObject([
      {
        id: 'PERMIT-SIGN',
        evidence: {
          spender: [stranger],
          token,
          amount: { text: String(2n ** 256n - 1n), asset: token },
          deadline: '1900000000',
        },
      },
    ])
  })

  it('has a finding for each of several entries', () => {
    const details = [
      { token, amount: 1n, expiration: 1_800_000_000n, nonce: 0n },
      { token: otherOwner, amount: 2n ** 160n - 1n, expiration: 1_900_000_000n, nonce: 0n },
    ]
    const typedData = typedDataOf(
      'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
      { details, spender: stranger, sigDeadline: 1_850_000_000n },
      { name: 'Permit2', chainId: 1, verifyingContract: otherOwner },
    )
    const batch = review({ encoding: 'EIP712', typedData }).findings
    expect(batch.map(({ evidence }) => evidence)).toMatchObject([
      { spender: [stranger], token, amount: { text: '1', asset: token }, deadline: '1850000000' },
      { spender: [stranger], token: otherOwner, amount: { text: String(2n ** 160n - 1n) }, deadline: '1900000000' },
    ])
  })

  it('names the first of very many entries, and says that there are more', () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({ token, amount: BigInt(index + 1) }))
    const typed = typedDataOf(
      'PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
      { permitted: entries, spender: stranger, nonce: 0n, deadline: 1n },
      { name: 'Permit2', chainId: 1, verifyingContract: otherOwner },
    )
    const { findings } = review({ encoding: 'EIP712', typedData: typed })
    expect(findings.map(({ evidence }) => 'amount' in evidence)).toEqual([...Array(20).fill(true), false])
    expect(findings.map(({ evidence }) => evidence)).toMatchObject(Array(21).fill({ spender: [stranger] }))
  })

  it('is known by its fields, too', () => {
    const other = typedData('Grant', [
      ['spender', 'address', stranger],
      ['amount', 'uint256', 1n],
    ])
    expect(idsOf({ encoding: 'EIP712', typedData: other })).toEqual(['PERMIT-SIGN'])
  })

  it('is not every typed data', () => {
    const vote = typedData('Vote', [
      ['choice', 'uint32', 1],
      ['reason', 'string', 'because'],
    ])
    expect(idsOf({ encoding: 'EIP712', typedData: vote })).toEqual(['TYPED-DATA-UNKNOWN'])
    const hidden = typedData('Vote', [['reason', 'string', 'a\u200bb']])
    expect(idsOf({ encoding: 'EIP712', typedData: hidden })).toEqual(['TYPED-DATA-UNKNOWN', 'TEXT-CONTROL'])
  })

  it('hides nothing in its domain or in its names', () => {
    const vote = typedData('Vote', [['choice', 'uint32', 1]])
    const named = { ...vote, domain: { ...vote.domain, name: 'Uni\u202eswap' } }
    expect(idsOf({ encoding: 'EIP712', typedData: named })).toContain('TEXT-CONTROL')
    const field = typedData('Vote', [['cho\u200bice', 'uint32', 1]])
    expect(idsOf({ encoding: 'EIP712', typedData: field })).toContain('TEXT-CONTROL')
  })

  it('comes to an end in order when its types are no lists of fields', () => {
    const odd = { ...typedData('EIP712Domain', []), types: { Vote: null } }
    expect(idsOf({ encoding: 'EIP712', typedData: odd as unknown as ReturnType<typeof typedData> })).toEqual([
      'TYPED-DATA-UNKNOWN',
    ])
  })

  it('is a transaction when one is inside, as signatures that are passed on have it', () => {
    const inside = {
      ...typedData('TypedDataSign', [['contents', 'SafeTx', { nonce: 1n }]]),
    }
    const types = { ...inside.types, SafeTx: [{ name: 'nonce', type: 'uint256' }] }
    expect(idsOf({ encoding: 'EIP712', typedData: { ...inside, types } })).toEqual(['MSG-IS-TX'])
  })

  it('that is too large to be looked through is not passed over', () => {
    const large = typedData('Votes', [['choices', 'uint8[]', Array.from({ length: 20_001 }, () => 1)]])
    const permit = { ...large, types: { Votes: [...(large.types.Votes ?? []), { name: 'spender', type: 'address' }] } }
    const typed = { ...permit, message: { ...permit.message, spender: stranger } }
    expect(idsOf({ encoding: 'EIP712', typedData: typed })).toEqual(['DECODE-BUDGET', 'TYPED-DATA-UNKNOWN'])
  })
})

describe('a sign-in', () => {
  const fields = {
    scheme: 'https',
    domain: 'app.example.org',
    address: safeAddress,
    uri: 'https://app.example.org/login',
    version: '1' as const,
    chainId: 1,
    nonce: '32891756abcd',
    issuedAt: '2026-01-01T11:59:00Z',
    expirationTime: '2026-01-01T12:30:00Z',
  }
  const signIn = (change: Partial<typeof fields> = {}) => text(writeSignInMessage({ ...fields, ...change }))

  it('to the site that asks for it finds nothing', () => {
    expect(review(signIn())).toMatchObject({ findings: [], signIn: { domain: 'app.example.org' } })
  })

  it.each([
    ['the origin is another', signIn(), { origin: 'https://evil.example.org' }],
    ['the origin is on another port', signIn(), { origin: 'https://app.example.org:8443' }],
    ['the URI is of another host', signIn({ uri: 'https://evil.example.org/login' }), {}],
    ['the URI hides its host behind a user name', signIn({ uri: 'https://app.example.org@evil.example.org/' }), {}],
    ['the domain has a user name', signIn({ domain: 'app.example.org@evil.example.org' }), {}],
  ])('SIWE-DOMAIN: %s', (_name, content, change) => {
    expect(idsOf(content, change)).toContain('SIWE-DOMAIN')
  })

  it('SIWE-ADDRESS: another account, another chain', () => {
    expect(idsOf(signIn({ address: zeroAddress }))).toEqual(['SIWE-ADDRESS'])
    expect(idsOf(signIn({ chainId: 10 }))).toEqual(['SIWE-ADDRESS'])
  })

  it('SIWE-TIME: expired; unchecked without a clock', () => {
    const late = { now: Date.parse('2026-01-01T13:00:00Z') }
    expect(idsOf(signIn(), late)).toEqual(['SIWE-TIME'])
    expect(idsOf(signIn(), { now: null })).toEqual(['INPUT-MISSING'])
  })

  it('SIWE-PARSE: what speaks of signing in and is not EIP-4361', () => {
    const path = new URL('../../../safe/vectors/siwe/parsing_negative.json', import.meta.url)
    const negative: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
    const phrased = Object.values(negative).filter((sample) =>
      /wants you to sign in with your Ethereum account/i.test(sample),
    )
    expect(phrased.length).toBeGreaterThan(5)
    for (const sample of phrased) expect(idsOf(text(sample)), sample).toContain('SIWE-PARSE')
  })
})

describe('reviewMessage', () => {
  const content = text('Hello')
  const safeMessageHash = review(content).hashes.safeMessageHash
  const collect = (change: Partial<MessageInput>) =>
    reviewMessage({
      kind: 'message',
      chainId: 1,
      safeAddress,
      content,
      claimedHash: null,
      origin: null,
      now,
      state,
      confirmations: [],
      others: [],
      account: null,
      tokens: [],
      nodeChainId: 1,
      ...change,
    })
  const contractSignature = { owner: otherOwner, signature: encodeContractSignature(otherOwner, '0x12') }

  it('matches with the signatures of owners', async () => {
    const signature = await account.sign({ hash: safeMessageHash })
    const review = await collect({ confirmations: [{ owner: account.address, signature }] })
    expect(review).toMatchObject({ verdict: 'matches', findings: [], confirmations: [{ status: 'valid' }] })
  })

  it.each([
    ['of a stranger', outsider.address, outsider, safeMessageHash, 'not-owner'],
    ['of another owner than it says', otherOwner, account, safeMessageHash, 'invalid'],
    ['on another hash', account.address, account, keccak256('0x'), 'invalid'],
  ] as const)('says do-not-sign for a signature %s', async (_name, owner, signer, hash, status) => {
    const review = await collect({ confirmations: [{ owner, signature: await signer.sign({ hash }) }] })
    expect(review).toMatchObject({
      verdict: 'do-not-sign',
      findings: [{ id: 'SIG-MISMATCH' }],
      confirmations: [{ status }],
    })
  })

  it.each([
    [true, 'matches', 'valid'],
    [undefined, 'cannot-verify', 'not-checked'],
    [false, 'do-not-sign', 'invalid'],
  ] as const)('takes the word of a contract that answered %s', async (answer, verdict, status) => {
    const contractSignatures = { [otherOwner.toLowerCase()]: answer }
    const review = await collect({ confirmations: [contractSignature], contractSignatures })
    expect(review).toMatchObject({ verdict, confirmations: [{ status }] })
  })

  it('cannot verify without the Safe, or with one of no release', async () => {
    const findings = (id: string) => expect.arrayContaining([expect.objectContaining({ id })])
    expect(await collect({ state: null })).toMatchObject({
      verdict: 'cannot-verify',
      findings: findings('INPUT-MISSING'),
    })
    const unknown = { ...state, version: null, singleton: stranger }
    expect(await collect({ state: unknown })).toMatchObject({
      verdict: 'cannot-verify',
      findings: findings('SINGLETON-UNKNOWN'),
    })
  })

  it('says do-not-sign for what is critical in the message itself', async () => {
    const disguised = { encoding: 'EIP712', typedData: safeTxTypedData(context) } as const
    expect((await collect({ content: disguised })).verdict).toBe('do-not-sign')
  })

  it('lists what was checked, and what the chain was not asked for', async () => {
    const of = async (change: Partial<MessageInput>) =>
      Object.fromEntries((await collect(change)).checks.map(({ id, status }) => [id, status]))
    const passed = { hash: 'passed', state: 'passed', singleton: 'passed', signatures: 'passed' }
    expect(await of({})).toEqual({
      ...passed,
      'second-source': 'not-checked',
      proxy: 'passed',
      'chain-id': 'passed',
      domain: 'passed',
    })
    const sources = { count: 2, needed: 2, said: [], blocks: [] }
    const provenance = { grades: { safeSlots: 'proved' }, refused: [], contradicting: [], sources } as const
    expect(await of({ provenance })).toMatchObject({ 'second-source': 'passed' })
    expect(await of({ nodeChainId: undefined })).toMatchObject({ 'chain-id': 'not-checked' })
    expect(await of({ state: null })).toMatchObject({ hash: 'not-checked', domain: 'not-checked' })
    expect(await of({ claimedHash: keccak256('0x') })).toMatchObject({ hash: 'failed' })
  })

  it('is not taken for good in a Safe whose own code is no official proxy', async () => {
    const odd = { ...state, isOfficialProxy: false }
    expect(await collect({ state: odd })).toMatchObject({ verdict: 'cannot-verify' })
  })

  it('holds on another chain too before 1.3.0, whatever the nonce there', async () => {
    const old = { ...state, version: '1.1.1', reportedVersion: '1.1.1' }
    const safe = { owners: [account.address], threshold: 1, nonce: 99n, version: '1.1.1', reportedVersion: '1.1.1' }
    const storedDomainHash = hashSafeDomain({ chainId: 1, safeAddress, version: '1.1.1' })
    const found = await collect({ state: old, storedDomainHash, otherChains: [{ chainId: 100, safe }] })
    expect(found.findings).toContainEqual(expect.objectContaining({ id: 'REPLAY-CHAIN', severity: 'high' }))
    const alone = await collect({ state: old, storedDomainHash, otherChains: [{ chainId: 100, safe: null }] })
    expect(alone.findings.map(({ id }) => id)).toEqual(['VERSION-OLD'])
  })
})
