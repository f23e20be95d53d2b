import type { MessageContent } from '@countersign/safe'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../input.ts'
import { reviewMessage } from '../review.ts'
import { account, inputOf, otherOwner, safeAddress, stranger, token, typedDataOf } from '../scene.ts'
import { outflowsOfMessage } from './message-outflows.ts'
import { brokenMessageRules } from './policy-rules.ts'
import { emptyPolicy, inForce, nothingExecuted } from './scene.ts'
import type { TeamPolicy } from './team-policy.ts'

const DAY = 86_400
type Fields = Record<string, unknown>
const typesOf = (message: Fields): { name: string; type: string }[] =>
  Object.entries(message).map(([name, value]) => ({
    name,
    type:
      typeof value === 'bigint' || typeof value === 'number'
        ? 'uint256'
        : typeof value === 'boolean'
          ? 'bool'
          : 'address',
  }))
function typed(
  primaryType: string,
  message: Fields,
  domain: Fields = { verifyingContract: token, chainId: 1 },
): MessageContent {
  return { encoding: 'EIP712', typedData: { domain, types: { [primaryType]: typesOf(message) }, primaryType, message } }
}
const exactly = (...asked: Parameters<typeof typedDataOf>): MessageContent => ({
  encoding: 'EIP712',
  typedData: typedDataOf(...asked),
})
const permit = (value: unknown, spender: Address = stranger) =>
  exactly('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)', {
    owner: safeAddress,
    spender,
    value,
    nonce: 0n,
    deadline: 1n,
  })
const batch = (details: Fields[]) =>
  exactly(
    'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
    { details, spender: stranger, sigDeadline: 1n },
    { name: 'Permit2', verifyingContract: otherOwner },
  )
const order = (change: Fields) =>
  exactly(
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    { sellToken: token, buyToken: otherOwner, receiver: stranger, sellAmount: 10n, feeAmount: 1n, ...change },
  )

const amountsOf = (content: MessageContent) => Object.fromEntries(outflowsOfMessage(content, safeAddress).amounts)
const hiddenIn = (content: MessageContent) => [...outflowsOfMessage(content, safeAddress).unbounded.keys()]
const key = token.toLowerCase()

describe('outflowsOfMessage', () => {
  it.each<[string, MessageContent, bigint]>([
    ['ERC-2612', permit(5n), 5n],
    ['ERC-2612, the number as text', permit('5'), 5n],
    ['ERC-2612, the number as hex', permit('0x05'), 5n],
    [
      'a batch of Permit2',
      batch([
        { token, amount: 7n },
        { token, amount: 8n },
      ]),
      15n,
    ],
    ['an order of CoW', order({}), 11n],
  ])('adds up %s', (_name, content, amount) => {
    expect(amountsOf(content)).toEqual({ [key]: amount })
    expect(hiddenIn(content)).toEqual([])
    expect(outflowsOfMessage(content, safeAddress).receivers).toContainEqual({ address: stranger, call: [] })
  })

  it.each<[string, MessageContent]>([
    [
      'DAI, which allows everything',
      exactly('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)', {
        holder: safeAddress,
        spender: stranger,
        nonce: 0n,
        expiry: 0n,
        allowed: true,
      }),
    ],
    ['a number that is none', permit('-5')],
    ['a number above what is safe', permit(2 ** 60)],
    [
      'entries of Permit2 one of which cannot be read',
      batch([
        { token, amount: 7n },
        { token, amount: true },
      ]),
    ],
    ['an order of anybody else', typed('LimitOrder', { makerAsset: token, maker: safeAddress, makingAmount: 1n })],
    ['an order inside', typed('OrderComponents', { offerer: safeAddress, orderType: 0n })],
    ['a delegation', typed('Delegation', { delegatee: stranger, nonce: 0n })],
    ['a transaction of an account', typed('SafeTx', { to: stranger, value: 1n })],
  ])('tells no limit of %s', (_name, content) => expect(hiddenIn(content)).toContain('*'))

  it('gives nothing away by a text, a vote, or what stays at the Safe', () => {
    const nothing = { amounts: new Map(), unbounded: new Map(), receivers: [] }
    expect(outflowsOfMessage({ encoding: 'EIP191_TEXT', text: 'hello' }, safeAddress)).toEqual(nothing)
    const vote = typed('Vote', { from: safeAddress, choice: 1n }, { name: 'snapshot', version: '0.1.4' })
    expect(outflowsOfMessage(vote, safeAddress)).toEqual(nothing)
    expect(outflowsOfMessage(typed('Login', { nonce: 1n }, { name: 'shop' }), safeAddress)).toEqual(nothing)
  })

  it('takes what is signed for an unknown contract for a call of it', () => {
    const content = typed('Greeting', { nonce: 1n })
    expect(hiddenIn(content)).toEqual([key])
    expect(outflowsOfMessage(content, safeAddress).receivers).toEqual([{ address: token, call: [] }])
  })
})

