import { listsTaken, officialDeployment, safeAbi } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  getTypesForEIP712Domain,
  type Hex,
  keccak256,
  parseAbi,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { demandsOf } from './acknowledgements.ts'
import type { FindingId } from './catalogue.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeMessage } from './kinds/message-content.ts'
import { entryOf, inForce } from './policy/scene.ts'
import { reviewSafeTx } from './review.ts'
import { account, inputOf, otherOwner, safeAddress, state, stranger, token } from './scene.ts'
import type { Review } from './types.ts'

// Thefts that a review has called harmless once. Each is found, as bad as it is.

const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const nested: Address = '0x8888888888888888888888888888888888888888'
const attacker = getAddress('0xbad0000000000000000000000000000000000bad')

const call = (to: Address, signature: string, args: readonly unknown[] = []) => ({
  to,
  data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
})
const batch = (...calls: { to: Address; data?: Hex; value?: bigint }[]) => ({
  to: callOnly,
  operation: 1 as const,
  data: encodeMultiSend(calls.map((call) => ({ value: 0n, data: '0x' as const, ...call }))),
})

type Inner = { to: Address; data?: Hex; value?: bigint }
type Refund = { safeTxGas?: bigint; baseGas?: bigint; gasPrice?: bigint; gasToken?: Address; refundReceiver?: Address }

/** A transaction of another Safe, run by this one. */
function execute(safe: Address, { to, data = '0x', value = 0n }: Inner, refund: Refund = {}) {
  const { safeTxGas = 0n, baseGas = 0n, gasPrice = 0n, gasToken = zeroAddress, refundReceiver = zeroAddress } = refund
  const args = [to, value, data, 0, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, '0x'] as const
  return { to: safe, data: encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args }) }
}

function found(review: Review, id: FindingId) {
  return review.findings.find((known) => known.id === id)
}

async function severityOf(id: FindingId, fields: Parameters<typeof inputOf>[0], change: Partial<ReviewInput> = {}) {
  return found(await reviewSafeTx(inputOf(fields, change)), id)?.severity
}

describe('a refund', () => {
  const refund = { baseGas: 990_000n, gasPrice: 100_000_000_000_000n, refundReceiver: attacker }

  it('inside the transaction of another Safe is found, with receiver and amount', async () => {
    const review = await reviewSafeTx(inputOf(execute(nested, { to: nested }, refund)))
    expect(found(review, 'NESTED-REFUND')).toMatchObject({
      severity: 'critical',
      evidence: { safe: nested, refundReceiver: attacker },
    })
    // The version of that Safe is not known: nothing limits the refund, and no figure is named.
    expect(found(review, 'NESTED-REFUND')?.evidence).toMatchObject({ case: 'unbounded' })
    expect(found(review, 'NESTED-REFUND')?.evidence).not.toHaveProperty('maximum')
    expect(demandsOf(review)[0]).toMatchObject({ way: 'typed', typed: attacker.slice(-6), typedFrom: 'refundReceiver' })
    expect(review.verdict).toBe('do-not-sign')
  })

  it('is found at any depth: in a batch, in a Safe of a Safe, in a token of its own', async () => {
    const inner = execute(nested, { to: nested }, { ...refund, gasToken: token })
    const middle = execute('0x9999999999999999999999999999999999999999', inner)
    const review = await reviewSafeTx(inputOf(batch({ to: stranger, value: 1n }, middle)))
    expect(found(review, 'NESTED-REFUND')).toMatchObject({
      severity: 'critical',
      evidence: { gasToken: token, call: [1, 0] },
    })
  })

  it('to a co-owner is critical when it is much of what the Safe holds, and never passes the check', async () => {
    const much = { gasPrice: 9_000_000_000_000n, baseGas: 1_000_000n, refundReceiver: otherOwner }
    expect(await severityOf('GAS-REFUND', much)).toBe('critical')
    const little = { gasPrice: 20_000_000_000n, baseGas: 60_000n, safeTxGas: 100_000n, refundReceiver: otherOwner }
    const review = await reviewSafeTx(inputOf(little))
    expect(found(review, 'GAS-REFUND')?.severity).toBe('high')
    expect(review.checks.find(({ id }) => id === 'refund')?.status).toBe('failed')
  })

  it('of another Safe is not within the limit of this one’s team', async () => {
    const policy = inForce({ refundLimits: [{ asset: zeroAddress, amount: 10n ** 30n }] })
    const fields = { ...execute(nested, { to: nested }, refund), gasPrice: 1n, safeTxGas: 1n, refundReceiver: attacker }
    expect(await severityOf('GAS-REFUND', fields, { policy })).toBe('medium')
    expect(await severityOf('NESTED-REFUND', fields, { policy })).toBe('critical')
  })
})

