import { erc20Abi, newSafeTx, officialDeployment, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeMultiSend, parseGivenAbi } from '@countersign/safe/calls'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { balanceOf, simulationOf } from './findings/simulation/scene.ts'
import type { ReviewInput } from './input.ts'
import type { Executed } from './policy/executions-of-period.ts'
import type { PolicyState } from './policy/policy-in-force.ts'
import { emptyPolicy, entryOf, inForce, nothingExecuted } from './policy/scene.ts'
import type { TeamPolicy } from './policy/team-policy.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, otherOwner, outsider, safeAddress, state, stranger, token } from './scene.ts'

const callOnly = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? zeroAddress
const multiSend = officialDeployment('multi-send', '1.4.1')?.address ?? zeroAddress
const code = keccak256('0x6001')
const behind = { address: token, codeHash: keccak256('0x6002') } as const
const noProxy = { [stranger.toLowerCase()]: null }

const settings = (functionName: 'enableModule' | 'setGuard' | 'setFallbackHandler', address: Address) => ({
  to: safeAddress,
  data: encodeFunctionData({ abi: safeAbi, functionName, args: [address] }),
})
const tokenCall = (signature: string, ...args: unknown[]) => ({
  to: token,
  data: encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never }),
})
const pay = (to: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})
const owners = (signature: string, ...args: unknown[]) => ({ ...tokenCall(signature, ...args), to: safeAddress })
const batch = (...calls: { to: Address; data?: Hex; value?: bigint; operation?: 0 | 1 }[]) => ({
  to: callOnly,
  operation: 1 as const,
  data: encodeMultiSend(calls.map((call) => ({ value: 0n, data: '0x' as const, ...call }))),
})

/** The restrictions that the review names for a transaction under a policy. */
async function rulesOf(
  policy: Partial<TeamPolicy>,
  fields: Parameters<typeof inputOf>[0],
  change: Partial<ReviewInput> = {},
): Promise<string[]> {
  const review = await reviewSafeTx(
    inputOf(fields, { policy: inForce(policy), spent: [], executedAmounts: nothingExecuted(policy), ...change }),
  )
  const broken = review.findings.filter(({ id }) => id === 'POLICY-BROKEN')
  expect(broken.every(({ severity, evidence }) => severity === 'critical' && evidence.policy === 1)).toBe(true)
  if (broken.length > 0) expect(review.verdict).toBe('do-not-sign')
  expect(review.checks.find(({ id }) => id === 'policy')?.status).toBe(broken.length > 0 ? 'failed' : 'passed')
  return broken.map(({ evidence }) => evidence.rule ?? '')
}

