import { readFileSync } from 'node:fs'
import {
  type DescriptorRegistry,
  describedFunction,
  describedFunctions,
  loadDescriptorRegistry,
  type RpcRequest,
} from '@countersign/safe'
import { describeCall, type ProxyCode } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseTransaction,
  size,
  slice,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { reviewSafeTx } from '../../review.ts'
import { ids, inputOf, runAsTold, safeAddress, stranger } from '../../scene.ts'
import { descriptions } from './descriptions.ts'

type CaseFile = { descriptor: string; tests: { description: string; rawTx?: Hex }[] }

const registry = await loadDescriptorRegistry()
const { cases } = JSON.parse(
  readFileSync(new URL('../../../vectors/descriptor-cases.json', import.meta.url), 'utf8'),
) as {
  cases: CaseFile[]
}

describe('the registry of the release', () => {
  it('is what was generated', () => {
    expect(Object.keys(registry.descriptors)).toHaveLength(365)
    for (const path of Object.values(registry.calldata)) expect(registry.descriptors).toHaveProperty([path])
  })

  it('reads the calls of its own cases to the last byte, but for those with bytes or calls that it does not tell of', () => {
    const unread: string[] = []
    for (const { descriptor, tests } of cases) {
      for (const { description, rawTx } of tests) {
        const { chainId = 1, to, data = '0x' } = rawTx === undefined ? {} : parseTransaction(rawTx)
        if (!to || size(data) < 4) continue
        const selector = slice(data, 0, 4)
        const own = describedFunction(registry, chainId, to, selector)
        const found = own === null ? {} : { [to.toLowerCase()]: [{ ...own, selector, implementation: null }] }
        const call = describeCall({ to, value: 0n, data, operation: 0, safeAddress, descriptions: found })
        if (call.name === null || (call.source === 'registry' && call.problem !== null))
          unread.push(`${descriptor.split('/')[1]}: ${description}`)
      }
    }
    // Wallets and partners put bytes behind the arguments of 1inch and OKX; the others hold calls.
    expect(unread).toEqual([
      '1inch: Swap - chain 1 (2)',
      '1inch: Swap - chain 56',
      ...[
        'ethUnoswap',
        'swap',
        'ethUnoswap2',
        'unoswap2',
        'unoswap',
        'fillContractOrder',
        'permitAndCall',
        'fillOrder',
      ].map((name) => `1inch: 1inch: AggregationRouterV6: ${name}`),
      'kiln: Create and Stake - chain 1',
      ...[1, 2, 4, 5, 6].map((number) => `okx: Swap - chain 1 (${number})`),
    ])
  })
})

describe('describedFunctions', () => {
  const keyOf = (path: string) => {
    const key = Object.keys(registry.calldata).find((one) => registry.calldata[one]?.endsWith(path)) ?? ''
    const [, chainId, address] = key.split(':')
    return [Number(chainId), address as Address] as const
  }

  it('default: every function of a contract, with the names of values that have some', () => {
    const functions = describedFunctions(registry, ...keyOf('aave/calldata-lpv3.json'))
    const borrow = functions.find(({ declaration }) => declaration.startsWith('borrow('))
    expect(borrow?.named).toEqual([
      {
        path: [2],
        names: new Map([
          ...['0', '1', '2'].map((value, at) => [value, ['none', 'deprecated', 'variable'][at]] as const),
        ]),
      },
    ])
    const quote = describedFunctions(registry, ...keyOf('opencover/calldata-Quote.json'))
    expect(quote[0]?.named.map(({ path }) => path)).toEqual([
      [0, 2],
      [0, 4],
    ])
    expect(describedFunctions(registry, 1, stranger)).toEqual([])
  })

  it('behavior: takes names for whole numbers alone, and for nothing that is a part of a value', () => {
    const address = stranger.toLowerCase()
    const format = (path: string, reference: unknown) => ({
      fields: [{ path, format: 'enum', params: { $ref: reference } }],
    })
    const formats = {
      'one(uint256[] kinds)': format('kinds.[]', '$.metadata.enums.kinds'),
      'two(bytes kind)': format('kind.[0:1]', '$.metadata.enums.kinds'),
      'three(bool kind)': format('kind', '$.metadata.enums.kinds'),
      'four(uint8 kind)': format('kind', '$.metadata.enums.none'),
      'five(uint8 kind)': format('kind', { toString: 1 }),
      'six(uint8 kind)': format('__proto__', '$.metadata.__proto__'),
      'seven(uint8 kind': format('kind', '$.metadata.enums.kinds'),
    }
    const hostile: DescriptorRegistry = {
      ...registry,
      descriptors: { x: { display: { formats }, metadata: { enums: { kinds: { 1: 'One', True: 'yes', 2: 3 } } } } },
      calldata: { [`eip155:1:${address}`]: 'x' },
    }
    const named = describedFunctions(hostile, 1, stranger).map(({ named }) => named)
    expect(named).toEqual([[{ path: [0, null], names: new Map([['1', 'One']]) }], [], [], [], [], []])
  })
})