describe('a token that moves', () => {
  const take = 'transferFrom(address from, address to, uint160 amount, address token)'
  it.each([
    ['by Permit2', call(permit2, take, [safeAddress, attacker, 40_000_000_000n, token])],
    ['by ERC-777', call(token, 'send(address to, uint256 amount, bytes data)', [attacker, 40_000_000_000n, '0x'])],
    ['by burning it', call(token, 'burn(uint256 amount)', [40_000_000_000n])],
    [
      'by burning it from itself',
      call(token, 'burnFrom(address account, uint256 amount)', [safeAddress, 40_000_000_000n]),
    ],
    [
      'by Permit2, in a list',
      call(permit2, 'transferFrom((address from, address to, uint160 amount, address token)[] transferDetails)', [
        [{ from: safeAddress, to: attacker, amount: 40_000_000_000n, token }],
      ]),
    ],
  ])('is told: %s', async (_name, fields) => {
    const review = await reviewSafeTx(inputOf(fields))
    expect(found(review, 'TOKEN-MOVE')).toMatchObject({
      severity: 'high',
      evidence: { token: [token], amount: { value: 40_000_000_000n } },
    })
    expect(review.effects).toMatchObject([{ values: { target: token, amount: '40000000000' } }])
    const drained = await reviewSafeTx(inputOf(fields, { balances: { [token]: 40_000_000_000n } }))
    expect(found(drained, 'VALUE-DRAIN')?.severity).toBe('high')
  })

  it('is less when it comes to the Safe, and when somebody else’s moves', async () => {
    expect(await severityOf('TOKEN-MOVE', call(permit2, take, [stranger, safeAddress, 1n, token]))).toBe('medium')
    expect(await severityOf('TOKEN-MOVE', call(token, 'mint(address to, uint256 amount)', [attacker, 1n]))).toBe('high')
  })
})

describe('an approval', () => {
  const approve = (spender: Address, amount: bigint, to: Address = token) =>
    call(to, 'approve(address spender, uint256 amount)', [spender, amount])
  const collection: Address = '0x7777777777777777777777777777777777777777'

  it.each([0n, 7n])('of item %s of a collection is not one of an amount', async (item) => {
    const review = await reviewSafeTx(
      inputOf(approve(attacker, item, collection), { collections: { [collection]: true } }),
    )
    expect(found(review, 'NFT-APPROVE')).toMatchObject({
      severity: 'high',
      evidence: { operator: attacker, tokenId: item },
    })
    expect(review.effects).toMatchObject([{ key: 'nft-approve' }])
    expect(review.findings.map(({ id }) => id)).not.toContain('APPROVE-UNLIMITED')
  })

  it('in a contract of which nobody knows whether it is a collection may be of an item', async () => {
    expect(await severityOf('SELECTOR-AMBIGUOUS', approve(attacker, 0n, collection))).toBe('high')
    const known = { collections: { [collection]: false } }
    expect(await severityOf('SELECTOR-AMBIGUOUS', approve(attacker, 0n, collection), known)).toBeUndefined()
  })

  it.each([2n ** 256n - 1n, 2n ** 255n, 2n ** 255n - 1n, 2n ** 128n, 2n ** 96n - 1n])(
    'of %s is unlimited',
    async (amount) => {
      expect(await severityOf('APPROVE-UNLIMITED', approve(stranger, amount))).toBe('high')
    },
  )

  it('of more than there is takes what comes later, too', async () => {
    expect(await severityOf('APPROVE-OVER-BALANCE', approve(stranger, 50_000_000_001n))).toBe('high')
  })

  it('of nearly all that there is counts as all of it leaving, in one call or in several', async () => {
    expect(await severityOf('VALUE-DRAIN', approve(stranger, 50_000_000_000n))).toBe('high')
    const halves = batch(approve(stranger, 25_000_000_000n), approve(attacker, 25_000_000_000n))
    expect(await severityOf('VALUE-DRAIN', halves)).toBe('high')
    expect(await severityOf('VALUE-DRAIN', approve(stranger, 20_000_000_000n))).toBeUndefined()
  })
})