describe('what an entry covers', () => {
  it.each([
    ['module', 'MODULE-ENABLE', settings('enableModule', stranger), 'critical'],
    ['handler', 'HANDLER-UNKNOWN', settings('setFallbackHandler', stranger), 'critical'],
    ['guard', 'GUARD-SET', settings('setGuard', stranger), 'critical'],
  ] as const)('a %s by address and code: %s is then medium', async (kind, id, fields, otherwise) => {
    const severityOf = async (
      change: Parameters<typeof entryOf>[0],
      implementations: ReviewInput['implementations'],
    ) => {
      const policy = inForce({ allowed: [entryOf(change)] })
      const { findings } = await reviewSafeTx(inputOf(fields, { policy, implementations }))
      const found = findings.find((known) => known.id === id)
      return `${found?.severity} ${found?.evidence.policy ?? ''}`.trim()
    }
    const entry = { kind, address: stranger, codeHash: code }
    expect(await severityOf(entry, noProxy)).toBe('medium 1')
    expect(await severityOf({ ...entry, codeHash: behind.codeHash }, noProxy)).toBe(otherwise)
    expect(await severityOf({ ...entry, address: token }, noProxy)).toBe(otherwise)
    const other = kind === 'module' ? 'handler' : 'module'
    expect(await severityOf({ ...entry, kind: other }, noProxy)).toBe(otherwise)
    // A proxy: the code behind it decides.
    const proxy = { ...entry, implementation: behind.address, implementationCodeHash: behind.codeHash }
    expect(await severityOf(entry, { [stranger]: behind })).toBe(otherwise)
    expect(await severityOf(proxy, { [stranger]: behind })).toBe('medium 1')
    expect(await severityOf(proxy, { [stranger]: { ...behind, codeHash: code } })).toBe(otherwise)
    expect(await severityOf(proxy, { [stranger]: { ...behind, isMixed: true } })).toBe(otherwise)
    expect(await severityOf(proxy, { [stranger]: { ...behind, address: safeAddress } })).toBe(otherwise)
    expect(await severityOf(proxy, noProxy)).toBe(otherwise)
    expect(await severityOf(entry, {})).toBe(otherwise)
  })

  it('nothing of a proxy that the same transaction may give other code', async () => {
    const proxy = { ...behind, address: otherOwner }
    const at = { address: stranger, implementation: proxy.address, implementationCodeHash: proxy.codeHash }
    const policy = inForce({ allowed: [entryOf({ kind: 'module', codeHash: code, ...at })] })
    const enable = settings('enableModule', stranger)
    const severityWith = async (data: Hex) => {
      const asked = batch({ to: stranger, data }, enable)
      const { findings } = await reviewSafeTx(inputOf(asked, { policy, implementations: { [stranger]: proxy } }))
      return findings.find(({ id }) => id === 'MODULE-ENABLE')?.severity
    }
    expect(await severityWith(tokenCall('addDelegate(address)', outsider.address).data)).toBe('medium')
    expect(await severityWith(tokenCall('upgradeTo(address)', outsider.address).data)).toBe('critical')
    expect(await severityWith('0x12345678')).toBe('critical')
  })

  it('nothing of another Safe, nothing in a Safe with one owner, nothing of a policy that has lapsed', async () => {
    const entry = entryOf({ kind: 'module', address: stranger, codeHash: code })
    const fields = settings('enableModule', stranger)
    const asModule = tokenCall('execTransactionFromModule(address,uint256,bytes,uint8)', token, 0n, fields.data, 0)
    const severityOf = async (to: Address, policy: PolicyState) => {
      const asked = to === token ? asModule : fields
      const { findings } = await reviewSafeTx(inputOf(asked, { policy, implementations: noProxy }))
      return findings.find(({ id }) => id === 'MODULE-ENABLE')?.severity
    }
    const policy = inForce({ allowed: [entry] })
    expect(await severityOf(safeAddress, policy)).toBe('medium')
    expect(await severityOf(token, policy)).toBe('critical')
    expect(await severityOf(safeAddress, { ...policy, lowersCritical: false })).toBe('critical')
    expect(await severityOf(safeAddress, { ...policy, allowed: [] })).toBe('critical')
  })

  it('nothing inside an allowed delegatecall', async () => {
    const abi = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)'])
    const { data: callData } = settings('enableModule', stranger)
    const args = [[{ target: safeAddress, allowFailure: false, callData }]] as const
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args })
    const entry = entryOf({ kind: 'delegatecall', address: stranger, codeHash: code, selector: '0x82ad56cb' })
    const fields = { to: stranger, operation: 1 as const, data }
    const allowing = { policy: inForce({ allowed: [entry] }), implementations: noProxy }
    const { findings, verdict } = await reviewSafeTx(inputOf(fields, allowing))
    const severities = Object.fromEntries(findings.map(({ id, severity }) => [id, severity]))
    expect(severities).toMatchObject({ 'DC-UNKNOWN': 'medium', 'MODULE-ENABLE': 'critical' })
    expect(verdict).toBe('do-not-sign')
  })

  it('a refund within the limit, to whomever; another asset is over it', async () => {
    const refund = { gasPrice: 2n, baseGas: 10n, safeTxGas: 5n, refundReceiver: stranger }
    const limits = { refundLimits: [{ asset: zeroAddress, amount: 211_644n }] }
    const severityOf = async (policy: Partial<TeamPolicy>) =>
      (await reviewSafeTx(inputOf(refund, { policy: inForce(policy) }))).findings.find(({ id }) => id === 'GAS-REFUND')
        ?.severity
    expect(await severityOf({})).toBe('critical')
    expect(await severityOf(limits)).toBe('medium')
    expect(await rulesOf(limits, refund)).toEqual([])
    expect(await rulesOf(limits, { ...refund, baseGas: 11n })).toEqual(['refund'])
    expect(await rulesOf(limits, { ...refund, safeTxGas: 0n })).toEqual(['refund'])
    expect(await rulesOf(limits, { ...refund, gasToken: token })).toEqual(['refund'])
    expect(await rulesOf({ recipientsOnly: true }, refund)).toEqual(['recipient'])
    expect(await rulesOf({ ...limits, recipientsOnly: true, recipients: [stranger] }, refund)).toEqual([])
  })
})