describe('brokenMessageRules', () => {
  const limited: Partial<TeamPolicy> = { amountLimits: [{ asset: token, amount: 100n, period: DAY }] }
  const rules = (
    content: MessageContent,
    change: Partial<TeamPolicy>,
    confirmers: Address[] = [account.address, otherOwner],
  ) =>
    brokenMessageRules(
      { ...emptyPolicy, ...change },
      {
        spent: [{ asset: token, period: DAY, executed: 40n, queued: 50n }],
        message: { content, safeAddress, confirmers, threshold: 2 },
      },
    ).map(({ rule }) => rule)

  it('counts a permit beside what was executed and is queued', () => {
    expect(rules(permit(10n), limited)).toEqual([])
    expect(rules(permit(11n), limited)).toEqual(['amount'])
    expect(rules(typed('Delegation', { delegatee: stranger }), limited)).toEqual(['amount'])
  })

  it('holds it to known recipients', () => {
    expect(rules(permit(1n), { recipientsOnly: true, recipients: [] })).toContain('recipient')
    expect(rules(permit(1n), { recipientsOnly: true, recipients: [stranger] })).toEqual([])
    expect(rules(order({ receiver: safeAddress }), { recipientsOnly: true })).toEqual(['recipient'])
    expect(rules(order({}), { recipientsOnly: true, recipients: [stranger] })).toEqual([])
  })

  it('needs the reviewer before the last confirmation', () => {
    const reviewers = [{ reviewer: stranger, asset: token, above: 5n }]
    expect(rules(permit(6n), { reviewers })).toEqual(['reviewer'])
    expect(rules(permit(5n), { reviewers })).toEqual([])
    expect(rules(permit(6n), { reviewers }, [account.address])).toEqual([])
    expect(rules(permit(6n), { reviewers }, [account.address, stranger])).toEqual([])
  })

  it('leaves what gives nothing away alone', () => {
    const all = { ...limited, recipientsOnly: true, reviewers: [{ reviewer: stranger, asset: null, above: 0n }] }
    expect(rules({ encoding: 'EIP191_TEXT', text: 'hello' }, all)).toEqual([])
  })
})

describe('the review of a message under a policy', () => {
  const message = (content: MessageContent, change: Partial<MessageInput>): MessageInput => {
    const { safeTx: _none, kind: _kind, ...rest } = inputOf({})
    return { ...rest, kind: 'message', content, claimedHash: null, now: 0, ...change }
  }
  const policy = inForce({ amountLimits: [{ asset: token, amount: 100n, period: DAY }] })
  const spent = [{ asset: token, period: DAY, executed: 40n, queued: 50n }]
  const executedAmounts = nothingExecuted(policy.policy)

  it('refuses what breaks it, and says which rule', async () => {
    const broken = await reviewMessage(message(permit(11n), { policy, spent, executedAmounts }))
    expect(broken.verdict).toBe('do-not-sign')
    expect(broken.findings[0]).toMatchObject({
      id: 'POLICY-BROKEN',
      evidence: { rule: 'amount', amount: { value: 11n } },
    })
    expect((await reviewMessage(message(permit(10n), { policy, spent, executedAmounts }))).verdict).toBe(
      'matches-with-warnings',
    )
  })

  it('cannot verify without the policy or its sums, and refuses one that was rolled back', async () => {
    expect((await reviewMessage(message(permit(1n), { policy: { status: 'unread' } }))).verdict).toBe('cannot-verify')
    expect((await reviewMessage(message(permit(1n), { policy }))).verdict).toBe('cannot-verify')
    expect((await reviewMessage(message(permit(1n), { policy, spent }))).verdict).toBe('cannot-verify')
    const rolledBack = { status: 'rolled-back', why: 'missing', seen: null, served: null } as const
    expect((await reviewMessage(message(permit(1n), { policy: rolledBack }))).verdict).toBe('do-not-sign')
    expect((await reviewMessage(message(permit(1n), {}))).checks.map(({ id }) => id)).not.toContain('policy')
  })
})
