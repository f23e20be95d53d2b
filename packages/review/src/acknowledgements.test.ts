import { officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  slice,
  toHex,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { type Acknowledgement, type Demand, demandsOf, stillOpen } from './acknowledgements.ts'
import { findingCatalogue } from './catalogue.ts'
import { inForce } from './policy/scene.ts'
import { reviewMessage, reviewSafeTx } from './review.ts'
import { account, inputOf, otherOwner, safeAddress, state, stranger, token } from './scene.ts'
import type { Finding } from './types.ts'

const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
const module: Address = getAddress('0x7777777777777777777777777777777777abcdef')
const ofModule = module.slice(-6)
const unlimited = 2n ** 256n - 1n

const call = (to: Address, signature: string, ...args: readonly unknown[]) => ({
  to,
  data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
})
const approve = (spender: Address, amount = unlimited) => call(token, 'approve(address,uint256)', spender, amount)
const batch = (...calls: { to: Address; data: Hex }[]) => ({
  to: callOnly,
  operation: 1 as const,
  data: encodeMultiSend(calls.map((call) => ({ value: 0n, ...call }))),
})
const lower = call(safeAddress, 'changeThreshold(uint256)', 1n)
/** A contract that the team has named. */
const known = { familiar: [stranger] }
const says = ({ way, finding, typed }: Demand) => [finding.id, way, ...(typed === undefined ? [] : [typed])].join(' ')

/** A careful person's answer to a demand. */
function given(demand: Demand): Acknowledgement {
  const ticked = { key: demand.key, id: demand.finding.id, words: 'This is what it says' }
  return demand.typed === undefined ? ticked : { ...ticked, typed: demand.typed, reason: 'The team decided so' }
}

describe('demandsOf', () => {
  it.each([
    ['nothing of an ordinary payment', inputOf({ value: 1n }), []],
    ['a tick for an unlimited approval', inputOf(approve(stranger), known), ['APPROVE-UNLIMITED tick']],
    [
      'the new threshold, and a tick for what follows from it',
      inputOf(lower),
      ['THRESHOLD-DOWN typed 1', 'THRESHOLD-ONE tick'],
    ],
    [
      'the last six characters of a module',
      inputOf(call(safeAddress, 'enableModule(address)', module)),
      [`MODULE-ENABLE typed ${ofModule}`],
    ],
    [
      'those of a handler',
      inputOf(call(safeAddress, 'setFallbackHandler(address)', module)),
      [`HANDLER-UNKNOWN typed ${ofModule}`],
    ],
    ['those of a guard', inputOf(call(safeAddress, 'setGuard(address)', module)), [`GUARD-SET typed ${ofModule}`]],
    [
      'those of a new owner of a contract',
      inputOf(call(stranger, 'transferOwnership(address)', module)),
      [`OWNERSHIP-TRANSFER typed ${ofModule}`],
    ],
    ['those of new code', inputOf(call(stranger, 'upgradeTo(address)', module)), [`PROXY-UPGRADE typed ${ofModule}`]],
    [
      'those of the contract that loses its owner',
      inputOf(call(stranger, 'renounceOwnership()')),
      [`RENOUNCE typed ${stranger.slice(-6)}`],
    ],
    [
      'nothing that could be given for unknown code that runs as the Safe',
      inputOf({ operation: 1, data: '0xdeadbeef' }),
      ['DC-UNKNOWN never', 'DECODE-NONE never'],
    ],
    [
      'nothing that could be given for the hash of who knows which transaction',
      inputOf(call(stranger, 'approveHash(bytes32)', keccak256('0x'))),
      ['NESTED-APPROVE never'],
    ],
    [
      'nothing that could be given for a function that nobody could read',
      inputOf({ data: '0xdeadbeef' }),
      ['DECODE-NONE never'],
    ],
    [
      'nothing that could be given without the Safe',
      inputOf({}, { state: null }),
      ['hash', 'state', 'singleton', 'proxy', 'signatures', 'simulation'].map(() => 'INPUT-MISSING never'),
    ],
  ])('asks %s', async (_name, input, expected) => {
    const review = await reviewSafeTx(input)
    expect(demandsOf(review).map(says)).toEqual(expected)
    const open = stillOpen(review, demandsOf(review).map(given))
    expect(open.map(({ way }) => way)).toEqual(expected.filter((way) => way.endsWith('never')).map(() => 'never'))
  })

  it('asks for each new owner when they can decide alone', async () => {
    const add = call(safeAddress, 'addOwnerWithThreshold(address,uint256)', module, 1n)
    const review = await reviewSafeTx(inputOf(add))
    expect(demandsOf(review).map(says)).toEqual(
      expect.arrayContaining(['THRESHOLD-DOWN typed 1', `OWNER-QUORUM-UNKNOWN typed ${ofModule}`, 'OWNER-ADD tick']),
    )
  })

  it('asks once for what a batch says twice, and again when it says it at a third place', async () => {
    const twice = await reviewSafeTx(inputOf(batch(approve(stranger), approve(stranger)), known))
    expect(demandsOf(twice)).toMatchObject([{ way: 'tick', places: 2, finding: { id: 'APPROVE-UNLIMITED' } }])
    const other = await reviewSafeTx(inputOf(batch(approve(stranger), approve(otherOwner)), known))
    expect(demandsOf(other).map(({ places }) => places)).toEqual([1, 1])
  })

  describe('many things of one kind', () => {
    const receiverOf = (index: number) => getAddress(slice(keccak256(toHex(index)), 0, 20))
    const withdraw = (receiver: Address, amount = 1n) =>
      call(stranger, 'withdraw(uint256 assets, address receiver, address owner)', amount, receiver, safeAddress)
    const receivers = (count: number) => Array.from({ length: count }, (_, index) => receiverOf(index))
    const reviewOf = (...calls: { to: Address; data: Hex }[]) => reviewSafeTx(inputOf(batch(...calls)))
    const payout = (count: number) => reviewOf(...receivers(count).map((receiver) => withdraw(receiver)))

    it('are answered one by one where they are allowances', async () => {
      const allow = (spender: Address) => ({ ...call(token, 'approve(address,uint256)', spender, 5n) })
      const found = demandsOf(await reviewOf(...receivers(6).map(allow)))
      expect(found.map(({ finding, things }) => `${finding.id} ${things.length}`)).toEqual(
        receivers(6).map(() => 'CODE-UNFAMILIAR 1'),
      )
    })

    it('are one demand that names each, from the fourth on', async () => {
      expect(demandsOf(await payout(3)).map(({ things }) => things.length)).toEqual([1, 1, 1])
      const [list, ...more] = demandsOf(await payout(400))
      expect(more).toEqual([])
      expect(list).toMatchObject({ way: 'tick', places: 400, finding: { id: 'RECEIVER-OTHER' } })
      expect(list?.things.map(({ evidence }) => evidence.receiver)).toEqual(receivers(400))
    })

    it('are answered for exactly these: one more, one less or one other has no answer', async () => {
      const all = demandsOf(await payout(5)).map(given)
      expect(stillOpen(await payout(5), all)).toEqual([])
      const changed = [
        await payout(4),
        await payout(6),
        await reviewOf(...receivers(4).map((receiver) => withdraw(receiver)), withdraw(otherOwner)),
        await reviewOf(...receivers(4).map((receiver) => withdraw(receiver)), withdraw(receiverOf(4), 2n)),
      ]
      for (const review of changed) expect(stillOpen(review, all)).toHaveLength(1)
    })

    it('leave everything of another kind an answer of its own, and rights, look-alikes and control always', async () => {
      const rights = [receiverOf(7), receiverOf(8), otherOwner, account.address].map((spender) => approve(spender))
      const review = await reviewOf(
        ...receivers(4).map((receiver) => withdraw(receiver)),
        ...rights,
        call(stranger, 'transferOwnership(address)', module),
      )
      const demands = demandsOf(review)
      expect(demands.filter(({ things }) => things.length > 1).map(says)).toEqual(['RECEIVER-OTHER tick'])
      expect(demands.filter(({ finding }) => finding.id === 'APPROVE-UNLIMITED')).toHaveLength(4)
      expect(demands.map(says)).toContain(`OWNERSHIP-TRANSFER typed ${ofModule}`)
      const [list] = demands.filter(({ things }) => things.length > 1)
      if (list === undefined) throw new Error('There is no list.')
      expect(stillOpen(review, [given(list)])).toHaveLength(demands.length - 1)
    })

    it('by different functions are different kinds', async () => {
      const redeem = (receiver: Address) =>
        call(stranger, 'redeem(uint256 shares, address receiver, address owner)', 1n, receiver, safeAddress)
      const review = await reviewOf(
        ...receivers(3).map((receiver) => withdraw(receiver)),
        ...receivers(3).map((receiver) => redeem(receiver)),
      )
      expect(demandsOf(review)).toHaveLength(6)
    })
  })

  it('asks for each account by itself, where the bytes name it inside a tuple', async () => {
    const signature =
      'permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)'
    const details = { token, amount: 5n, expiration: 9, nonce: 0 }
    const permit = (spender: Address) =>
      call(module, signature, safeAddress, { details, spender, sigDeadline: 9n }, '0x')
    const demands = demandsOf(await reviewSafeTx(inputOf(batch(permit(stranger), permit(otherOwner)))))
    expect(demands.map(({ finding }) => finding.evidence.spender)).toEqual([[stranger], [otherOwner]])
  })

  it('an unfinished check has a demand that nothing meets, whatever else is acknowledged', async () => {
    const signature: Hex = `0x${'00'.repeat(12)}${account.address.slice(2)}${'00'.repeat(32)}01`
    const review = await reviewSafeTx(
      inputOf(approve(stranger), { confirmations: [{ owner: account.address, signature }] }),
    )
    expect(review.verdict).toBe('cannot-verify')
    const open = stillOpen(review, demandsOf(review).map(given))
    expect(open).toMatchObject([{ way: 'never', finding: { id: 'INPUT-MISSING', evidence: { check: 'signatures' } } }])
  })

  it('of a message: a permit is ticked, a bare hash never is', async () => {
    const message = (content: Parameters<typeof reviewMessage>[0]['content']) =>
      reviewMessage({
        kind: 'message',
        chainId: 1,
        safeAddress,
        content,
        claimedHash: null,
        origin: null,
        now: 0,
        state,
        confirmations: [],
        others: [],
        account: null,
        tokens: [],
        nodeChainId: 1,
      })
    const hash = await message({ encoding: 'RAW', bytes: keccak256('0x01') })
    expect(hash.verdict).toBe('do-not-sign')
    expect(demandsOf(hash).map(says)).toEqual(['MSG-RAW-HASH never'])
    const types = { Permit: [{ name: 'spender', type: 'address' }] }
    const domain = { name: 'Test USD', chainId: 1, verifyingContract: token }
    const typedData = { types, domain, primaryType: 'Permit', message: { spender: stranger } }
    const permit = await message({ encoding: 'EIP712', typedData })
    expect(permit.verdict).toBe('matches-with-warnings')
    expect(demandsOf(permit).map(says)).toEqual(['PERMIT-SIGN tick'])
    expect(stillOpen(permit, demandsOf(permit).map(given))).toEqual([])
  })
})

describe('answers and the policy', () => {
  it('count under the version under which they were given, and under no other', async () => {
    const reviewUnder = (policy: ReturnType<typeof inForce> | undefined) => reviewSafeTx({ ...inputOf(lower), policy })
    const under = await reviewUnder(inForce({}))
    const answers = demandsOf(under).map(given)
    expect(answers.length).toBeGreaterThan(0)
    expect(stillOpen(under, answers)).toEqual([])
    for (const other of [undefined, inForce({ number: 2 }), inForce({ reason: 'Another.' })]) {
      const again = await reviewUnder(other)
      expect(stillOpen(again, answers)).toHaveLength(demandsOf(again).length)
    }
  })
})

describe('stillOpen', () => {
  const reviewed = () => reviewSafeTx(inputOf(lower))
  const answers = async () => demandsOf(await reviewed()).map(given)

  it('is empty when every demand is met', async () => {
    expect(stillOpen(await reviewed(), await answers())).toEqual([])
  })

  it.each([
    ['is not given', (): Acknowledgement[] => []],
    ['lacks a reason', (all: Acknowledgement[]) => all.map(({ reason: _, ...rest }) => rest)],
    [
      'has a reason that shows nothing',
      (all: Acknowledgement[]) => all.map((answer) => ({ ...answer, reason: '\u3164\u200b' })),
    ],
    ['has a reason without a word', (all: Acknowledgement[]) => all.map((answer) => ({ ...answer, reason: ' .. ' }))],
    ['types another number', (all: Acknowledgement[]) => all.map((answer) => ({ ...answer, typed: '2' }))],
    ['types nothing', (all: Acknowledgement[]) => all.map((answer) => ({ ...answer, typed: '' }))],
    [
      'is that of another finding',
      (all: Acknowledgement[]) => all.map((answer) => ({ ...answer, id: 'THRESHOLD-ONE' as const })),
    ],
  ])('keeps what %s', async (_name, change) => {
    const open = stillOpen(await reviewed(), change(await answers()))
    expect(open.map(({ finding }) => finding.id)).toContain('THRESHOLD-DOWN')
  })

  it('takes an acknowledgement neither for another nonce, nor for another Safe, nor for other evidence', async () => {
    const all = await answers()
    for (const input of [
      inputOf({ ...lower, nonce: 6n }),
      inputOf(lower, { state: { ...state, threshold: 3 } }),
      inputOf({ ...lower, refundReceiver: stranger }),
    ]) {
      expect(stillOpen(await reviewSafeTx(input), all).map(({ way }) => way)).toContain('typed')
    }
  })

  it('reads letters in either case, and spaces around', async () => {
    const review = await reviewSafeTx(inputOf(call(safeAddress, 'enableModule(address)', module)))
    const all = demandsOf(review).map((demand) => ({ ...given(demand), typed: ` ${ofModule.toUpperCase()} ` }))
    expect(stillOpen(review, all)).toEqual([])
  })

  it('is not empty for any verdict but matches, before anything is acknowledged', async () => {
    for (const input of [inputOf(lower), inputOf(approve(stranger)), inputOf({ data: '0xdeadbeef' })]) {
      const review = await reviewSafeTx(input)
      expect(review.verdict).not.toBe('matches')
      expect(stillOpen(review, [])).not.toEqual([])
    }
    const payment = await reviewSafeTx(inputOf({ value: 1n }))
    expect([payment.verdict, stillOpen(payment, [])]).toEqual(['matches', []])
  })
})

describe('the key of a demand', () => {
  it('is made of the evidence as text, so that answers that are kept stay valid', () => {
    const finding: Finding = {
      id: 'OWNER-QUORUM-UNKNOWN',
      severity: 'critical',
      evidence: { to: safeAddress, call: [2, 0], before: 2, newOwners: [stranger, otherOwner], case: 'unread' },
      where: { call: [2, 0] },
    }
    const text = { before: '2', case: 'unread', newOwners: `${stranger}, ${otherOwner}`, to: safeAddress }
    const said = JSON.stringify([finding.id, finding.severity, Object.entries(text)])
    const expected = keccak256(toHex(JSON.stringify([zeroHash, said, [[['call', [2, 0]]]]])))
    const [demand] = demandsOf({ hash: zeroHash, policyHash: null, checks: [], findings: [finding] })
    expect(demand).toMatchObject({ key: expected, typed: `${stranger.slice(-6)} ${otherOwner.slice(-6)}` })
  })
})

describe('the catalogue', () => {
  it('lets people type values that its row declares, of a kind that can be typed', () => {
    for (const [id, entry] of Object.entries(findingCatalogue)) {
      if (!('typed' in entry) || entry.typed === 'to') continue
      const specs: Readonly<Record<string, string>> = entry.evidence
      expect(specs[entry.typed], id).toMatch(/^(?:address|addresses|amount|count)\??$/)
    }
  })

  it('lists nothing that goes on, imitates or controls', () => {
    const listed = Object.entries(findingCatalogue).filter(([, entry]) => 'isListed' in entry)
    for (const [id, entry] of listed) {
      expect(id).not.toMatch(/APPROV|RIGHT|LOOKALIKE|HOMOGLYPH|OWNER|ROLE|MODULE|GUARD|HANDLER|SIG-|PERMIT|SIM-/)
      expect('way' in entry && entry.way, id).toBe('tick')
    }
  })

  it('says what opens the button for whatever can be critical or high, and for nothing else', () => {
    for (const [id, entry] of Object.entries(findingCatalogue)) {
      const [worst] = entry.severities
      if (worst !== 'critical' && worst !== 'high') expect(entry, id).not.toHaveProperty('way')
      else if (worst === 'critical') expect(entry, id).toHaveProperty('way', expect.stringMatching(/^(?:typed|never)$/))
      else expect(entry, id).toHaveProperty('way', expect.stringMatching(/^(?:tick|never)$/))
      expect('typed' in entry, id).toBe('way' in entry && entry.way === 'typed')
    }
  })
})