describe('a hostile registry', () => {
  const contract: Address = '0x5555555555555555555555555555555555555555'
  const key = `eip155:1:${contract}`
  const selector: Hex = '0x6a627842'
  const made = (descriptors: DescriptorRegistry['descriptors'], path = 'a.json'): DescriptorRegistry => ({
    commit: '',
    date: '2026-01-01',
    descriptors,
    attestations: {},
    calldata: { [key]: path },
    typedData: {},
  })
  const find = (descriptors: DescriptorRegistry['descriptors'], path?: string) =>
    describedFunction(made(descriptors, path), 1, contract, selector)
  const formats = (of: Record<string, unknown>) => ({ display: { formats: of } })

  it('is read where it is honest, also through what it includes', () => {
    const declaration = 'mint(address to)'
    const included = { 'a.json': { includes: './b.json', metadata: { owner: 'A' } } }
    expect(find({ ...included, 'b.json': formats({ [declaration]: { intent: 'Mint' } }) })).toMatchObject({
      declaration,
      intent: 'Mint',
      owner: 'A',
      path: 'a.json',
    })
  })

  it.each([
    ['includes itself', { 'a.json': { includes: 'a.json' } }],
    ['includes in a circle', { 'a.json': { includes: 'b.json' }, 'b.json': { includes: 'a.json' } }],
    ['includes what is not there', { 'a.json': { includes: '../../../etc/passwd' } }],
    ['includes a prototype', { 'a.json': { includes: '__proto__' } }],
    ['has formats that are a list', { 'a.json': { display: { formats: ['mint(address to)'] } } }],
    ['declares no function', { 'a.json': formats({ constructor: {}, __proto__: {}, '(': {}, 'mint(address': {} }) }],
    ['declares a type without end', { 'a.json': formats({ [`mint(${'('.repeat(5_000)}`]: {} }) }],
    ['declares megabytes', { 'a.json': formats({ [`mint(${'address to,'.repeat(900_000)}`]: {} }) }],
    [
      'passes calls on, deep inside',
      { 'a.json': formats({ 'mint(address to)': { fields: [{ fields: [{ path: 'to', format: 'calldata' }] }] } }) },
    ],
  ])('describes nothing where it %s', (_name, descriptors) => {
    expect(find(descriptors)).toBeNull()
  })

  it('has no contract of the name of a prototype', () => {
    for (const path of ['__proto__', 'constructor', 'toString']) expect(find({}, path)).toBeNull()
  })

  it('says nothing but texts', () => {
    const odd = { intent: { toString: 'x' }, fields: 'no list' }
    const found = find({
      'a.json': { metadata: { owner: ['A'], contractName: 7 }, ...formats({ 'mint(address to)': odd }) },
    })
    expect(found).toMatchObject({ intent: 'x', owner: '', contractName: '' })
  })
})