describe('a message signed on the chain', () => {
  const library = officialDeployment('sign-message-lib', '1.4.1')?.address ?? '0x'
  const sign = (data: Hex) => ({ ...call(library, 'signMessage(bytes data)', [data]), operation: 1 as const })

  it('of bytes that nobody can read is critical', async () => {
    for (const message of [keccak256('0x01'), '0x00ff', `0x${'ab'.repeat(66)}`] as const) {
      expect(await severityOf('MSG-RAW-HASH', sign(message)), message).toBe('critical')
    }
    expect(await severityOf('MSG-RAW-HASH', sign(stringToHex('I agree to the terms.')))).toBeUndefined()
  })

  it('is critical as 32 bytes off the chain, too', () => {
    const input = {
      chainId: 1,
      safeAddress,
      version: '1.4.1',
      claimedHash: null,
      safeTxHashes: [],
      origin: null,
      now: 0,
    }
    const severities = (bytes: Hex) =>
      reviewSafeMessage({ ...input, content: { encoding: 'RAW', bytes } }).findings.map(({ severity }) => severity)
    expect(severities(keccak256('0x01'))).toEqual(['critical'])
    expect(severities('0x00ff')).toEqual(['high'])
  })
})

describe('typed data', () => {
  const idsOf = (primaryType: string, fields: [name: string, type: string, value: unknown][], change: object = {}) => {
    const domain = { chainId: 1, verifyingContract: token, ...change }
    const ofDomain = getTypesForEIP712Domain({ domain })
    return reviewSafeMessage({
      chainId: 1,
      safeAddress,
      version: '1.4.1',
      claimedHash: null,
      safeTxHashes: [],
      origin: null,
      now: 0,
      content: {
        encoding: 'EIP712',
        typedData: {
          domain,
          types: { EIP712Domain: ofDomain, [primaryType]: fields.map(([name, type]) => ({ name, type })) },
          primaryType,
          message: Object.fromEntries(fields.map(([name, _type, value]) => [name, value])),
        },
      },
    }).findings.map(({ id, severity }) => `${id} ${severity}`)
  }

  it.each([
    [
      'SafeOp',
      [
        ['safe', 'address', safeAddress],
        ['callData', 'bytes', '0x'],
      ],
    ],
    [
      'ModuleTx',
      [
        ['data', 'bytes', '0x'],
        ['salt', 'bytes32', zeroHash],
      ],
    ],
    [
      'PackedUserOperation',
      [
        ['sender', 'address', safeAddress],
        ['callData', 'bytes', '0x'],
      ],
    ],
    [
      'Authorization',
      [
        ['chainId', 'uint256', 1n],
        ['address', 'address', attacker],
        ['nonce', 'uint256', 0n],
      ],
    ],
    [
      'Anything',
      [
        ['to', 'address', attacker],
        ['value', 'uint256', 1n],
        ['data', 'bytes', '0x'],
        ['operation', 'uint8', 0],
      ],
    ],
  ] as [string, [string, string, unknown][]][])('%s runs something as the Safe', (primaryType, fields) => {
    expect(idsOf(primaryType, fields)).toContain('MSG-IS-TX critical')
  })

  it.each([
    [
      'DelegationWithSig',
      [
        ['delegatee', 'address', attacker],
        ['value', 'uint256', 1n],
      ],
    ],
    [
      'AllowanceTransfer',
      [
        ['safe', 'address', safeAddress],
        ['token', 'address', token],
        ['to', 'address', attacker],
        ['amount', 'uint96', 1n],
      ],
    ],
    [
      'PermitForAll',
      [
        ['owner', 'address', safeAddress],
        ['operator', 'address', attacker],
        ['approved', 'bool', true],
      ],
    ],
    [
      'GaslessCrossChainOrder',
      [
        ['user', 'address', safeAddress],
        ['orderData', 'bytes', '0x'],
      ],
    ],
    [
      'LimitOrder',
      [
        ['makerToken', 'address', token],
        ['makerAmount', 'uint128', 1n],
      ],
    ],
    [
      'Authorization',
      [
        ['authorizer', 'address', safeAddress],
        ['authorized', 'address', attacker],
        ['isAuthorized', 'bool', true],
      ],
    ],
    [
      'HyperliquidTransaction:Withdraw',
      [
        ['destination', 'string', attacker],
        ['amount', 'string', '1'],
      ],
    ],
  ] as [string, [string, string, unknown][]][])('%s gives something away', (primaryType, fields) => {
    expect(idsOf(primaryType, fields)).toEqual(['PERMIT-SIGN high'])
  })

  it('that nobody knows is never said to be harmless', () => {
    expect(
      idsOf('Xyz', [
        ['a', 'address', attacker],
        ['b', 'uint256', 1n],
      ]),
    ).toEqual(['TYPED-DATA-UNKNOWN high'])
    // A vote is known by the site that counts it, and only there.
    const vote: [string, string, unknown][] = [
      ['from', 'address', safeAddress],
      ['space', 'string', 'a.eth'],
      ['choice', 'uint32', 1],
    ]
    expect(idsOf('Vote', vote)).toEqual(['TYPED-DATA-UNKNOWN high'])
    const snapshot = { name: 'snapshot', version: '0.1.4', chainId: undefined, verifyingContract: undefined }
    expect(idsOf('Vote', vote, snapshot)).toEqual([])
    expect(
      idsOf(
        'Permit',
        [
          ['spender', 'address', attacker],
          ['value', 'uint256', 1n],
        ],
        snapshot,
      ),
    ).toEqual(['PERMIT-SIGN high'])
  })
})

