import { describedFunction, describedFunctions, loadDescriptorRegistry } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type AbiFunction,
  type AbiParameter,
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiItem,
  slice,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { writtenEvidence } from '../../evidence.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { boughtDescribed, isAlongPools } from '../calls/swaps.ts'
import { callOf, callReceiving } from './runs.ts'
import { balanceOf, failureOf, simulationOf } from './scene.ts'

const weth: Address = '0x5555555555555555555555555555555555555555'
const tokens = [
  { address: token, symbol: 'TUSD', decimals: 6 },
  { address: weth, symbol: 'WETH', decimals: 18 },
]
const held = 50_000_000_000n
const sold = { balances: [balanceOf(safeAddress, token, [held, held - 10_000n])] }
const call = (signature: string, args: unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args } as never)
const v2 = call('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
  10_000n,
  3_000n,
  [token, weth],
  safeAddress,
  1n,
])

/** A run in which the Safe pays, and gets this. */
function runWith(received: Parameters<typeof callReceiving>[1], run: SimulatedCall) {
  const balances = received.map(({ token: asset, amount }) => balanceOf(safeAddress, asset, [0n, amount]))
  return simulationOf({ balances: [...sold.balances, ...balances], call: run })
}

async function found(
  data: Hex,
  received: Parameters<typeof callReceiving>[1],
  run = callReceiving(safeAddress, received),
) {
  const input = inputOf({ to: stranger, data }, { tokens, ...runWith(received, run) })
  const { verdict, findings } = await reviewSafeTx(input)
  return {
    verdict,
    less: findings.flatMap(({ id, evidence }) => (id === 'MOVES-LESS' ? [writtenEvidence(evidence)] : [])),
  }
}

const path = concat([token, '0x0001f4', weth])
const router = (codes: Hex, inputs: Hex[]) => call('execute(bytes,bytes[],uint256)', [codes, inputs, 1n])
const receiver = (to: Address) => [{ type: 'address' }, to] as const
const encode = (...parts: (readonly [{ type: string }, unknown])[]) =>
  encodeAbiParameters(
    parts.map(([type]) => type),
    parts.map(([, value]) => value) as never,
  )
const swapTo = (to: Address, least: bigint) =>
  encode(
    receiver(to),
    [{ type: 'uint256' }, 10_000n],
    [{ type: 'uint256' }, least],
    [{ type: 'bytes' }, path],
    [{ type: 'bool' }, true],
  )
const caller: Address = '0x0000000000000000000000000000000000000001'
const itself: Address = '0x0000000000000000000000000000000000000002'