/** A call of another contract than the token. */
const orderCall = (signature: string, ...args: unknown[]) => ({ ...tokenCall(signature, ...args), to: stranger })
const orderOverTime = (part: bigint, parts: bigint) => {
  const types = 'address, address, address, uint256, uint256, uint256, uint256, uint256, uint256, bytes32'
  const values = [token, otherOwner, safeAddress, part, 1n, 0n, parts, 600n, 0n, zeroHash]
  const input = encodeAbiParameters(parseAbiParameters(types), values as never)
  const handler = '0x6cF1e9cA41f7611dEf408122793c358a3d11E5a5'
  return orderCall('create((address,bytes32,bytes),bool)', [handler, zeroHash, input], true)
}

describe('amounts', () => {
  const limits = { amountLimits: [{ asset: token, amount: 100n, period: 60 }] }
  const spent = (executed: bigint, queued: bigint) => ({ spent: [{ asset: token, period: 60, executed, queued }] })

  it('add up what is sent, what was executed and what is queued', async () => {
    expect(await rulesOf(limits, pay(stranger, 100n))).toEqual([])
    expect(await rulesOf(limits, pay(stranger, 101n))).toEqual(['amount'])
    expect(await rulesOf(limits, batch(pay(stranger, 60n), pay(otherOwner, 41n)))).toEqual(['amount'])
    expect(await rulesOf(limits, pay(stranger, 50n), spent(30n, 20n))).toEqual([])
    expect(await rulesOf(limits, pay(stranger, 50n), spent(31n, 20n))).toEqual(['amount'])
    expect(await rulesOf(limits, pay(stranger, 50n), spent(30n, 21n))).toEqual(['amount'])
    expect(await rulesOf(limits, { value: 10n ** 18n }, spent(1000n, 0n))).toEqual([])
  })

  it('count what a run takes, where the bytes say nothing of an allowance of long ago', async () => {
    const swap = {
      to: stranger,
      data: tokenCall(
        'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
        1n,
        5_000n,
        [token, otherOwner],
        safeAddress,
        1n,
      ).data,
    }
    const run = (taken: bigint) => simulationOf({ balances: [balanceOf(safeAddress, token, [500n, 500n - taken])] })
    expect(await rulesOf(limits, swap, run(100n))).toEqual([])
    expect(await rulesOf(limits, swap, run(101n))).toEqual(['amount'])
    expect(await rulesOf(limits, pay(stranger, 101n), run(0n))).toEqual(['amount'])
  })

  it('count what the chain says was executed, where the server says less', async () => {
    const moved = (amount: bigint) => ({
      ...spent(0n, 20n),
      executedAmounts: [{ asset: token, period: 60, kind: 'token' as const, moved: amount }],
    })
    expect(await rulesOf(limits, pay(stranger, 50n), moved(30n))).toEqual([])
    expect(await rulesOf(limits, pay(stranger, 50n), moved(31n))).toEqual(['amount'])
    expect(await rulesOf(limits, pay(stranger, 50n), { ...moved(0n), ...spent(31n, 20n) })).toEqual(['amount'])
  })

  it('of the native coin count what was executed: failures their refund alone, what nobody can tell not at all', async () => {
    const native = { amountLimits: [{ asset: zeroAddress, amount: 100n, period: 60 }] }
    const executed = (change: Partial<Executed>, fields: Partial<SafeTx> = {}): Partial<ReviewInput> => {
      const safeTx = newSafeTx({ to: stranger, value: 30n, nonce: 4n, ...fields })
      const one: Executed = { safeTx, isSuccessful: true, payment: 0n, ...change }
      return { executedAmounts: [{ asset: zeroAddress, period: 60, kind: 'native', executed: [one] }] }
    }
    expect(await rulesOf(native, { value: 70n }, executed({}))).toEqual([])
    expect(await rulesOf(native, { value: 71n }, executed({}))).toEqual(['amount'])
    expect(await rulesOf(native, { value: 100n }, executed({ isSuccessful: false }))).toEqual([])
    expect(await rulesOf(native, { value: 99n }, executed({ isSuccessful: false, payment: 2n }))).toEqual(['amount'])
    expect(await rulesOf(native, { value: 100n }, executed({}, { to: safeAddress }))).toEqual([])
    const untold = executed({}, { to: stranger, data: '0xdeadbeef', operation: 1 })
    const policy = { policy: inForce(native), spent: [] }
    const { verdict, findings } = await reviewSafeTx(inputOf({ value: 1n }, { ...policy, ...untold }))
    expect(verdict).toBe('cannot-verify')
    expect(findings.find(({ id }) => id === 'INPUT-MISSING')?.evidence.input).toBe('executedAmounts')
  })

  it('need the chain for what counts against a limit alone', async () => {
    const policy = inForce(limits)
    const statusOf = async (fields: Parameters<typeof inputOf>[0]) => {
      const { checks } = await reviewSafeTx(inputOf(fields, { policy, spent: [] }))
      return checks.find(({ id }) => id === 'policy')?.status
    }
    expect(await statusOf(pay(stranger, 1n))).toBe('not-checked')
    expect(await statusOf({ value: 1n })).toBe('passed')
    expect(await statusOf({ to: safeAddress })).toBe('passed')
    expect(await statusOf(owners('removeOwner(address,address,uint256)', account.address, otherOwner, 1n))).toBe(
      'passed',
    )
  })

  it('hold for the native coin, and for a refund', async () => {
    const native = { amountLimits: [{ asset: zeroAddress, amount: 100n, period: 60 }] }
    expect(await rulesOf(native, { value: 100n })).toEqual([])
    expect(await rulesOf(native, { value: 101n })).toEqual(['amount'])
    expect(await rulesOf(native, { value: 91n, gasPrice: 1n, safeTxGas: 10n })).toEqual(['amount'])
    expect(await rulesOf(native, { value: 1n, gasPrice: 1n })).toEqual(['amount'])
  })

  it.each([
    ['an allowance', tokenCall('approve(address,uint256)', stranger, 101n)],
    ['an allowance that grows', tokenCall('increaseAllowance(address,uint256)', stranger, 101n)],
    [
      'an allowance of Permit2',
      { ...tokenCall('approve(address,address,uint160,uint48)', token, stranger, 101n, 1), to: stranger },
    ],
    ['a function of the token that nobody can read', { to: token, data: '0xdeadbeef' as const }],
    ['an operator of the token', tokenCall('authorizeOperator(address)', stranger)],
    ['tokens that are burnt', tokenCall('burn(uint256)', 1n)],
    [
      'an allowance of the module of Safe',
      { ...tokenCall('setAllowance(address,address,uint96,uint16,uint32)', stranger, token, 1n, 0, 0), to: stranger },
    ],
    [
      'a transfer out of the Safe by transferFrom',
      tokenCall('transferFrom(address,address,uint256)', safeAddress, stranger, 101n),
    ],
    ['unknown code that runs as the Safe', { operation: 1 as const, data: '0xdeadbeef' as const }],
    [
      'code inside a batch that runs as the Safe',
      { ...batch({ to: stranger, operation: 1, data: '0xdeadbeef' }), to: multiSend },
    ],
    ['a batch that cannot be read', { to: callOnly, operation: 1 as const, data: '0x8d80ff0a' as const }],
    ['an order by its hash', orderCall('setPreSignature(bytes,bool)', '0x1234', true)],
    ['orders by the root of their hashes', orderCall('setRoot(bytes32,(uint256,bytes))', zeroHash, [0n, '0x'])],
    ['an order over time', orderOverTime(51n, 2n)],
  ])('are broken by %s', async (_what, fields) => {
    expect(await rulesOf(limits, fields)).toEqual(['amount'])
  })

  it.each([
    ['an allowance that ends', tokenCall('approve(address,uint256)', stranger, 0n)],
    ['an allowance that shrinks', tokenCall('decreaseAllowance(address,uint256)', stranger, 101n)],
    ['what comes in', tokenCall('transferFrom(address,address,uint256)', stranger, safeAddress, 101n)],
    ['what stays in the Safe', pay(safeAddress, 101n)],
    ['another token', { ...pay(stranger, 101n), to: stranger }],
    ['a call of another contract', { data: '0xdeadbeef' as const }],
    ['an order that ends', orderCall('setPreSignature(bytes,bool)', '0x1234', false)],
    ['an order over time', orderOverTime(50n, 2n)],
  ])('are not broken by %s', async (_what, fields) => {
    expect(await rulesOf(limits, fields)).toEqual([])
  })
})