describe('an address that looks like another', () => {
  const like = (original: Address, start: number, end: number) =>
    getAddress(
      `0x${original.slice(2, 2 + start)}${'b'.repeat(40 - start - end)}${original.slice(42 - end)}`.toLowerCase(),
    )
  const paid: Address = '0x52908400098527886E0F7030069857D2E4169EE7'

  it.each([
    [8, 8],
    [4, 4],
    [3, 5],
    [5, 3],
    [2, 6],
  ])('of an account that was paid before, by %i first and %i last digits', async (start, end) => {
    expect(await severityOf('ADDR-LOOKALIKE', { to: like(paid, start, end) }, { paid: [paid] })).toBe('high')
  })

  it('of an owner, by 3 and 5 digits, and is not every other one', async () => {
    expect(await severityOf('ADDR-LOOKALIKE', { to: like(account.address, 3, 5) })).toBe('high')
    expect(await severityOf('ADDR-LOOKALIKE', { to: like(account.address, 3, 4) })).toBeUndefined()
    expect(await severityOf('ADDR-LOOKALIKE', { to: paid }, { paid: [paid] })).toBeUndefined()
  })

  it('is no neighbour of a chain’s own contracts', async () => {
    const [weth, bridge]: Address[] = [
      '0x4200000000000000000000000000000000000006',
      '0x4200000000000000000000000000000000000010',
    ]
    const tokens = [{ address: weth, symbol: 'WETH', decimals: 18 }]
    expect(await severityOf('ADDR-LOOKALIKE', { to: bridge }, { tokens })).toBeUndefined()
  })
})