describe('a call that the registry describes', () => {
  const staked: Address = '0x9D39A5DE30e57443BfF2A8307A4256c8797A3497'
  const proxy: Address = '0x5555555555555555555555555555555555555555'
  const abi = parseAbi(['function cooldownShares(uint256 shares)', 'function unstake(address receiver)'])
  const cooldown = encodeFunctionData({ abi, functionName: 'cooldownShares', args: [5n] })
  const unstake = (receiver: Address) => encodeFunctionData({ abi, functionName: 'unstake', args: [receiver] })

  /** Reviews it with what the fact answers, where the node knows this code of the contract. */
  async function reviewOf(
    to: Address,
    data: Hex,
    {
      code = '0x6001' as Hex,
      chainId = 1,
      behind = null as ProxyCode | null,
      familiar = [] as Address[],
      listed = [] as Address[],
      value = 0n,
    } = {},
  ) {
    const tokens = listed.map((address) => ({ address, symbol: 'TEST', decimals: 18 }))
    const input = inputOf({ to, data, value }, { familiar, tokens, implementations: { [to.toLowerCase()]: behind } })
    const need = descriptions.needs({ ...input, chainId })
    const answer = need && (await descriptions.read(() => async () => code, need))
    const read = { ...input, descriptions: answer ?? undefined }
    return reviewSafeTx({ ...read, simulation: runAsTold(read) })
  }
  const functionsOf = async (...args: Parameters<typeof reviewOf>) =>
    (await reviewOf(...args)).checks.find(({ id }) => id === 'functions')?.status

  it('is read, and said in its words', async () => {
    const review = await reviewOf(staked, cooldown)
    expect(review.call).toMatchObject({ name: 'cooldownShares(uint256)', source: 'registry' })
    expect(review.call.described).toMatchObject({ path: 'registry/ethena/calldata-ethena.json', implementation: null })
    expect(review.effects).toMatchObject([{ key: 'described-call', values: { intent: review.call.described?.intent } }])
    expect(review.checks).toContainEqual({ id: 'functions', status: 'passed' })
    expect(review.findings.filter(({ severity }) => severity === 'high' || severity === 'critical')).toEqual([])
  })

  it('is unread at another address, on another chain, by delegatecall, and with bytes behind it', async () => {
    expect(await functionsOf(proxy, cooldown)).toBe('failed')
    expect(await functionsOf(staked, cooldown, { chainId: 10 })).toBe('failed')
    const longer = await reviewOf(staked, concat([cooldown, '0x00']))
    expect(longer).toMatchObject({ verdict: 'cannot-verify', call: { problem: 'NONCANONICAL' } })
    const found = await reviewOf(staked, cooldown)
    const asDelegatecall = describeCall({
      to: staked,
      value: 0n,
      data: cooldown,
      operation: 1,
      safeAddress,
      descriptions: found.call.described && { [staked.toLowerCase()]: [found.call.described] },
    })
    expect(asDelegatecall.name).toBeNull()
  })

  it('names the code that it runs today where that can be replaced', async () => {
    const behind = { address: stranger, codeHash: `0x${'11'.repeat(32)}`, kind: 'eip1967' } as const
    const told = async (kind: ProxyCode['kind'] | null) =>
      (await reviewOf(staked, cooldown, { behind: kind && { ...behind, kind } })).findings.filter(
        ({ id }) => id === 'DECODE-DESCRIBED',
      )
    expect(await told('eip1967')).toMatchObject([
      { id: 'DECODE-DESCRIBED', evidence: { behind: stranger, codeHash: behind.codeHash } },
    ])
    expect(await told('beacon')).toHaveLength(1)
    expect([...(await told('minimal')), ...(await told(null))]).toEqual([])
  })

  type Keeping = { upgradedOn: string; isArchive?: boolean; begin?: string }

  /** A node that keeps every block since `begin`, one a minute; the proxy is given other code on a day. */
  function nodeOf({ upgradedOn, isArchive = true, begin = '2020-01-01' }: Keeping): RpcRequest {
    const [start, now] = [begin, '2027-01-01'].map((day) => Date.parse(day) / 60_000) as [number, number]
    const after = Date.parse(upgradedOn) / 60_000 - start
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    return async ({ method, params = [] }) => {
      const block = String(params.at(-1) === false ? params[0] : params.at(-1))
      const number = block === 'latest' ? now - start : Number(block)
      if (method === 'eth_getBlockByNumber') return { number: toHex(number), timestamp: toHex((start + number) * 60) }
      if (!isArchive && block !== 'latest') throw new Error('missing trie node')
      if (method === 'eth_getCode') return '0x6001'
      return params[1] === slot ? pad(number < after ? staked : stranger) : pad('0x')
    }
  }

  // The block after the one without a time has the maximum age, so the code is compared with the code at this block.
  it.each([
    ['a day before its registry was read', -60_000, staked],
    ['as it was read: nobody can tell', 86_340_000, undefined],
  ] as const)('of a proxy whose chain began %s', async (_when, after, replaced) => {
    const input = inputOf({ to: staked, data: cooldown })
    const need = descriptions.needs(input)
    if (need === null) throw new Error('It is not on the own list.')
    const day = Date.parse(`${registry.date}T00:00:00Z`)
    const begin = new Date(day + after).toISOString()
    const node = nodeOf({ upgradedOn: new Date(day + 129_600_000).toISOString(), begin })
    const behind = { address: stranger, codeHash: keccak256('0x6001'), kind: 'eip1967' } as const
    const implementations = { [staked.toLowerCase()]: behind }
    const answer = await descriptions.read(() => node, need)
    const { findings } = await reviewSafeTx({ ...input, implementations, descriptions: answer })
    expect(findings.find(({ id }) => id === 'DECODE-NONE')?.evidence.describedCode).toBe(replaced)
  })

  it.each([
    ['after the registry’s day it is unread, and the code that was described is named', '2026-12-01', true, staked],
    ['before that day it is read', '2025-06-01', true, undefined],
    ['and a node that keeps no old state, it is read: nobody can tell', '2026-12-01', false, undefined],
  ] as const)('of a proxy that was upgraded %s', async (_what, upgradedOn, isArchive, replaced) => {
    const input = inputOf({ to: staked, data: cooldown })
    const need = descriptions.needs(input)
    if (need === null) throw new Error('It is not on the own list.')
    const behind = { address: stranger, codeHash: keccak256('0x6001'), kind: 'eip1967' } as const
    const review = await reviewSafeTx({
      ...input,
      implementations: { [staked.toLowerCase()]: behind },
      descriptions: await descriptions.read(() => nodeOf({ upgradedOn, isArchive }), need),
    })
    expect(review.call.name).toBe(replaced === undefined ? 'cooldownShares(uint256)' : null)
    expect(review.verdict).toBe(replaced === undefined ? 'matches' : 'cannot-verify')
    const unread = review.findings.find(({ id }) => id === 'DECODE-NONE')
    expect(unread?.evidence.describedCode).toBe(replaced)
    if (replaced) expect(unread?.evidence).toMatchObject({ behind: stranger })
  })

  it('is read through a minimal proxy, which can run nothing else, and through no other', async () => {
    const clone = concat(['0x363d3d373d3d3d363d73', staked, '0x5af43d82803e903d91602b57fd5bf3'])
    const review = await reviewOf(proxy, cooldown, { code: clone })
    expect(review.call.described).toMatchObject({ implementation: staked })
    expect(await functionsOf(proxy, cooldown, { code: concat(['0x60', clone]) })).toBe('failed')
  })

  it('names whoever else gets something', async () => {
    expect(ids(await reviewOf(staked, unstake(stranger)))).toContain('RECEIVER-OTHER')
    expect(ids(await reviewOf(staked, unstake(safeAddress)))).not.toContain('RECEIVER-OTHER')
  })

  it('names them where they are written as numbers or bytes', async () => {
    const router: Address = '0x111111125421cA6dc452d289314280a0f8842A65'
    const beacon: Address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
    const others = parseAbi([
      'function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex)',
      'function deposit(bytes pubkey, bytes withdrawal_credentials, bytes signature, bytes32 deposit_data_root)',
    ])
    const swap = (to: Address, least = 5_000n) =>
      encodeFunctionData({ abi: others, functionName: 'unoswapTo', args: [BigInt(to), BigInt(staked), 5n, least, 7n] })
    const stake = (to: Address) => {
      const credentials = concat(['0x01', pad(to, { size: 31 })])
      const args = [pad('0x', { size: 48 }), credentials, pad('0x', { size: 96 }), pad('0x', { size: 32 })] as const
      return encodeFunctionData({ abi: others, functionName: 'deposit', args })
    }
    expect(ids(await reviewOf(router, swap(stranger)))).toContain('RECEIVER-OTHER')
    expect(ids(await reviewOf(beacon, stake(stranger)))).toContain('RECEIVER-OTHER')
    // Nothing comes of this run.
    expect(ids(await reviewOf(router, swap(safeAddress)))).toEqual(['SWAP-NO-MINIMUM'])
    expect(ids(await reviewOf(beacon, stake(safeAddress)))).not.toContain('RECEIVER-OTHER')
    expect(ids(await reviewOf(router, swap(safeAddress, 1n)))).toContain('SWAP-NO-MINIMUM')
  })

  it('says of each validator that an earlier deposit for its key decides, whatever this one says', async () => {
    const batches: Address = '0x8B0d88B8Be3C15D746Feb0B1f18c883c03B6Aa62'
    const abi = parseAbi([
      'function deposit(bytes[] pubkeys, bytes[] withdrawal_credentials, bytes[] signatures, bytes32[] deposit_data_roots, uint256[] amounts_gwei)',
    ])
    const keys = [pad('0x01', { size: 48 }), pad('0x02', { size: 48 })]
    const own = concat(['0x01', pad(safeAddress, { size: 31 })])
    const [signature, root] = [pad('0x', { size: 96 }), pad('0x', { size: 32 })]
    const args = [keys, [own, own], [signature, signature], [root, root], [32n, 32n]] as const
    const { verdict, findings } = await reviewOf(batches, encodeFunctionData({ abi, args }), { value: 64n })
    expect(verdict).toBe('matches-with-warnings')
    const named = findings.flatMap(({ id, evidence }) => (id === 'VALIDATOR-KEY' ? [evidence.validatorKey] : []))
    expect(named).toEqual(keys)
  })

  it('names whoever may act from then on, and nobody who no longer may', async () => {
    const pool: Address = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'
    const managers = parseAbi(['function approvePositionManager(address positionManager, bool approve)'])
    const manager = (isOn: boolean) =>
      encodeFunctionData({ abi: managers, functionName: 'approvePositionManager', args: [stranger, isOn] })
    expect(ids(await reviewOf(pool, manager(true)))).toContain('SPENDING-RIGHT')
    expect(await reviewOf(pool, manager(false))).toMatchObject({ verdict: 'matches' })
  })

  it('says that an order is a right, and finds a price that is none', async () => {
    const router: Address = '0x111111125421cA6dc452d289314280a0f8842A65'
    const swaps = parseAbi([
      'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data)',
    ])
    const swap = (dstReceiver: Address, minReturnAmount: bigint) => {
      const desc = { srcToken: staked, dstToken: staked, srcReceiver: stranger, dstReceiver, amount: 5n, flags: 0n }
      const args = [stranger, { ...desc, minReturnAmount }, '0x'] as const
      return encodeFunctionData({ abi: swaps, functionName: 'swap', args })
    }
    const known = { listed: [staked], familiar: [stranger] }
    expect(await reviewOf(router, swap(safeAddress, 5_000n), known)).toMatchObject({ verdict: 'matches' })
    expect(ids(await reviewOf(router, swap(safeAddress, 5_000n), { listed: [staked] }))).toEqual(['CODE-UNFAMILIAR'])
    expect(ids(await reviewOf(router, swap(safeAddress, 5_000n)))).toContain('SWAP-UNLISTED')
    expect(ids(await reviewOf(router, swap(safeAddress, 1n)))).toContain('SWAP-NO-MINIMUM')
    expect(ids(await reviewOf(router, swap(stranger, 5_000n)))).toContain('RECEIVER-OTHER')
    const orders = parseAbi([
      'function create((uint256 salt, uint256 maker, uint256 receiver, uint256 makerAsset, uint256 takerAsset, uint256 makingAmount, uint256 takingAmount, uint256 makerTraits) makerOrder)',
    ])
    const [maker, asset] = [BigInt(safeAddress), BigInt(staked)]
    const amounts = { makingAmount: 10n ** 24n, takingAmount: 1n, makerTraits: 0n, salt: 1n }
    const order = { ...amounts, maker, receiver: 0n, makerAsset: asset, takerAsset: asset }
    const offer = encodeFunctionData({ abi: orders, functionName: 'create', args: [order] })
    const factory: Address = '0xe12E0f117d23a5ccc57f8935CD8c4E80cD91FF01'
    expect(ids(await reviewOf(factory, offer))).toContain('SPENDING-RIGHT')
  })

  it('names the oracle of a market that anybody can make, until somebody who counts has named it', async () => {
    const market =
      '(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams'
    const abi = parseAbi([
      `function supply(${market}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
      `function supplyCollateral(${market}, uint256 assets, address onBehalf, bytes data)`,
      `function repay(${market}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
    ] as never)
    const morpho: Address = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb'
    const params = { loanToken: staked, collateralToken: stranger, oracle: stranger, irm: stranger, lltv: 10n }
    const dataOf = (functionName: string, ...amounts: bigint[]) =>
      encodeFunctionData({ abi, functionName, args: [params, ...amounts, safeAddress, '0x'] } as never)
    for (const data of [dataOf('supply', 5_000n, 0n), dataOf('supplyCollateral', 5_000n)]) {
      const { verdict, findings } = await reviewOf(morpho, data)
      expect(verdict).toBe('matches-with-warnings')
      expect(findings).toMatchObject([{ id: 'CODE-UNFAMILIAR', severity: 'high', evidence: { address: stranger } }])
      expect(await reviewOf(morpho, data, { familiar: [stranger] })).toMatchObject({ verdict: 'matches' })
    }
    expect(await reviewOf(morpho, dataOf('repay', 5_000n, 0n))).toMatchObject({ verdict: 'matches' })
  })

  it('names an unlisted token at the end of a path, and foreign code that a swap goes through', async () => {
    const augustus: Address = '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57'
    const abi = parseAbi([
      'function swapOnUniswap(uint256 amountIn, uint256 amountOutMin, address[] path)',
      'function swapOnUniswapFork(address factory, bytes32 initCode, uint256 amountIn, uint256 amountOutMin, address[] path)',
      'function clipperSwap(address clipperExchange, uint256 srcToken, address dstToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil, bytes32 r, bytes32 vs)',
    ])
    const plain = (...path: Address[]) =>
      encodeFunctionData({ abi, functionName: 'swapOnUniswap', args: [5_000n, 5_000n, path] })
    const listed = [staked]
    expect(await reviewOf(augustus, plain(stranger, staked), { listed })).toMatchObject({ verdict: 'matches' })
    expect(ids(await reviewOf(augustus, plain(staked, stranger), { listed }))).toEqual(['SWAP-UNLISTED'])
    const word = pad('0x11', { size: 32 })
    const fork = encodeFunctionData({
      abi,
      functionName: 'swapOnUniswapFork',
      args: [stranger, word, 5_000n, 5_000n, [stranger, staked]],
    })
    expect(ids(await reviewOf(augustus, fork, { listed }))).toEqual(['CODE-UNFAMILIAR'])
    const clipper = encodeFunctionData({
      abi,
      functionName: 'clipperSwap',
      args: [stranger, BigInt(staked), staked, 5_000n, 5_000n, 1n, word, word],
    })
    const router: Address = '0x111111125421cA6dc452d289314280a0f8842A65'
    expect(ids(await reviewOf(router, clipper, { listed }))).toEqual(['CODE-UNFAMILIAR'])
    expect(await reviewOf(router, clipper, { listed, familiar: [stranger] })).toMatchObject({ verdict: 'matches' })
  })

  it('says of real swaps of 1inch and OKX who gets what is sold and bought, and that bytes behind them are unread', async () => {
    const rawOf = (file: string, name: string) =>
      parseTransaction(
        cases.find(({ descriptor }) => descriptor.endsWith(file))?.tests.find(({ description }) => description === name)
          ?.rawTx ?? '0x',
      )
    const told = async (
      { to, data = '0x' }: ReturnType<typeof rawOf>,
      listed: Address[] = [],
      familiar: Address[] = [],
    ) => reviewOf(to ?? stranger, data, { listed, familiar })
    const foreign = ({ findings }: Awaited<ReturnType<typeof told>>) =>
      findings.flatMap(({ id, evidence }) => (id === 'CODE-UNFAMILIAR' ? [evidence.address as Address] : []))
    const unlisted = ({ findings }: Awaited<ReturnType<typeof told>>) =>
      findings.flatMap(({ id, evidence }) => (id === 'SWAP-UNLISTED' ? [evidence.token as Address] : []))
    const swap = rawOf('AggregationRouterV5.json', 'Swap - chain 1')
    const other = await told(swap)
    const [found] = other.findings.filter(({ id }) => id === 'RECEIVER-OTHER')
    expect(other.verdict).toBe('matches-with-warnings')
    const receiver = (found?.evidence.receiver ?? '').slice(2).toLowerCase()
    const own = (swap.data ?? '0x').replaceAll(receiver, safeAddress.slice(2).toLowerCase()) as Hex
    // Code that gets what is sold is told until somebody who counts has named it.
    const ours = { ...swap, data: own }
    expect(ids(await told(ours, unlisted(other)))).toEqual(['CODE-UNFAMILIAR'])
    expect(await told(ours, unlisted(other), foreign(await told(ours)))).toMatchObject({ verdict: 'matches' })
    const okx = 'OkxDexRouterV1.0.7-multi-commission.json'
    const smart = rawOf(okx, 'Swap - chain 1 (3)')
    const ofOkx = await told(smart)
    expect(foreign(ofOkx).length).toBeGreaterThan(1)
    expect(new Set(ids(await told(smart, unlisted(ofOkx))))).toEqual(new Set(['CODE-UNFAMILIAR']))
    expect(await told(smart, unlisted(ofOkx), foreign(ofOkx))).toMatchObject({ verdict: 'matches' })
    // Behind the arguments stands who gets a commission.
    expect(await told(rawOf(okx, 'Swap - chain 1 (1)'))).toMatchObject({ verdict: 'cannot-verify' })
  })

  it('is asked for only where Countersign’s own list does not know it', () => {
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 5n] })
    expect(descriptions.needs(inputOf({ to: staked, data: transfer }))).toBeNull()
    expect(descriptions.needs(inputOf({ to: staked, data: cooldown }))).toMatchObject({
      calls: [{ address: staked, selector: slice(cooldown, 0, 4) }],
    })
  })
})