describe('a number that an item may have', () => {
  const unlisted: Address = '0x5555555555555555555555555555555555555555'
  const policyFor = (asset: Address) => ({ amountLimits: [{ asset, amount: 100n, period: 60 }] })
  const take = (to: Address, number: bigint) => ({
    ...tokenCall('transferFrom(address,address,uint256)', safeAddress, stranger, number),
    to,
  })
  /** The amounts by which the limit is broken, `unknown` where nobody can tell; none if it is not. */
  const brokenBy = async (fields: ReturnType<typeof take>, facts: Partial<ReviewInput>) => {
    const policy = policyFor(fields.to)
    const given = { policy: inForce(policy), spent: [], executedAmounts: nothingExecuted(policy) }
    const { findings } = await reviewSafeTx(inputOf(fields, { ...given, simulation: undefined, ...facts }))
    const broken = findings.filter(({ id, evidence }) => id === 'POLICY-BROKEN' && evidence.rule === 'amount')
    return broken.map(({ evidence, where }) => {
      expect(evidence).toMatchObject({ asset: fields.to, limit: { asset: fields.to, value: 100n } })
      if (evidence.amount === undefined) expect(where).toEqual({ call: [] })
      return evidence.amount ?? 'unknown'
    })
  }
  const key = unlisted.toLowerCase()
  const saysCollection = { collections: { [key]: true } }
  const saysNothing = { collections: { [key]: false } }
  const hasDecimals = (decimals: number) => ({ ...saysNothing, tokenDecimals: { [key]: decimals } })
  const run = (standard: 'erc20' | 'erc721', taken: bigint) =>
    simulationOf({ balances: [balanceOf(safeAddress, unlisted, [500n, 500n - taken], standard)] })

  it.each([
    ['of a listed token', 0n, token, {}, []],
    ['of a listed token', 100n, token, {}, []],
    ['of a listed token', 101n, token, {}, [101n]],
    ['of a listed token', 2n ** 255n, token, {}, [2n ** 255n]],
    ['of a listed contract that says it is a collection', 0n, token, { collections: { [token]: true } }, ['unknown']],
    ['of an unlisted collection', 0n, unlisted, saysCollection, ['unknown']],
    ['of an unlisted collection', 5n, unlisted, saysCollection, ['unknown']],
    ['of an unlisted collection', 2n ** 255n, unlisted, saysCollection, ['unknown']],
    ['of a collection with decimals', 5n, unlisted, { ...hasDecimals(0), ...saysCollection }, ['unknown']],
    ['of a contract that says nothing', 0n, unlisted, saysNothing, ['unknown']],
    ['of a contract that says nothing', 2n ** 255n, unlisted, saysNothing, ['unknown']],
    ['of a contract that nobody asked', 5n, unlisted, {}, ['unknown']],
    ['of a contract with other decimals than a uint8', 5n, unlisted, hasDecimals(256), ['unknown']],
    ['of an unlisted token with decimals', 0n, unlisted, hasDecimals(18), []],
    ['of an unlisted token with decimals', 100n, unlisted, hasDecimals(18), []],
    ['of an unlisted token with decimals', 101n, unlisted, hasDecimals(0), [101n]],
    ['of an unlisted token with decimals', 2n ** 255n, unlisted, hasDecimals(18), [2n ** 255n]],
    ['of a contract whose balance the run moves', 60n, unlisted, run('erc20', 60n), []],
    ['of a contract whose balance the run moves by more', 60n, unlisted, run('erc20', 101n), [101n]],
    ['of a contract whose item the run moves', 60n, unlisted, run('erc721', 1n), ['unknown']],
  ] as const)('%s counts only in a known unit: %s', async (_what, number, contract, facts, expected) => {
    const amounts = expected.map((value) => (value === 'unknown' ? value : { asset: contract, value }))
    expect(await brokenBy(take(contract, number), facts)).toEqual(amounts)
  })

  it('asks for the reviewer of an asset however small it is', async () => {
    const policy = { reviewers: [{ reviewer: otherOwner, asset: unlisted, above: 100n }] }
    const completing = { state: { ...state, threshold: 1 }, simulation: undefined }
    expect(await rulesOf(policy, take(unlisted, 5n), { ...completing, ...saysCollection })).toEqual(['reviewer'])
    expect(await rulesOf(policy, take(unlisted, 5n), { ...completing, ...hasDecimals(18) })).toEqual([])
  })
})

