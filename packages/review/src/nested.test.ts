import {
  encodeMessageContent,
  encodeSafeTxPreimage,
  hashSafeMessage,
  hashSafeTx,
  newSafeTx,
  officialDeployment,
  type SafeTx,
  safeAbi,
  safeTxTypedData,
} from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { demandsOf, isClosed, stillOpen } from './acknowledgements.ts'
import { approvalsOf, MAX_APPROVAL_DEPTH, MAX_APPROVALS } from './approvals.ts'
import type { MessageInput, ReviewInput, SubjectInput } from './input.ts'
import { reviewMessage, reviewSafeTx } from './review.ts'
import { account, codesOf, ids, inputOf, otherOwner, runAsTold, safeAddress, state, stranger, token } from './scene.ts'

const parent: Address = '0x5555555555555555555555555555555555555555'
const data = (name: 'approveHash' | 'changeThreshold', value: Hex | bigint) =>
  encodeFunctionData({ abi: safeAbi, functionName: name, args: [value] } as never)

/** A transaction of another Safe, with all that its review needs; `by` is one of its owners. */
function ofSafe(
  address: Address,
  by: Address,
  fields: Partial<SafeTx>,
  change: Partial<ReviewInput> = {},
): ReviewInput {
  const safeTx = newSafeTx({ to: stranger, value: 1n, nonce: 5n, ...fields })
  const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress: address, version: '1.4.1', safeTx })
  const input: ReviewInput = {
    ...inputOf({}),
    safeAddress: address,
    safeTx,
    claimedHash: safeTxHash,
    chainSafeTxHash: safeTxHash,
    state: { ...state, address, owners: [by, otherOwner], threshold: 2 },
    codes: codesOf(address, safeTx),
    account: by,
    ...change,
  }
  return { ...input, simulation: runAsTold(input) }
}

/** A transaction of the Safe that approves one of the parent. */
function approving(nested: SubjectInput, change: Partial<ReviewInput> = {}, hash = nested.claimedHash): ReviewInput {
  return inputOf({ to: nested.safeAddress, data: data('approveHash', hash as Hex) }, { nested: [nested], ...change })
}

const found = (review: Awaited<ReturnType<typeof reviewSafeTx>>, id: string) =>
  review.findings.find((known) => known.id === id)
const unresolved = async (input: ReviewInput) => {
  const review = await reviewSafeTx(input)
  expect(review.verdict).toBe('do-not-sign')
  expect(isClosed(review)).toBe(true)
  expect(review.nested).toEqual([])
  return found(review, 'NESTED-APPROVE')?.evidence.unresolved
}