describe('control of the Safe', () => {
  const own = (signature: string, ...args: unknown[]) => call(safeAddress, signature, args)

  it('of another Safe is not given away unseen', async () => {
    const swap = call(nested, 'swapOwner(address prevOwner, address oldOwner, address newOwner)', [
      '0x0000000000000000000000000000000000000001',
      safeAddress,
      attacker,
    ])
    const fields = execute(nested, swap)
    const unread = await reviewSafeTx(inputOf(fields))
    expect(found(unread, 'OWNER-QUORUM-UNKNOWN')).toMatchObject({ severity: 'critical', evidence: { safe: nested } })
    const other = { ...state, address: nested, owners: [safeAddress, account.address, otherOwner], threshold: 2 }
    const read = await reviewSafeTx(inputOf(fields, { otherSafes: { [nested]: other } }))
    expect(read.findings.map(({ id }) => id)).not.toContain('OWNER-QUORUM-UNKNOWN')
    expect(found(read, 'OWNER-SWAP')?.severity).toBe('high')
    const alone = { ...other, owners: [safeAddress], threshold: 1 }
    expect(await severityOf('OWNER-QUORUM-UNKNOWN', fields, { otherSafes: { [nested]: alone } })).toBe('critical')
  })

  it('passes by two swaps at once', async () => {
    const swap = (previous: Address, from: Address, to: Address) =>
      own('swapOwner(address prevOwner, address oldOwner, address newOwner)', previous, from, to)
    const sentinel: Address = '0x0000000000000000000000000000000000000001'
    const fields = batch(swap(sentinel, account.address, stranger), swap(stranger, otherOwner, attacker))
    expect(await severityOf('OWNER-QUORUM-UNKNOWN', fields)).toBe('critical')
  })

  it('is in the hands of a guard', async () => {
    const fields = own('setGuard(address guard)', attacker)
    expect(await severityOf('GUARD-SET', fields, { guardAnswers: { [attacker.toLowerCase()]: true } })).toBe('critical')
    expect(await severityOf('MODGUARD-CHANGE', own('setModuleGuard(address moduleGuard)', attacker))).toBe('critical')
    expect(await severityOf('MODGUARD-CHANGE', own('setModuleGuard(address moduleGuard)', zeroAddress))).toBe('high')
  })

  it('is not set up again', async () => {
    const setup =
      'setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)'
    const args = [[attacker], 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress]
    expect(await severityOf('SETUP-AGAIN', own(setup, ...args))).toBe('critical')
    expect(await severityOf('SETUP-AGAIN', execute(nested, call(nested, setup, args)))).toBe('critical')
  })

  const role = 'grantRole(bytes32 role, address account)'
  it('of a contract is in the role that gives out roles', async () => {
    expect(await severityOf('ROLE-CHANGE', call(token, role, [zeroHash, attacker]))).toBe('critical')
    expect(await severityOf('ROLE-CHANGE', call(token, role, [zeroHash, safeAddress]))).toBe('high')
    expect(await severityOf('ROLE-CHANGE', call(token, role, [keccak256('0x01'), attacker]))).toBe('high')
    expect(
      await severityOf(
        'ROLE-CHANGE',
        call(token, 'setRoleAdmin(bytes32 role, bytes32 adminRole)', [zeroHash, zeroHash]),
      ),
    ).toBe('critical')
    const manager = 'grantRole(uint64 role, address account, uint32 executionDelay)'
    expect(await severityOf('ROLE-CHANGE', call(token, manager, [0n, attacker, 0]))).toBe('critical')
    const revoke = 'revokeRole(bytes32 role, address account)'
    expect(await severityOf('ROLE-CHANGE', call(token, revoke, [zeroHash, safeAddress]))).toBe('critical')
    expect(await severityOf('ROLE-CHANGE', call(token, revoke, [zeroHash, attacker]))).toBe('high')
  })
})