describe('known recipients', () => {
  const policy = { recipientsOnly: true, recipients: [stranger] }
  const swap = (receiver: Address) => {
    const signature =
      'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 limit) params)'
    const params = { tokenIn: token, tokenOut: token, fee: 500, recipient: receiver }
    const amounts = { amountIn: 1n, amountOutMinimum: 1n, limit: 0n }
    return { ...tokenCall(signature, { ...params, ...amounts }), to: stranger }
  }
  const permit2 = (spender: Address) => {
    const signature =
      'permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)'
    const details = { token, amount: 1n, expiration: 1, nonce: 0 }
    return { ...tokenCall(signature, safeAddress, { details, spender, sigDeadline: 1n }, '0x'), to: stranger }
  }

  const other = ['recipient']
  const known = (signature: string, ...args: unknown[]) => ({ ...tokenCall(signature, ...args), to: stranger })
  const weth: Address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
  /** A swap into a router, which then unwraps for the Safe what it holds of the wrapped coin. */
  const left = (bought: Address) => {
    const dataOf = (signature: string, args: unknown) =>
      encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args: args as never })
    const params = { tokenIn: token, tokenOut: bought, fee: 500, recipient: pad('0x02', { size: 20 }) }
    const swapped = dataOf(
      'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 limit) params)',
      [{ ...params, amountIn: 1n, amountOutMinimum: 5_000n, limit: 0n }],
    )
    const unwrapped = dataOf('unwrapWETH9(uint256,address)', [5_000n, safeAddress])
    return known('multicall(bytes[])', [swapped, unwrapped])
  }
  const burnFor = (receiver: Address) =>
    known('depositForBurn(uint256,uint32,bytes32,address)', 1n, 2, pad(receiver, { size: 32 }), token)
  const forwarded = (to: Address) => ({
    ...known('aggregate3Value((address,bool,uint256,bytes)[])', [[to, false, 1n, '0x']]),
    value: 1n,
  })

  it('are asked for who may take item 0, whose bytes are those of an allowance that ends', async () => {
    const none = tokenCall('approve(address,uint256)', outsider.address, 0n)
    const said = (isCollection?: boolean) => ({
      tokens: [],
      collections: isCollection === undefined ? {} : { [token.toLowerCase()]: isCollection },
    })
    expect(await rulesOf(policy, none)).toEqual([])
    expect(await rulesOf(policy, none, said(false))).toEqual([])
    expect(await rulesOf(policy, none, said(true))).toEqual(other)
    expect(await rulesOf(policy, batch(none), said(true))).toEqual(other)
    // Nobody knows what it is.
    expect(await rulesOf(policy, none, said())).toEqual(other)
    const known = tokenCall('approve(address,uint256)', stranger, 0n)
    expect(await rulesOf(policy, known, said(true))).toEqual([])
    const nobody = tokenCall('approve(address,uint256)', zeroAddress, 0n)
    expect(await rulesOf(policy, nobody, said(true))).toEqual([])
  })

  it.each([
    ['a payment', { value: 1n }, []],
    ['a payment to another', { to: outsider.address, value: 1n }, ['recipient']],
    ['a token', pay(stranger, 1n), []],
    ['a token to another', pay(outsider.address, 1n), ['recipient']],
    ['one of a batch to another', batch(pay(stranger, 1n), pay(outsider.address, 1n)), ['recipient']],
    ['an allowance for another', tokenCall('approve(address,uint256)', outsider.address, 1n), ['recipient']],
    [
      'an item to another',
      tokenCall('safeTransferFrom(address,address,uint256)', safeAddress, outsider.address, 1n),
      ['recipient'],
    ],
    ['a call of an unknown contract', { to: outsider.address, data: '0xdeadbeef' as const }, ['recipient']],
    [
      'a debt of somebody else',
      known('repay(address,uint256,uint256,address)', token, 1n, 2n, outsider.address),
      other,
    ],
    ['a withdrawal to somebody else', known('withdraw(address,uint256)', outsider.address, 1n), other],
    ['a claim for somebody else on another chain', burnFor(outsider.address), other],
    ['ether to somebody else by way of a known one', forwarded(outsider.address), other],
    ['ether to a known one by way of a known one', forwarded(stranger), []],
    ['what a router keeps of another token', left(otherOwner), other],
    ['what a router keeps, unwrapped for the Safe', left(weth), []],
    ['votes for somebody else', known('delegate(address)', outsider.address), other],
    ['an order by its hash', known('setPreSignature(bytes,bool)', '0x1234', true), other],
    [
      'liquidity for a position of whomever',
      known('increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256))', [
        7n,
        5_000n,
        5_000n,
        4_000n,
        4_000n,
        1n,
      ]),
      other,
    ],
    ['an order no more', known('setPreSignature(bytes,bool)', '0x1234', false), []],
    [
      'a call of a known one for somebody else',
      { ...tokenCall('deposit(uint256,address)', 1n, outsider.address), to: stranger },
      ['recipient'],
    ],
    ['a swap by a known router', swap(safeAddress), []],
    ['a swap by a known router to another, named inside a tuple', swap(outsider.address), ['recipient']],
    ['a right by a signature for another, named inside a tuple', permit2(outsider.address), ['recipient']],
    ['unknown code as the Safe', { operation: 1 as const, data: '0xdeadbeef' as const }, ['recipient']],
    ['settings of the Safe', settings('enableModule', stranger), []],
  ] as const)('%s', async (_what, fields, rules) => {
    expect(await rulesOf(policy, fields)).toEqual(rules)
  })
})