describe('what a swap brings', () => {
  test('default: as much as it states, or more', async () => {
    expect(await found(v2, [{ token: weth, amount: 3_000n }])).toEqual({ verdict: 'matches', less: [] })
    expect((await found(v2, [{ token: weth, amount: 3_001n }])).less).toEqual([])
  })

  test.each<[string, Hex, Address]>([
    ['Uniswap 2', v2, weth],
    [
      'for coin',
      call('swapExactTokensForETH(uint256,uint256,address[],address,uint256)', [
        10_000n,
        3_000n,
        [token, weth],
        safeAddress,
        1n,
      ]),
      zeroAddress,
    ],
    [
      'for an exact amount',
      call('swapTokensForExactTokens(uint256,uint256,address[],address,uint256)', [
        3_000n,
        10_000n,
        [token, weth],
        safeAddress,
        1n,
      ]),
      weth,
    ],
    ['Uniswap 3', call('exactInput((bytes,address,uint256,uint256))', [[path, safeAddress, 10_000n, 3_000n]]), weth],
    [
      'Uniswap 3, backwards',
      call('exactOutput((bytes,address,uint256,uint256))', [
        [concat([weth, '0x0001f4', token]), safeAddress, 3_000n, 10_000n],
      ]),
      weth,
    ],
    ['the router, to its caller', router('0x00', [swapTo(caller, 3_000n)]), weth],
    [
      'the router, swept',
      router('0x0004', [
        swapTo(itself, 0n),
        encode([{ type: 'address' }, weth], receiver(safeAddress), [{ type: 'uint256' }, 3_000n]),
      ]),
      weth,
    ],
    [
      'the router, unwrapped',
      router('0x000c', [swapTo(itself, 0n), encode(receiver(caller), [{ type: 'uint256' }, 3_000n])]),
      zeroAddress,
    ],
  ])('behavior: a contract that takes the tokens and gives nothing is no exchange: %s', async (_, data, bought) => {
    const { verdict, less } = await found(data, [])
    const asset = bought === zeroAddress ? 'native' : bought
    expect([verdict, less]).toEqual([
      'matches-with-warnings',
      [{ asset, account: safeAddress, amount: '0', said: '3000' }],
    ])
    expect((await found(data, [{ token: bought, amount: 3_000n }])).less).toEqual([])
  })

  test('behavior: less than stated, by another token, to somebody else, or in a call that is undone', async () => {
    expect((await found(v2, [{ token: weth, amount: 2_990n }])).less).toMatchObject([{ amount: '2990' }])
    expect((await found(v2, [{ token: stranger, amount: 3_000n }])).less).toMatchObject([{ amount: '0' }])
    const elsewhere = callReceiving(stranger, [{ token: weth, amount: 3_000n }])
    expect((await found(v2, [], elsewhere)).less).toHaveLength(1)
    const undone = callOf({
      calls: [{ ...callReceiving(safeAddress, [{ token: weth, amount: 3_000n }]), failure: failureOf('0x') }],
    })
    expect((await found(v2, [], undone)).less).toHaveLength(1)
  })

  test('behavior: swaps of a batch are added up, and what a later call sends on came all the same', async () => {
    const to: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
    const data = encodeMultiSend([v2, v2].map((one) => ({ to: stranger, value: 0n, data: one })))
    const of = async (amount: bigint) => {
      const received = [{ token: weth, amount }]
      const run = runWith(received, callReceiving(safeAddress, received))
      const { findings } = await reviewSafeTx(inputOf({ to, data, operation: 1 }, { tokens, ...run }))
      return findings.filter(({ id }) => id === 'MOVES-LESS').map(({ evidence }) => writtenEvidence(evidence).said)
    }
    expect([await of(6_000n), await of(3_000n)]).toEqual([[], ['6000']])
  })
})