describe('a new Safe', () => {
  const singleton = officialDeployment('singleton', '1.4.1')?.address ?? '0x'
  const factory = officialDeployment('factory', '1.4.1')?.address ?? '0x'
  const handler = officialDeployment('handler', '1.4.1')?.address ?? '0x'
  const create = (owners: Address[], threshold: bigint, change: { handler?: Address; payment?: bigint } = {}) => {
    const initializer = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [
        owners,
        threshold,
        zeroAddress,
        '0x',
        change.handler ?? handler,
        zeroAddress,
        change.payment ?? 0n,
        attacker,
      ],
    })
    return call(factory, 'createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)', [
      singleton,
      initializer,
      0n,
    ])
  }

  it('of the same owners is ordinary; a foreign one is told, and is critical with the power to act', async () => {
    expect(await severityOf('CREATION-OWNERS', create([account.address, otherOwner], 2n))).toBeUndefined()
    expect(await severityOf('CREATION-OWNERS', create([safeAddress], 1n))).toBeUndefined()
    expect(await severityOf('CREATION-OWNERS', create([account.address, otherOwner, attacker], 2n))).toBe('high')
    expect(await severityOf('CREATION-OWNERS', create([account.address, attacker], 1n))).toBe('critical')
  })

  it('has an official handler, and pays nobody', async () => {
    expect(await severityOf('HANDLER-UNKNOWN', create([safeAddress], 1n, { handler: attacker }))).toBe('critical')
    expect(await severityOf('NESTED-REFUND', create([safeAddress], 1n, { payment: 5n }))).toBe('critical')
  })
})

describe('what is installed in the Safe already', () => {
  const handler = officialDeployment('handler', '1.4.1')?.address ?? '0x'
  const allowance = officialDeployment('module', '0.1.1')?.address ?? '0x'
  const withState = (change: Partial<typeof state>) => ({ state: { ...state, ...change } })

  it('is told where nobody knows it', async () => {
    expect(await severityOf('MODULE-INSTALLED', {}, withState({ modules: [attacker] }))).toBe('high')
    expect(await severityOf('GUARD-INSTALLED', {}, withState({ guard: attacker }))).toBe('high')
    expect(await severityOf('GUARD-INSTALLED', {}, withState({ moduleGuard: attacker }))).toBe('high')
    expect(await severityOf('HANDLER-INSTALLED', {}, withState({ fallbackHandler: attacker }))).toBe('high')
  })

  it('is less where it is official or known to the team', async () => {
    expect(await severityOf('MODULE-INSTALLED', {}, withState({ modules: [allowance] }))).toBe('low')
    const codes = { [attacker.toLowerCase()]: { codeHash: keccak256('0x6001'), size: 2 } }
    const entry = entryOf({ kind: 'module', address: attacker, codeHash: keccak256('0x6001') })
    const facts = { installedCodes: codes, implementations: { [attacker.toLowerCase()]: null } }
    const known = { ...withState({ modules: [attacker] }), ...facts, policy: inForce({ allowed: [entry] }) }
    expect(await severityOf('MODULE-INSTALLED', {}, known)).toBe('low')
    const released = officialDeployment('handler', '1.4.1')?.codeHash ?? '0x'
    const installedCodes = { [handler.toLowerCase()]: { codeHash: released, size: 1 } }
    const withHandler = withState({ fallbackHandler: handler })
    expect(await severityOf('HANDLER-INSTALLED', {}, withHandler)).toBe('low')
    expect(await severityOf('HANDLER-INSTALLED', {}, { ...withHandler, installedCodes })).toBeUndefined()
    const forged = { [handler.toLowerCase()]: { codeHash: keccak256('0x'), size: 0 } }
    expect(await severityOf('HANDLER-INSTALLED', {}, { ...withHandler, installedCodes: forged })).toBe('high')
  })
})