describe('known recipients of a call that the registry describes, or an ABI', () => {
  const unstake = (receiver: Address) => ({ ...tokenCall('unstake(address)', receiver), to: stranger })
  const words = { intent: 'Unstake', owner: '', contractName: '', path: '', date: '', implementation: null }
  const described = [{ ...words, declaration: 'unstake(address receiver)', selector: '0xf2888dbb' as const }]
  const given = { descriptions: { [stranger.toLowerCase()]: described } }
  const policy = { recipientsOnly: true, recipients: [stranger] }
  const abis = [{ address: stranger, functions: parseGivenAbi(parseAbi(['function unstake(address receiver)'])) }]

  it('are those that its arguments name', async () => {
    expect(await rulesOf(policy, unstake(outsider.address), given)).toEqual(['recipient'])
    expect(await rulesOf(policy, unstake(safeAddress), given)).toEqual([])
    expect(await rulesOf(policy, unstake(outsider.address), { abis })).toEqual(['recipient'])
    expect(await rulesOf(policy, unstake(safeAddress), { abis })).toEqual([])
  })
})

describe('no delegatecall', () => {
  const unknown = { operation: 1 as const, data: '0xdeadbeef' as const }
  const entry = entryOf({ kind: 'delegatecall', address: stranger, codeHash: code, selector: '0xdeadbeef' })

  it('stops every code but batches and what is allowed by name', async () => {
    expect(await rulesOf({ noDelegatecall: true }, unknown)).toEqual(['delegatecall'])
    expect(await rulesOf({ noDelegatecall: true }, batch(pay(stranger, 1n)))).toEqual([])
    const inner = { ...batch({ to: stranger, ...unknown }), to: multiSend }
    expect(await rulesOf({ noDelegatecall: true }, inner)).toEqual(['delegatecall'])
    const allowing = { noDelegatecall: true, allowed: [entry] }
    expect(await rulesOf(allowing, unknown, { implementations: noProxy })).toEqual([])
    const other = { codes: { [stranger]: { codeHash: behind.codeHash, size: 2 } }, implementations: noProxy }
    expect(await rulesOf(allowing, unknown, other)).toEqual(['delegatecall'])
  })
})