describe('a swap that accepts far less than it brings', () => {
  const low = async (least: bigint, come: bigint, more: Parameters<typeof encodeMultiSend>[0] = []) => {
    const swap = call('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
      10_000n,
      least,
      [token, weth],
      safeAddress,
      1n,
    ])
    const received = [{ token: weth, amount: come }]
    const fields =
      more.length === 0
        ? { to: stranger, data: swap }
        : {
            to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2' as const,
            data: encodeMultiSend([...more, { to: stranger, value: 0n, data: swap }]),
            operation: 1 as const,
          }
    const run = callReceiving(safeAddress, received)
    const { findings } = await reviewSafeTx(inputOf(fields, { tokens, ...runWith(received, run) }))
    return findings
      .filter(({ id }) => id === 'SWAP-LOW-MINIMUM')
      .map(({ id, evidence }) => ({ id, ...writtenEvidence(evidence) }))
  }
  const approval = (amount: bigint) => ({
    to: token,
    value: 0n,
    data: call('approve(address,uint256)', [stranger, amount]),
  })

  test('default: both amounts are told', async () => {
    expect(await low(1_001n, 3_000n)).toMatchObject([
      { id: 'SWAP-LOW-MINIMUM', asset: weth, amount: '3000', said: '1001' },
    ])
    expect(await low(1_001n, 3_000n, [approval(10_000n)])).toHaveLength(1)
  })

  test('behavior: a usual minimum is none', async () => {
    expect(await low(2_850n, 3_000n)).toEqual([])
    expect(await low(1_500n, 3_000n)).toEqual([])
  })

  test('behavior: a payment beside it hides nothing', async () => {
    const payment = { to: token, value: 0n, data: call('transfer(address,uint256)', [stranger, 1n]) }
    const coin = { to: stranger, value: 1n, data: '0x' as const }
    expect(await low(1_001n, 3_000n, [payment, coin])).toMatchObject([{ said: '1001' }])
  })

  test.each([
    ['Curve', 'exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)', [1n, 0n, 10_000n]],
    ['liquidity of Curve', 'add_liquidity(uint256[2] amounts, uint256 min_mint_amount)', [[10_000n, 0n]]],
  ])('behavior: a pool that names no token is held to the one that comes: %s', async (_, signature, args) => {
    const of = async (least: bigint) => {
      const received = [{ token: weth, amount: 3_000n }]
      const run = runWith(received, callReceiving(safeAddress, received))
      const data = call(signature, [...args, least])
      const { findings } = await reviewSafeTx(inputOf({ to: stranger, data }, { tokens, ...run }))
      return findings
        .filter(({ id }) => id === 'SWAP-LOW-MINIMUM')
        .map(({ evidence }) => writtenEvidence(evidence).said)
    }
    expect([await of(1_499n), await of(1_500n)]).toEqual([['1499'], []])
  })

  test('behavior: several swaps are summed', async () => {
    const small = call('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
      1n,
      1n,
      [token, weth],
      safeAddress,
      1n,
    ])
    expect(await low(1_001n, 3_000n, [{ to: stranger, value: 0n, data: small }])).toMatchObject([{ said: '1002' }])
  })

  test('behavior: liquidity whose both tokens may be far less, and none where one of them may not', async () => {
    const taken = async (leastToken: bigint, leastWeth: bigint) => {
      const data = call(
        'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
        [token, weth, 1n, leastToken, leastWeth, safeAddress, 1n],
      )
      const received = [
        { token, amount: 10_000n },
        { token: weth, amount: 3_000n },
      ]
      const run = simulationOf({ balances: [], call: callReceiving(safeAddress, received) })
      const { findings } = await reviewSafeTx(inputOf({ to: stranger, data }, { tokens, ...run }))
      return findings
        .filter(({ id }) => id === 'SWAP-LOW-MINIMUM')
        .map(({ evidence }) => writtenEvidence(evidence).said)
    }
    expect(await taken(1_001n, 1_001n)).toEqual(['1001'])
    expect(await taken(9_900n, 1_001n)).toEqual([])
  })

  test('behavior: where another call may bring tokens, nothing is said', async () => {
    expect(await low(1_001n, 3_000n, [{ to: stranger, value: 0n, data: '0xdeadbeef' }])).toEqual([])
  })
})

describe('a swap for a certain amount', () => {
  const payment = { to: token, value: 0n, data: call('transfer(address,uint256)', [stranger, 1n]) }
  const single = 'address tokenIn, address tokenOut, uint24 fee, address recipient'
  const exactOutput = (most: bigint) =>
    call(`exactOutputSingle((${single}, uint256 amountOut, uint256 amountInMaximum, uint160 limit) params)`, [
      {
        tokenIn: token,
        tokenOut: weth,
        fee: 500,
        recipient: safeAddress,
        amountOut: 3_000n,
        amountInMaximum: most,
        limit: 0n,
      },
    ])
  const tokensFor = (most: bigint) =>
    call('swapTokensForExactTokens(uint256,uint256,address[],address,uint256)', [
      3_000n,
      most,
      [token, weth],
      safeAddress,
      1n,
    ])
  const high = async (data: Hex, batchedBy?: Address) => {
    const moved = [
      { token: weth, amount: 3_000n },
      { token, amount: -10_000n },
    ]
    const run = runWith([{ token: weth, amount: 3_000n }], callReceiving(safeAddress, moved))
    const fields = batchedBy === undefined ? { to: stranger, data } : { to: batchedBy, data, operation: 1 as const }
    const { findings } = await reviewSafeTx(inputOf(fields, { tokens, ...run }))
    return findings
      .filter(({ id }) => id === 'SWAP-HIGH-MAXIMUM')
      .map(({ id, evidence }) => ({ id, ...writtenEvidence(evidence) }))
  }

  test.each([
    ['Uniswap 3', exactOutput],
    ['Uniswap 2', tokensFor],
  ])('default: may cost twice of what it costs, and no more: %s', async (_, write) => {
    expect(await high(write(20_000n))).toEqual([])
    const beside = encodeMultiSend([payment, { to: stranger, value: 0n, data: write(20_001n) }])
    expect(await high(beside, '0x9641d764fc13c8B624c04430C7356C1C7C8102e2')).toMatchObject([{ said: '20001' }])
    expect(await high(write(20_001n))).toMatchObject([
      { id: 'SWAP-HIGH-MAXIMUM', asset: token, amount: '10000', said: '20001' },
    ])
  })
})

