import { parseGivenAbi } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  parseAbiItem,
  parseAbiParameters,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { ids, inputOf, safeAddress, stranger, token } from './scene.ts'
import type { Review } from './types.ts'

// Everyday calls of protocols: each is read, and whatever goes to somebody else is said.

const pool: Address = '0x5555555555555555555555555555555555555555'
const nft: Address = '0x6666666666666666666666666666666666666666'
const caller: Address = '0x0000000000000000000000000000000000000001'
const router: Address = '0x0000000000000000000000000000000000000002'

const call = (to: Address, signature: string, args: readonly unknown[] = []) => {
  const abi = [parseAbiItem(`function ${signature}` as string)] as unknown as ReturnType<typeof parseAbi>
  return { to, data: encodeFunctionData({ abi, args } as Parameters<typeof encodeFunctionData>[0]) }
}
type Fields = Parameters<typeof inputOf>[0]

function reviewOf(fields: Fields, change: Partial<ReviewInput> = {}): Promise<Review> {
  return reviewSafeTx(inputOf(fields, change))
}
const functionsOf = ({ checks }: Review) => checks.find(({ id }) => id === 'functions')?.status

const path = [stranger, token]
const swap3 =
  '(address tokenIn, address tokenOut, uint24 fee, address to, uint256 amountIn, uint256 minOut, uint160 limit)'
const everyday: [name: string, fields: Fields][] = [
  ['supply to Aave', call(pool, 'supply(address,uint256,address,uint16)', [token, 5n, safeAddress, 0])],
  ['withdraw from Aave', call(pool, 'withdraw(address,uint256,address)', [token, maxUint256, safeAddress])],
  ['borrow from Aave', call(pool, 'borrow(address,uint256,uint256,uint16,address)', [token, 5n, 2n, 0, safeAddress])],
  ['repay Aave', call(pool, 'repay(address,uint256,uint256,address)', [token, maxUint256, 2n, safeAddress])],
  ['stake with Lido', { ...call(pool, 'submit(address)', [zeroAddress]), value: 5n }],
  ['wrap stETH', call(pool, 'wrap(uint256)', [5n])],
  ['queue withdrawals at Lido', call(pool, 'requestWithdrawals(uint256[],address)', [[5n], safeAddress])],
  ['point an ENS name to the Safe', call(pool, 'setAddr(bytes32,address)', [zeroHash, safeAddress])],
  ['renew an ENS name', { ...call(pool, 'renew(string,uint256)', ['safe', 31_536_000n]), value: 5n }],
  ['wrap the native coin', { ...call(pool, 'deposit()'), value: 5n }],
  ['unwrap it', call(pool, 'withdraw(uint256)', [5n])],
  ['vote', call(pool, 'castVote(uint256,uint8)', [1n, 1])],
  ['queue a proposal', call(pool, 'queue(uint256)', [1n])],
  [
    'propose a call',
    call(pool, 'propose(address[],uint256[],bytes[],string)', [
      [token],
      [0n],
      [call(token, 'transfer(address,uint256)', [stranger, 5n]).data],
      'Pay',
    ]),
  ],
  [
    'schedule a call',
    call(pool, 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)', [
      token,
      0n,
      call(token, 'transfer(address,uint256)', [stranger, 5n]).data,
      zeroHash,
      zeroHash,
      1n,
    ]),
  ],
  [
    'swap on Uniswap 3',
    call(pool, `exactInputSingle(${swap3} params)`, [[stranger, token, 500, safeAddress, 5_000n, 4_000n, 0n]]),
  ],
  [
    'swap on Uniswap 2',
    call(pool, 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
      5_000n,
      4_000n,
      path,
      safeAddress,
      9n,
    ]),
  ],
  ['swap on Curve', call(pool, 'exchange(int128,int128,uint256,uint256)', [0n, 1n, 5_000n, 4_000n])],
  ['lock Permit2 down', call(pool, 'lockdown((address,address)[])', [[[token, stranger]]])],
  ['withdraw an order of CoW', call(pool, 'invalidateOrder(bytes)', [`0x${'11'.repeat(56)}`])],
]