describe('required reviewers', () => {
  const big = { reviewers: [{ reviewer: otherOwner, asset: token, above: 50n }] }
  const every = { reviewers: [{ reviewer: otherOwner, asset: null, above: 0n }] }
  const third = { ...state, owners: [account.address, outsider.address, otherOwner] }
  const confirmations = [{ owner: outsider.address, signature: '0x' as const }]

  it('are needed by the last confirmation, above their amount', async () => {
    expect(await rulesOf(big, pay(stranger, 51n), { state: third })).toEqual([])
    expect(await rulesOf(big, pay(stranger, 51n), { state: third, confirmations })).toEqual(['reviewer'])
    expect(await rulesOf(big, pay(stranger, 50n), { state: third, confirmations })).toEqual([])
    expect(await rulesOf(every, {}, { state: third, confirmations })).toEqual(['reviewer'])
    expect(await rulesOf(every, {}, { state: third, confirmations, account: otherOwner })).toEqual([])
    const withReviewer = [...confirmations, { owner: otherOwner, signature: '0x' as const }]
    expect(await rulesOf(every, {}, { state: third, confirmations: withReviewer })).toEqual([])
  })
})

describe('what restrictions never block', () => {
  const everything: Partial<TeamPolicy> = {
    amountLimits: [{ asset: zeroAddress, amount: 0n, period: 60 }],
    recipientsOnly: true,
    noDelegatecall: true,
    refundLimits: [{ asset: zeroAddress, amount: 0n }],
    reviewers: [{ reviewer: stranger, asset: null, above: 0n }],
  }
  const alone = { state: { ...state, threshold: 1 } }
  const remove = owners('removeOwner(address,address,uint256)', account.address, otherOwner, 1n)
  const swap = owners('swapOwner(address,address,address)', account.address, otherOwner, stranger)

  it.each([
    ['a cancellation', { to: safeAddress }],
    ['the removal of an owner', remove],
    ['the replacement of an owner', swap],
    ['both in a batch', batch(remove, swap)],
  ])('%s', async (_what, fields) => {
    expect(await rulesOf(everything, fields, alone)).toEqual([])
  })

  it.each([
    ['a cancellation that pays a refund', { to: safeAddress, gasPrice: 1n, safeTxGas: 1n }],
    ['a removal with a payment in the same batch', batch(remove, { to: stranger, value: 1n })],
    ['a removal in code that runs as the Safe', { ...remove, to: stranger, operation: 1 as const }],
    ['a removal in another Safe', { ...remove, to: stranger }],
    ['another owner', owners('addOwnerWithThreshold(address,uint256)', stranger, 1n)],
    ['an empty batch', batch()],
  ])('but %s', async (_what, fields) => {
    expect(await rulesOf(everything, fields, alone)).toContain('reviewer')
  })
})