const ofInch = call('unoswap(address srcToken, uint256 amount, uint256 minReturn, uint256[] pools)', [
  token,
  10_000n,
  3_000n,
  [BigInt(stranger)],
])
const ofVelora = call(
  'swapExactAmountInOnBalancerV2((uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, uint256 beneficiaryAndApproveFlag) balancerData, uint256 partnerAndFee, bytes permit, bytes data)',
  [
    {
      fromAmount: 10_000n,
      toAmount: 3_000n,
      quotedAmount: 3_000n,
      metadata: keccak256('0x'),
      beneficiaryAndApproveFlag: 0n,
    },
    0n,
    '0x',
    '0x',
  ],
)

describe.each([
  ['1inch', '0x1111111254EEB25477B68fb85Ed929f73A960582', ofInch],
  ['Velora on Balancer', '0x6A000F20005980200259B80c5102003040001068', ofVelora],
] as const)('a swap of %s that names no token that it buys', (_name, router, data) => {
  const told = async (received: Parameters<typeof callReceiving>[1]) => {
    const selector = slice(data, 0, 4)
    const own = describedFunction(await loadDescriptorRegistry(), 1, router, selector)
    if (own === null) throw new Error('The registry does not describe it.')
    const descriptions = { [router.toLowerCase()]: [{ ...own, selector, implementation: null }] }
    const run = runWith(received, callReceiving(safeAddress, received))
    const { findings } = await reviewSafeTx(inputOf({ to: router, data }, { tokens, descriptions, ...run }))
    return findings.filter(({ id }) => id.startsWith('SWAP-')).map(({ id, evidence }) => [id, evidence.token])
  }

  test('default: a listed token, or coin, comes', async () => {
    expect(await told([{ token: weth, amount: 3_000n }])).toEqual([])
    expect(await told([{ token: zeroAddress, amount: 3_000n }])).toEqual([])
  })

  test('behavior: an unlisted token that comes is named, and so is a swap of which nothing comes', async () => {
    expect(await told([{ token: stranger, amount: 3_000n }])).toEqual([['SWAP-UNLISTED', stranger]])
    expect(await told([])).toEqual([['SWAP-NO-MINIMUM', undefined]])
  })
})

test('behavior: every swap of the registry names what it buys, or the run tells', async () => {
  const registry = await loadDescriptorRegistry()
  const declared = Object.keys(registry.calldata).flatMap((key) => {
    const [, chainId, address] = key.split(':')
    return describedFunctions(registry, Number(chainId), address as Address).map(({ declaration }) => declaration)
  })
  const names = (values: readonly AbiParameter[]): string[] =>
    values.flatMap(({ name = '', ...rest }) => [name, ...('components' in rest ? names(rest.components) : [])])
  const silent = [...new Set(declared)].filter((declaration) => {
    const [name = ''] = declaration.split('(')
    const { inputs } = parseAbiItem(`function ${declaration}` as never) as AbiFunction
    const isNamed = names(inputs).some((value) => boughtDescribed.test(value) || value === 'path')
    const described = { name: declaration, described: {} } as Parameters<typeof isAlongPools>[0]
    return /swap/i.test(name) && !isNamed && !isAlongPools(described)
  })
  const ofNames = new Set(silent.map((declaration) => declaration.split('(')[0] ?? ''))
  // These exchange no token for another: bridges, and settings.
  const others = [...ofNames].filter((name) => !name.startsWith('startBridge'))
  expect(others.toSorted()).toEqual(['swapBorrowRateMode', 'swapOwner', 'swapWrap'])
})