describe('a transaction of a parent Safe that is approved by its hash', () => {
  it('is reviewed as any other, as the approving Safe, and its verdict counts', async () => {
    const nested = ofSafe(parent, safeAddress, {}, { account: null })
    const review = await reviewSafeTx(approving(nested))
    expect(review.verdict).toBe('matches')
    expect(found(review, 'NESTED-APPROVE')).toMatchObject({ severity: 'low', evidence: { hash: nested.claimedHash } })
    expect(review.checks).toContainEqual({ id: 'nested', status: 'passed' })
    expect(review.nested).toMatchObject([{ safeAddress: parent, path: [], review: { hash: nested.claimedHash } }])
    expect(review.nested[0]?.review).toMatchObject({ verdict: 'matches', effects: [{ key: 'native-transfer' }] })
  })

  it('brings its findings along, and they are answered for both hashes', async () => {
    const unlimited = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'approve',
          stateMutability: 'nonpayable',
          outputs: [],
          inputs: [{ type: 'address' }, { type: 'uint256' }],
        },
      ],
      args: [stranger, 2n ** 256n - 1n],
    })
    const fields = { to: token, value: 0n, data: unlimited }
    const nested = ofSafe(parent, safeAddress, fields)
    const review = await reviewSafeTx(approving(nested))
    expect(review.verdict).toBe('matches-with-warnings')
    const of = found(review, 'APPROVE-UNLIMITED')
    expect(of?.evidence).toMatchObject({ nestedSafe: parent, nestedHash: nested.claimedHash, spender: stranger })
    const keysOf = async (input: ReviewInput) => demandsOf(await reviewSafeTx(input)).map(({ key }) => key)
    const keys = await keysOf(approving(nested))
    expect(keys.length).toBeGreaterThan(0)
    // Another transaction of the parent that does the same, and another one that approves it.
    const later = await keysOf(approving(ofSafe(parent, safeAddress, { ...fields, nonce: 6n })))
    const elsewhere = await reviewSafeTx(approving(nested))
    const answers = demandsOf(elsewhere).map(({ key, finding }) => ({ key, id: finding.id, words: 'yes' }))
    expect(stillOpen(elsewhere, answers)).toEqual([])
    expect(later.filter((key) => keys.includes(key))).toEqual([])
    const other = { ...approving(nested), safeTx: { ...approving(nested).safeTx, nonce: 6n } }
    expect((await keysOf(other)).filter((key) => keys.includes(key))).toEqual([])
  })

  it('is closed or typed as it is there', async () => {
    const threshold = await reviewSafeTx(
      approving(ofSafe(parent, safeAddress, { to: parent, value: 0n, data: data('changeThreshold', 1n) })),
    )
    expect(threshold.verdict).toBe('do-not-sign')
    expect(demandsOf(threshold)).toContainEqual(expect.objectContaining({ way: 'typed', typed: '1' }))
    expect(isClosed(threshold)).toBe(false)
    const foreign = await reviewSafeTx(approving(ofSafe(parent, safeAddress, { data: '0xdeadbeef', operation: 1 })))
    expect(ids(foreign)).toContain('DC-UNKNOWN')
    expect(isClosed(foreign)).toBe(true)
  })

  it('leaves the review unfinished where its own is', async () => {
    const { codes: _unread, ...blind } = ofSafe(parent, safeAddress, {
      to: officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x',
      value: 0n,
      data: encodeFunctionData({
        abi: [
          { type: 'function', name: 'multiSend', stateMutability: 'payable', outputs: [], inputs: [{ type: 'bytes' }] },
        ],
        args: ['0x'],
      }),
      operation: 1,
    })
    const review = await reviewSafeTx(approving(blind))
    expect(review.verdict).toBe('cannot-verify')
    expect(review.checks).toContainEqual({ id: 'nested', status: 'not-checked' })
    expect(isClosed(review)).toBe(true)
  })

  it('would fail there, and not here', async () => {
    const review = await reviewSafeTx(approving(ofSafe(parent, safeAddress, { value: 10n ** 30n })))
    expect(ids(review)).toContain('BALANCE-EXCEEDED')
    expect(review.wouldFail).toBe(false)
  })

  it('signed by a stranger is refused here too', async () => {
    const nested = ofSafe(
      parent,
      safeAddress,
      {},
      { confirmations: [{ owner: otherOwner, signature: `0x${'11'.repeat(65)}` }] },
    )
    const review = await reviewSafeTx(approving(nested))
    expect(ids(review)).toContain('SIG-MISMATCH')
    expect(isClosed(review)).toBe(true)
  })
})