describe('a policy that is not there', () => {
  const checkOf = async (policy: PolicyState | undefined) => {
    const review = await reviewSafeTx(inputOf({}, { policy }))
    return `${review.checks.find(({ id }) => id === 'policy')?.status} ${review.verdict} ${ids(review)}`
  }

  it.each([
    ['cancellation', { to: safeAddress }],
    ['replacement of an owner', owners('swapOwner(address,address,address)', account.address, otherOwner, stranger)],
  ])('blocks no %s, hidden or unread', async (_what, fields) => {
    const seen = { number: 2, hash: code, withdrawn: [], signers: [] }
    const hidden: PolicyState = { status: 'rolled-back', why: 'missing', seen, served: null }
    const plain = await reviewSafeTx(inputOf(fields))
    const unread = await reviewSafeTx(inputOf(fields, { policy: { status: 'unread' } }))
    const rolledBack = await reviewSafeTx(inputOf(fields, { policy: hidden }))
    expect([unread.verdict, rolledBack.verdict]).toEqual([plain.verdict, plain.verdict])
    expect(rolledBack.findings.find(({ id }) => id === 'POLICY-ROLLED-BACK')?.severity).toBe('medium')
    for (const { checks } of [unread, rolledBack]) expect(checks.map(({ id }) => id)).not.toContain('policy')
  })

  it('was never there: nothing is said; cannot be read: cannot be verified; was there: do not sign', async () => {
    expect(await checkOf(undefined)).toBe('undefined matches ')
    expect(await checkOf({ status: 'none' })).toBe('undefined matches ')
    expect(await checkOf({ status: 'unread' })).toBe('not-checked cannot-verify INPUT-MISSING')
    const seen = { number: 2, hash: code, withdrawn: [], signers: [] }
    expect(await checkOf({ status: 'rolled-back', why: 'missing', seen, served: null })).toBe(
      'failed do-not-sign POLICY-ROLLED-BACK',
    )
    expect(await checkOf(inForce(emptyPolicy))).toBe('passed matches ')
    const limited = inForce({ amountLimits: [{ asset: token, amount: 1n, period: 60 }] })
    expect(await checkOf(limited)).toBe('not-checked cannot-verify INPUT-MISSING')
  })
})