describe('everyday calls', () => {
  it.each(everyday)('%s: read, with nothing above medium', async (_name, fields) => {
    // The team has named the contract, and whom it pays.
    const review = await reviewOf(fields, { familiar: [fields.to ?? stranger, stranger] })
    expect(functionsOf(review)).toBe('passed')
    expect(review.call.source).toBe('built-in')
    expect(review.findings.filter(({ severity }) => severity === 'critical' || severity === 'high')).toEqual([])
  })

  it.each([
    ['supply for another', call(pool, 'supply(address,uint256,address,uint16)', [token, 5n, stranger, 0])],
    ['withdraw to another', call(pool, 'withdraw(address,uint256,address)', [token, 5n, stranger])],
    ['Lido’s withdrawal to another', call(pool, 'requestWithdrawals(uint256[],address)', [[5n], stranger])],
    ['an ENS name to another', call(pool, 'setAddr(bytes32,address)', [zeroHash, stranger])],
    [
      'swap for another',
      call(pool, `exactInputSingle(${swap3} params)`, [[token, stranger, 500, stranger, 5n, 4n, 0n]]),
    ],
    [
      'swap into the router, and no more',
      call(pool, `exactInputSingle(${swap3} params)`, [[token, stranger, 500, router, 5n, 4n, 0n]]),
    ],
  ])('RECEIVER-OTHER: %s', async (_name, fields) => {
    expect(ids(await reviewOf(fields))).toContain('RECEIVER-OTHER')
  })

  it('delegating votes to another is high, to the Safe itself is nothing', async () => {
    expect(ids(await reviewOf(call(token, 'delegate(address)', [stranger])))).toContain('ROLE-CHANGE')
    expect(ids(await reviewOf(call(token, 'delegate(address)', [safeAddress])))).not.toContain('ROLE-CHANGE')
  })

  it('a proposal of Compound’s kind has the selector as text', async () => {
    const data = encodeAbiParameters(parseAbiParameters('address'), [stranger])
    const signature = 'propose(address[],uint256[],string[],bytes[],string)'
    const review = await reviewOf(call(pool, signature, [[nft], [0n], ['transferOwnership(address)'], [data], '']))
    expect(review.call.calls).toMatchObject([{ from: pool, to: nft, name: 'transferOwnership(address)', range: null }])
    expect(ids(review)).toContain('OWNERSHIP-TRANSFER')
    const uneven = await reviewOf(call(pool, signature, [[nft], [0n], [], [data], '']))
    expect(uneven.call.issues.map(({ id }) => id)).toContain('inner-call-invalid')
  })
})

describe('the Universal Router', () => {
  const input = (types: string, values: readonly unknown[]): Hex =>
    encodeAbiParameters(parseAbiParameters(types) as never, values as never)
  const weth: Address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
  const swapIn = (receiver: Address, bought: Address = stranger) =>
    input('address, uint256, uint256, bytes, bool', [receiver, 5n, 4n, concat([token, '0x0001f4', bought]), true])
  const execute = (codes: Hex, inputs: readonly Hex[]) =>
    call(pool, 'execute(bytes,bytes[],uint256)', [codes, inputs, 9n])

  it('is read command by command', async () => {
    const unwrap = input('address, uint256', [caller, 4n])
    const review = await reviewOf(execute('0x800c', [swapIn(router, weth), unwrap]))
    expect(review.call.commands).toMatchObject([
      { name: 'V3_SWAP_EXACT_IN', mayFail: true },
      { name: 'UNWRAP_WETH', mayFail: false, args: [{ name: 'receiver', value: caller }, { value: '4' }] },
    ])
    expect(functionsOf(review)).toBe('passed')
    expect(ids(review)).not.toContain('RECEIVER-OTHER')
  })

  it.each([
    ['a swap for another', execute('0x00', [swapIn(stranger)])],
    ['a swap that stays in the router', execute('0x00', [swapIn(router)])],
    ['a sweep to another', execute('0x04', [input('address, address, uint256', [token, stranger, 0n])])],
    ['a part for another', execute('0x06', [input('address, address, uint256', [token, stranger, 25n])])],
    [
      'a batch of transfers',
      execute('0x0d', [input('(address, address, uint160, address)[]', [[[safeAddress, stranger, 5n, token]]])]),
    ],
    ['one inside a plan of its own', execute('0x21', [input('bytes, bytes[]', ['0x00', [swapIn(stranger)]])])],
    [
      'an action of Uniswap 4',
      execute('0x10', [input('bytes, bytes[]', ['0x0e', [input('address, address, uint256', [token, stranger, 0n])]])]),
    ],
  ])('RECEIVER-OTHER: %s', async (_name, fields) => {
    expect(ids(await reviewOf(fields))).toContain('RECEIVER-OTHER')
  })

  it('is bounded by the least of what it bought, and of nothing else', async () => {
    const open = input('address, uint256, uint256, bytes, bool', [
      router,
      5n,
      0n,
      concat([token, '0x0001f4', stranger]),
      true,
    ])
    const sweep = (of: Address) => input('address, address, uint256', [of, safeAddress, 5_000n])
    expect(ids(await reviewOf(execute('0x0004', [open, sweep(stranger)])))).not.toContain('SWAP-NO-MINIMUM')
    expect(ids(await reviewOf(execute('0x0004', [open, sweep(nft)])))).toContain('SWAP-NO-MINIMUM')
  })

  it('names a permit inside it', async () => {
    const permit = input('((address, uint160, uint48, uint48), address, uint256), bytes', [
      [[token, 5n, 9, 0], stranger, 9n],
      '0x',
    ])
    const review = await reviewOf(execute('0x0a', [permit]))
    expect(review.findings).toContainEqual(expect.objectContaining({ id: 'SPENDING-RIGHT' }))
  })

  it.each([
    ['a command that is not known', execute('0x13', ['0x'])],
    ['the second byte of which is not known', execute('0x0013', [swapIn(safeAddress), '0x'])],
    ['fewer inputs than commands', execute('0x0000', [swapIn(safeAddress)])],
    ['an input with bytes behind it', execute('0x00', [concat([swapIn(safeAddress), zeroHash])])],
    ['an input that is cut', execute('0x00', ['0x1234'])],
    ['plans in plans', execute('0x21', [nested(6)])],
  ])('is unread with %s', async (_name, fields) => {
    const review = await reviewOf(fields)
    expect(review.call).toMatchObject({ name: null, source: null })
    expect(ids(review)).toContain('DECODE-NONE')
    expect(functionsOf(review)).toBe('failed')
  })

  function nested(depth: number): Hex {
    return depth === 0
      ? swapIn(safeAddress)
      : input('bytes, bytes[]', [depth === 1 ? '0x00' : '0x21', [nested(depth - 1)]])
  }
})