describe('an account that runs the code of somebody else', () => {
  const code = { codeHash: keccak256('0xef'), size: 23, delegatesTo: attacker }

  it('is told where it is paid', async () => {
    const codes = { [stranger.toLowerCase()]: code }
    expect(await severityOf('RECIPIENT-7702', { value: 1n }, { codes })).toBe('high')
    const sent = call(token, 'transfer(address to, uint256 amount)', [stranger, 1n])
    expect(await severityOf('RECIPIENT-7702', sent, { codes })).toBe('high')
  })

  it('is told where it is an owner', async () => {
    const owners = { [otherOwner.toLowerCase()]: { code, owners: null } }
    expect(await severityOf('OWNER-7702', {}, { ownerAccounts: owners })).toBe('high')
  })
})

describe('owners that own each other', () => {
  const code = { codeHash: keccak256('0x6001'), size: 2 }
  const numbered = (index: number): Address => `0x77${index.toString(16).padStart(38, '0')}`
  const accountsOf = (count: number, last: Address[]) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const further = Array.from({ length: count - index - 1 }, (_one, next) => numbered(index + next + 1))
        return [numbered(index), { code, owners: [...further, ...(index === count - 1 ? last : [])] }]
      }),
    )
  const owned = { state: { ...state, owners: [account.address, numbered(0)] } }

  it('are told, wherever the circle closes', async () => {
    const circle = accountsOf(3, [safeAddress])
    expect(await severityOf('NESTED-CYCLE', {}, { ...owned, ownerAccounts: circle })).toBe('high')
    expect(await severityOf('NESTED-CYCLE', {}, { ...owned, ownerAccounts: accountsOf(3, []) })).toBeUndefined()
  })

  it('keep no review busy, however many ways there are through them', async () => {
    expect(await severityOf('NESTED-CYCLE', {}, { ...owned, ownerAccounts: accountsOf(60, []) })).toBeUndefined()
  })
})