describe('a hash stays a bare hash', () => {
  const good = ofSafe(parent, safeAddress, {})

  it('where nothing was found for it', async () => {
    expect(await unresolved(approving(good, { nested: [] }))).toBe('missing')
    expect(await unresolved(approving(good, { nested: undefined }))).toBe('missing')
  })

  it('where another transaction is served under it', async () => {
    const swapped = { ...good, safeTx: { ...good.safeTx, to: account.address } }
    expect(await unresolved(approving(good, { nested: [swapped] }))).toBe('missing')
    const renamed = {
      ...swapped,
      claimedHash: hashSafeTx({ chainId: 1, safeAddress: parent, version: '1.4.1', safeTx: swapped.safeTx }).safeTxHash,
    }
    expect(await unresolved(approving(good, { nested: [renamed] }))).toBe('missing')
  })

  it('where one call inside it was changed', async () => {
    const inner = ofSafe(parent, safeAddress, {
      to: token,
      value: 0n,
      data: `0xa9059cbb${stranger.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    })
    expect((await reviewSafeTx(approving(inner))).verdict).not.toBe('do-not-sign')
    const mutated = { ...inner, safeTx: { ...inner.safeTx, data: inner.safeTx.data.replace(/1$/, '2') as Hex } }
    expect(await unresolved(approving(inner, { nested: [mutated] }))).toBe('missing')
  })

  it('of another chain', async () => {
    const elsewhere = { ...good, chainId: 10, state: good.state && { ...good.state, chainId: 10 } }
    expect(await unresolved(approving(good, { nested: [elsewhere] }))).toBe('missing')
    // Before 1.3.0 the hash is the same on each chain.
    const old = { version: '1.1.1', reportedVersion: '1.1.1' } as const
    const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress: parent, version: '1.1.1', safeTx: good.safeTx })
    const there = { ...elsewhere, claimedHash: safeTxHash, state: good.state && { ...good.state, ...old } }
    expect(await unresolved(approving(good, { nested: [there] }, safeTxHash))).toBe('missing')
  })

  it('of another parent', async () => {
    const sister = ofSafe(stranger, safeAddress, {})
    const call = { to: parent, data: data('approveHash', sister.claimedHash as Hex) }
    expect(await unresolved(inputOf(call, { nested: [sister] }))).toBe('missing')
    const posing = { ...sister, safeAddress: parent }
    expect(await unresolved(inputOf(call, { nested: [posing] }))).toBe('missing')
  })

  it('where the Safe could not be read, or does not have this one as an owner', async () => {
    expect(await unresolved(approving({ ...good, state: null }))).toBe('unread')
    expect(await unresolved(approving(ofSafe(parent, otherOwner, {})))).toBe('stranger')
  })

  it('of a message that is passed as a transaction', async () => {
    const content = { encoding: 'RAW', bytes: keccak256('0x01') } as const
    const { safeMessageHash } = hashSafeMessage({ chainId: 1, safeAddress: parent, version: '1.4.1', content })
    expect(await unresolved(approving({ ...good, claimedHash: safeMessageHash }))).toBe('missing')
    const { safeTx: _none, ...rest } = good
    const message: MessageInput = { ...rest, kind: 'message', content, claimedHash: safeMessageHash }
    const review = await reviewSafeTx(approving(message))
    // As a message it is known for what it is: the hash of nobody knows what.
    expect(ids(review)).toContain('MSG-RAW-HASH')
    expect(isClosed(review)).toBe(true)
  })

  it('where two Safes own each other', async () => {
    const back = ofSafe(safeAddress, parent, { nonce: 9n })
    const nested = ofSafe(parent, safeAddress, {
      to: safeAddress,
      value: 0n,
      data: data('approveHash', back.claimedHash as Hex),
    })
    const review = await reviewSafeTx(approving({ ...nested, nested: [back] }))
    expect(review.verdict).toBe('do-not-sign')
    expect(found(review, 'NESTED-APPROVE')?.evidence).toMatchObject({
      unresolved: 'cycle',
      nestedHash: nested.claimedHash,
    })
    const itself = ofSafe(safeAddress, safeAddress, { nonce: 9n })
    expect(await unresolved(approving(itself))).toBe('cycle')
  })

  it('ten Safes deep, and is not looked into further than the limit', async () => {
    const addressOf = (index: number): Address => `0x${String(index + 60).repeat(20)}`
    const chainOf = (length: number) => {
      let inner = ofSafe(addressOf(length), length === 1 ? safeAddress : addressOf(length - 1), {})
      for (let index = length - 1; index >= 1; index--) {
        const fields = { to: inner.safeAddress, value: 0n, data: data('approveHash', inner.claimedHash as Hex) }
        inner = ofSafe(addressOf(index), index === 1 ? safeAddress : addressOf(index - 1), fields, { nested: [inner] })
      }
      return inner
    }
    expect((await reviewSafeTx(approving(chainOf(MAX_APPROVAL_DEPTH)))).verdict).toBe('matches')
    const deep = await reviewSafeTx(approving(chainOf(10)))
    expect(deep.verdict).toBe('do-not-sign')
    expect(deep.findings[0]).toMatchObject({ id: 'NESTED-APPROVE', evidence: { unresolved: 'deep' } })
    let depth = 0
    for (let at = deep.nested[0]; at !== undefined; at = at.review.nested[0]) depth++
    expect(depth).toBe(MAX_APPROVAL_DEPTH)
  })

  it('in a batch of more than are looked into', async () => {
    const all = Array.from({ length: MAX_APPROVALS + 1 }, (_, index) =>
      ofSafe(parent, safeAddress, { nonce: BigInt(index + 5) }),
    )
    const batch = all.map(({ claimedHash }) => {
      const bytes = data('approveHash', claimedHash as Hex).slice(2)
      const size = (bytes.length / 2).toString(16).padStart(64, '0')
      return `00${parent.slice(2)}${'0'.repeat(64)}${size}${bytes}`
    })
    const input = (calls: string[]) =>
      inputOf(
        {
          to: officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x',
          data: encodeFunctionData({
            abi: [
              {
                type: 'function',
                name: 'multiSend',
                stateMutability: 'payable',
                outputs: [],
                inputs: [{ type: 'bytes' }],
              },
            ],
            args: [`0x${calls.join('')}`],
          }),
          operation: 1,
        },
        { nested: all },
      )
    const within = await reviewSafeTx(input(batch.slice(1)))
    expect(within.nested).toHaveLength(MAX_APPROVALS)
    expect(ids(within)).not.toContain('DC-UNKNOWN')
    const over = await reviewSafeTx(input(batch))
    expect(found(over, 'NESTED-APPROVE')?.evidence.unresolved).toBe('many')
    // One hash a hundred times is one approval.
    const repeated = await reviewSafeTx(input(Array.from({ length: 100 }, () => batch[0] ?? '')))
    expect(repeated.nested).toHaveLength(1)
  })

  it('whatever else is replaced after it was reviewed', async () => {
    const before = await reviewSafeTx(approving(good))
    const answers = demandsOf(before).map(({ key, finding }) => ({ key, id: finding.id, words: 'yes' }))
    const replaced = { ...good, safeTx: { ...good.safeTx, value: 2n } }
    const after = await reviewSafeTx(approving(good, { nested: [replaced] }))
    expect(stillOpen(after, answers)).not.toEqual([])
  })
})

describe('a message that approves a transaction of another Safe', () => {
  const nested = ofSafe(parent, safeAddress, {})
  const context = { chainId: 1, safeAddress: parent, version: '1.4.1', safeTx: nested.safeTx }
  const preimage = encodeSafeTxPreimage(context)
  const message = (content: MessageInput['content'], change: Partial<MessageInput> = {}): MessageInput => {
    const { safeTx: _none, kind: _kind, ...rest } = inputOf({})
    return { ...rest, kind: 'message', content, claimedHash: null, now: 0, nested: [nested], ...change }
  }

  it.each([
    ['the bytes that the parent asks about', { encoding: 'RAW', bytes: preimage } as const],
    ['its hash', { encoding: 'RAW', bytes: nested.claimedHash as Hex } as const],
    ['its typed data', { encoding: 'EIP712', typedData: safeTxTypedData(context) } as const],
  ])('is known by %s, and closed without what it stands for', async (_name, content) => {
    const review = await reviewMessage(message(content))
    expect(review.findings.map(({ id }) => id)).toContain('NESTED-APPROVE')
    expect(review.nested).toMatchObject([{ safeAddress: parent, review: { verdict: 'matches' } }])
    expect(isClosed(review)).toBe(false)
    expect(isClosed(await reviewMessage(message(content, { nested: [] })))).toBe(true)
    const mutated = { ...nested, safeTx: { ...nested.safeTx, value: 2n } }
    expect(isClosed(await reviewMessage(message(content, { nested: [mutated] })))).toBe(true)
  })

  it('is none by a personal_sign of its hash, which no contract is asked about', async () => {
    const review = await reviewMessage(message({ encoding: 'EIP191_BYTES', bytes: nested.claimedHash as Hex }))
    expect(review.nested).toEqual([])
    expect(isClosed(review)).toBe(true)
  })

  it('can be signed on the chain, and then holds for ever', async () => {
    const to = officialDeployment('sign-message-lib', '1.4.1')?.address ?? '0x'
    const bytes = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'signMessage',
          stateMutability: 'nonpayable',
          outputs: [],
          inputs: [{ type: 'bytes' }],
        },
      ],
      args: [preimage],
    })
    const review = await reviewSafeTx(inputOf({ to, data: bytes, operation: 1 }, { nested: [nested] }))
    expect(review.verdict).toBe('matches-with-warnings')
    expect(ids(review)).toEqual(expect.arrayContaining(['MSG-PERMANENT', 'NESTED-APPROVE']))
    const bare = await reviewSafeTx(inputOf({ to, data: bytes, operation: 1 }))
    expect(ids(bare)).toContain('MSG-IS-TX')
    expect(isClosed(bare)).toBe(true)
  })

  describe('of the Safe itself, signed on the chain by its hash', () => {
    const text = { encoding: 'EIP191_TEXT', text: 'Log in to example.org' } as const
    const signing = (bytes: Hex, ...nested: SubjectInput[]) =>
      reviewSafeTx(
        inputOf(
          {
            to: officialDeployment('sign-message-lib', '1.4.1')?.address ?? '0x',
            data: encodeFunctionData({ abi: parseAbi(['function signMessage(bytes data)']), args: [bytes] }),
            operation: 1,
          },
          { nested },
        ),
      )
    const digest = encodeMessageContent(text)

    it('is read where its words hash to it, and lasts for ever', async () => {
      const review = await signing(digest, message(text, { nested: [] }))
      expect(review.verdict).toBe('matches-with-warnings')
      expect(ids(review)).toContain('MSG-PERMANENT')
      expect(ids(review)).not.toContain('NESTED-APPROVE')
      expect(review.nested).toMatchObject([{ safeAddress, content: text, review: { kind: 'message' } }])
    })

    it('stays a bare hash with other words, as raw bytes, or of another Safe', async () => {
      for (const other of [
        [],
        [message({ ...text, text: 'Log in to example.com' }, { nested: [] })],
        [message({ encoding: 'RAW', bytes: digest }, { nested: [] })],
        [{ ...message(text, { nested: [] }), safeAddress: parent }],
        [{ ...message(text, { nested: [] }), chainId: 5 }],
      ]) {
        const review = await signing(digest, ...other)
        expect(ids(review)).toContain('MSG-RAW-HASH')
        expect(isClosed(review)).toBe(true)
      }
    })

    it('brings along what its own review finds', async () => {
      const permit = {
        encoding: 'EIP712',
        typedData: {
          domain: { name: 'Token', version: '1', chainId: 1, verifyingContract: token },
          types: {
            Permit: [
              { name: 'owner', type: 'address' },
              { name: 'spender', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'nonce', type: 'uint256' },
              { name: 'deadline', type: 'uint256' },
            ],
          },
          primaryType: 'Permit',
          message: { owner: safeAddress, spender: stranger, value: String(2n ** 256n - 1n), nonce: '0', deadline: '1' },
        },
      } as const
      const review = await signing(encodeMessageContent(permit), message(permit, { nested: [] }))
      expect(ids(review)).toContain('PERMIT-SIGN')
    })

    it('is none where the message is reviewed itself', async () => {
      const typed = { encoding: 'EIP712', typedData: safeTxTypedData(context) } as const
      const review = await reviewMessage(message(typed, { nested: [message(typed, { nested: [] })] }))
      expect(review.nested).toEqual([])
    })

    it('is not the 66 bytes that are hashed to it: signing those is another signature', async () => {
      const typed = { encoding: 'EIP712', typedData: safeTxTypedData(context) } as const
      const review = await signing(preimage, message(typed, { nested: [] }))
      expect(isClosed(review)).toBe(true)
    })
  })

  it('a text or a transaction of its own approves nothing elsewhere', () => {
    expect(approvalsOf(inputOf({}))).toEqual([])
    expect(approvalsOf(message({ encoding: 'EIP191_TEXT', text: String(nested.claimedHash) }))).toEqual([])
    expect(approvalsOf(message({ encoding: 'RAW', bytes: stringToHex('hello') }))).toEqual([])
  })
})