describe('orders of CoW Protocol', () => {
  const uid: Hex = concat([pad('0xaa', { size: 32 }), safeAddress, toHex(9, { size: 4 })])
  const twap: Address = '0x6cF1e9cA41f7611dEf408122793c358a3d11E5a5'
  const order = (handler: Address, receiver: Address) =>
    call(pool, 'create((address,bytes32,bytes) params,bool dispatch)', [
      [
        handler,
        zeroHash,
        encodeAbiParameters(
          parseAbiParameters(
            'address, address, address, uint256, uint256, uint256, uint256, uint256, uint256, bytes32',
          ),
          [token, stranger, receiver, 5n, 4n, 0n, 4n, 3600n, 0n, zeroHash],
        ),
      ],
      true,
    ])

  it('that are signed ahead are a right to spend, and nobody sees what for', async () => {
    const review = await reviewOf(call(pool, 'setPreSignature(bytes,bool)', [uid, true]))
    expect(ids(review)).toEqual(expect.arrayContaining(['SPENDING-RIGHT', 'MSG-RAW-HASH']))
    expect(ids(await reviewOf(call(pool, 'setPreSignature(bytes,bool)', [uid, false])))).not.toContain('SPENDING-RIGHT')
  })

  it('in parts over time are read', async () => {
    const review = await reviewOf(order(twap, zeroAddress))
    expect(review.call.commands).toMatchObject([{ name: 'TWAP' }])
    expect(review.findings).toContainEqual(
      expect.objectContaining({
        id: 'SPENDING-RIGHT',
        evidence: expect.objectContaining({ token: [token], amount: { value: 20n, asset: token } }),
      }),
    )
    expect(ids(review)).not.toContain('RECEIVER-OTHER')
    expect(ids(await reviewOf(order(twap, stranger)))).toContain('RECEIVER-OTHER')
  })

  it('of a handler that nobody knows are not', async () => {
    expect(functionsOf(await reviewOf(order(stranger, zeroAddress)))).toBe('failed')
  })
})

describe('an ABI of the code behind a proxy', () => {
  const behind: Address = '0x7777777777777777777777777777777777777777'
  const abi = parseAbi(['function poke(uint256 id)'])
  const abis = [{ address: behind, functions: parseGivenAbi(abi) }]
  const poke = { to: pool, data: encodeFunctionData({ abi, args: [5n] }) }
  const codeHash = zeroHash

  it('reads the call of the proxy, and says so', async () => {
    const implementations = { [pool]: { address: behind, codeHash, kind: 'minimal' as const } }
    const review = await reviewOf(poke, { abis, implementations })
    expect(review.call).toMatchObject({ name: 'poke(uint256)', source: 'given', implementation: { address: behind } })
    expect(review.findings).toContainEqual(
      expect.objectContaining({
        id: 'DECODE-GIVEN',
        severity: 'medium',
        evidence: expect.objectContaining({ behind }),
      }),
    )
  })

  it('is high where the proxy only says that it runs that code', async () => {
    const implementations = { [pool]: { address: behind, codeHash, kind: 'eip1967' as const } }
    const review = await reviewOf(poke, { abis, implementations })
    expect(review.findings).toContainEqual(expect.objectContaining({ id: 'DECODE-GIVEN', severity: 'high' }))
  })

  it('reads nothing of a contract that is no proxy of it', async () => {
    const implementations = { [pool]: { address: stranger, codeHash, kind: 'minimal' as const } }
    expect(functionsOf(await reviewOf(poke, { abis, implementations }))).toBe('failed')
    expect(functionsOf(await reviewOf(poke, { abis, implementations: { [pool]: null } }))).toBe('failed')
    expect(functionsOf(await reviewOf(poke, { abis }))).toBe('failed')
  })

  it('is asked for by the finding, of the contract whose code runs', async () => {
    const implementations = { [pool]: { address: behind, codeHash, kind: 'eip1967' as const } }
    expect((await reviewOf(poke, { implementations })).findings).toContainEqual(
      expect.objectContaining({ id: 'DECODE-NONE', evidence: expect.objectContaining({ to: pool, behind }) }),
    )
  })

  it('never reads by it what the list knows', async () => {
    const implementations = { [token]: { address: behind, codeHash, kind: 'minimal' as const } }
    const review = await reviewOf(call(token, 'transfer(address,uint256)', [stranger, 5n]), { abis, implementations })
    expect(review.call).toMatchObject({ source: 'built-in' })
    expect(review.call.implementation).toBeUndefined()
  })
})