describe('what is new', () => {
  const sent = call(token, 'transfer(address to, uint256 amount)', [stranger, 1n])
  const young = { codeAges: { [stranger.toLowerCase()]: 'young' as const } }

  it('reports once an account without a proved earlier payment', async () => {
    const unknown = { provedPayees: [] }
    expect(await severityOf('ADDR-NEW', sent, unknown)).toBe('medium')
    expect(await severityOf('ADDR-NEW', sent, { provedPayees: undefined })).toBe('medium')
    expect(await severityOf('ADDR-NEW', sent, { provedPayees: [stranger] })).toBeUndefined()
    // The server's list makes nobody familiar.
    expect(await severityOf('ADDR-NEW', sent, { ...unknown, paid: [stranger] })).toBe('medium')
    expect(await severityOf('ADDR-NEW', sent, { ...unknown, familiar: [stranger] })).toBeUndefined()
    expect(await severityOf('ADDR-NEW', sent, { ...unknown, recognized: [stranger] })).toBeUndefined()
    // The name of one owner is no familiarity of another's.
    expect(await severityOf('ADDR-NEW', sent, { ...unknown, named: [stranger] })).toBe('medium')
    expect(await severityOf('ADDR-NEW', { to: otherOwner, value: 1n }, unknown)).toBeUndefined()
    const approval = call(token, 'approve(address spender, uint256 amount)', [attacker, 1n])
    expect(await severityOf('ADDR-NEW', approval, unknown)).toBe('medium')
    const code = { isCreated: true, codeHash: keccak256('0x00'), size: 1 }
    const lent = { provedPayees: [attacker], codes: { [attacker.toLowerCase()]: code } }
    expect(await severityOf('CODE-UNFAMILIAR', approval, { ...lent, recognized: [attacker] })).toBe('high')
    expect(await severityOf('CODE-UNFAMILIAR', approval, { ...lent, familiar: [attacker] })).toBeUndefined()
    const review = await reviewSafeTx(inputOf(sent, { paid: null }))
    expect(found(review, 'INPUT-MISSING')?.evidence).toMatchObject({ check: 'addresses', input: 'paid' })
  })

  it('a contract that was not there thirty days ago is told', async () => {
    const fields = call(stranger, 'pause()')
    expect(await severityOf('ADDR-YOUNG-CODE', fields, young)).toBe('high')
    expect(await severityOf('ADDR-YOUNG-CODE', fields, { codeAges: { [stranger]: 'old' } })).toBeUndefined()
    const check = async (change: Partial<ReviewInput>) =>
      (await reviewSafeTx(inputOf(fields, change))).checks.find(({ id }) => id === 'contract-age')?.status
    expect(await check(young)).toBe('failed')
    expect(await check({ codeAges: { [stranger.toLowerCase()]: 'old' } })).toBe('passed')
    expect(await check({ codeAges: {} })).toBe('not-checked')
    // Nobody proves an age: where two sources are asked for, one that says it is too few.
    const by = (needed: number): Partial<ReviewInput> => ({
      codeAges: { [stranger.toLowerCase()]: 'old' },
      provenance: {
        grades: { codeAges: 'one-node' },
        refused: [],
        contradicting: [],
        sources: { count: 1, needed, said: [], blocks: [] },
      },
    })
    expect(await check(by(2))).toBe('not-checked')
    expect(await check(by(1))).toBe('passed')
  })

  it('a list that shifts the decimals of a token is refused', async () => {
    expect(await severityOf('TOKEN-DECIMALS', sent, { tokenDecimals: { [token]: 18 } })).toBe('critical')
    expect(await severityOf('TOKEN-DECIMALS', sent, { tokenDecimals: { [token]: 6 } })).toBeUndefined()
  })

  it('lists of releases are stale after ninety days', async () => {
    const taken = listsTaken.time
    expect(new Date(taken).toISOString().slice(0, 10)).toBe(listsTaken.day)
    expect(await severityOf('LIST-STALE', sent, { now: taken + 91 * 86_400_000 })).toBe('low')
    expect(await severityOf('LIST-STALE', sent, { now: taken + 89 * 86_400_000 })).toBeUndefined()
  })
})

describe('a cancellation', () => {
  const confirmations = async (hash: Hex) => [{ owner: account.address, signature: await account.sign({ hash }) }]

  it('is no cause for alarm, whatever it cancels', async () => {
    const cancelled = inputOf({ value: 9n })
    const hash = cancelled.claimedHash ?? '0x'
    const others = [{ safeTxHash: hash, nonce: 5n, confirmations: await confirmations(hash) }]
    const own = await confirmations(inputOf({ to: safeAddress }).claimedHash ?? '0x')
    const review = await reviewSafeTx(inputOf({ to: safeAddress }, { others, confirmations: own }))
    expect(review.verdict).toBe('matches')
    expect(review.findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
      'SIG-REPEATED info',
      'NONCE-CONFLICT info',
    ])
  })

  it('that pays whoever executes it is none', async () => {
    const review = await reviewSafeTx(inputOf({ to: safeAddress, gasPrice: 1n, baseGas: 10n ** 18n }))
    expect(review.verdict).toBe('do-not-sign')
  })

  it('an owner who is only said to have signed the other has not', async () => {
    const input = inputOf({})
    const hash = input.claimedHash ?? '0x'
    const forged = [{ owner: account.address, signature: await account.sign({ hash: keccak256('0x07') }) }]
    const others = [{ safeTxHash: keccak256('0x0a'), nonce: 5n, confirmations: forged }]
    const review = await reviewSafeTx({ ...input, confirmations: await confirmations(hash), others })
    expect(review.findings.map(({ id }) => id)).not.toContain('SIG-REPEATED')
  })
})