describe('a swap that is read by the registry', () => {
  const router: Address = '0x111111125421cA6dc452d289314280a0f8842A65'
  const swap = (least: bigint, executor: Address, getting: Address) =>
    call(
      'swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data)',
      [
        executor,
        {
          srcToken: token,
          dstToken: weth,
          srcReceiver: executor,
          dstReceiver: getting,
          amount: 10_000n,
          minReturnAmount: least,
          flags: 0n,
        },
        '0x',
      ],
    )
  type Received = Parameters<typeof callReceiving>[1]
  const toldOf = async (to: Address, data: Hex, moved: Received, familiar: readonly Address[]) => {
    const selector = slice(data, 0, 4)
    const own = describedFunction(await loadDescriptorRegistry(), 1, to, selector)
    if (own === null) throw new Error('The registry does not describe it.')
    const descriptions = { [to.toLowerCase()]: [{ ...own, selector, implementation: null }] }
    const received = moved.filter(({ amount }) => amount > 0n)
    const run = runWith(received, callReceiving(safeAddress, moved))
    const { findings } = await reviewSafeTx(inputOf({ to, data }, { tokens, descriptions, familiar, ...run }))
    return findings
      .filter(({ severity }) => severity === 'high')
      .map(({ id, evidence }) => ({ id, address: undefined, ...writtenEvidence(evidence) }))
  }
  const told = (
    least: bigint,
    come: bigint,
    { executor = stranger, familiar = [stranger] as Address[], to = safeAddress } = {},
  ) => toldOf(router, swap(least, executor, to), [{ token: weth, amount: come }], familiar)

  test('default: what comes is close to the least, or more than half of it', async () => {
    expect(await told(2_850n, 3_000n)).toEqual([])
    expect(await told(2_850n, 3_000n, { to: zeroAddress })).toEqual([])
  })

  test('behavior: it accepts far less, or brings less', async () => {
    expect(await told(1_001n, 3_000n)).toMatchObject([{ id: 'SWAP-LOW-MINIMUM', amount: '3000', said: '1001' }])
    expect(await told(3_100n, 3_000n)).toMatchObject([{ id: 'MOVES-LESS', amount: '3000', said: '3100' }])
  })

  test('behavior: a vault states its least in units of its own, which the tokens that come are not held against', async () => {
    const vault = getAddress('0x0d89c1c4799353f3805a3e6c4e1cbbb83217d123')
    const redeem = call('redeemInstant(address tokenOut, uint256 amountMTokenIn, uint256 minReceiveAmount)', [
      weth,
      10_000n,
      3_100n,
    ])
    expect(await toldOf(vault, redeem, [{ token: weth, amount: 3_000n }], [])).not.toContainEqual(
      expect.objectContaining({ id: 'MOVES-LESS' }),
    )
  })

  test('behavior: for a certain amount it may cost twice of what it costs, and no more', async () => {
    const velora: Address = '0x6A000F20005980200259B80c5102003040001068'
    const buy = (most: bigint) =>
      call(
        'swapExactAmountOut(address executor, (address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, address beneficiary) swapData, uint256 partnerAndFee, bytes permit, bytes executorData)',
        [
          stranger,
          {
            srcToken: token,
            destToken: weth,
            fromAmount: most,
            toAmount: 3_000n,
            quotedAmount: 10_000n,
            metadata: keccak256('0x'),
            beneficiary: safeAddress,
          },
          0n,
          '0x',
          '0x',
        ],
      )
    const moved = [
      { token: weth, amount: 3_000n },
      { token, amount: -10_000n },
    ]
    const of = (most: bigint) => toldOf(velora, buy(most), moved, [stranger])
    expect(await of(20_000n)).toEqual([])
    expect(await of(20_001n)).toMatchObject([{ id: 'SWAP-HIGH-MAXIMUM', amount: '10000', said: '20001' }])
  })

  test('behavior: code that nobody here knows gets what is sold', async () => {
    expect(await told(2_850n, 3_000n, { familiar: [] })).toMatchObject([{ id: 'CODE-UNFAMILIAR', address: stranger }])
    expect(await told(2_850n, 3_000n, { familiar: [], executor: safeAddress })).toEqual([])
  })
})
