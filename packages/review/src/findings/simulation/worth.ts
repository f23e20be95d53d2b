import { isSameAddress, valueByPrice } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, getAddress } from 'viem'
import { functionName } from '../../call-arguments.ts'
import { twoDigits } from '../../effects/effects-by-run.ts'
import type { Amount } from '../../evidence-kinds.ts'
import type { Facts } from '../../facts/collect.ts'
import type { Given } from '../../given.ts'
import type { ReviewInput } from '../../input.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { describeTransaction } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { wrappedCoins } from '../../tokens/wrapped-coins.data.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'
import { executedRun } from './finished.ts'
import { transfersOf } from './transfers.ts'

/** A swap may lose so much of what is worth the same, in percent: fees, slippage, and a peg that is not exact. */
const PAR_PERCENT = 5n
/** By prices it may lose more: sources may differ by a tenth. */
const PRICE_PERCENT = 10n
/** Less than one of a currency, in hundredths, is not compared. */
const LEAST_VALUE = 100n
const COIN_DECIMALS = 18

/** Tokens that stand for the same, by their listed symbols. Shares whose worth grows are not among them. */
const kinds: readonly (readonly string[])[] = [
  [
    'USDC',
    'USDC.E',
    'USDBC',
    'USDT',
    'USDT.E',
    'USDT0',
    'USD₮0',
    'DAI',
    'WXDAI',
    'USDS',
    'LUSD',
    'GHO',
    'PYUSD',
    'TUSD',
    'BUSD',
    'USDP',
    'GUSD',
    'FDUSD',
    'CRVUSD',
    'USDE',
    'RLUSD',
    'DOLA',
    'FRXUSD',
  ],
  ['WETH', 'STETH', 'EETH', 'FRXETH', 'WETH.E'],
  ['WBTC', 'TBTC', 'CBBTC', 'BTCB', 'LBTC', 'RENBTC', 'BTC.B', 'FBTC'],
  ['EURC', 'EURS', 'EURE', 'EURA', 'AGEUR', 'EURCV', 'EURI'],
]

/**
 * Pools that take two assets so that both sides are worth the same: what is given at another price, whoever comes next takes.
 * Stable pools and ranges take any share of each.
 */
const pooling = /^addLiquidity(?:ETH)?$/
const exchanging = /swap|exchange|trade|buy|sell|fill|convert|settle|order|route/i
/** Assets that are given for a share, a position or a stay elsewhere come back by another call. */
const depositing = /liquidity|mint|join|deposit|stake|supply|zap|borrow|repay|lock/i
const depositingStep = /^(?:MINT_POSITION|INCREASE_LIQUIDITY|V4_POSITION_MANAGER_CALL|V3_POSITION_MANAGER_CALL)/

/** Amounts by lower-case address of the token, of coin by `native`; less than nothing leaves the Safe. */
type Flows = ReadonlyMap<string, bigint>
type Flow = readonly [asset: string, amount: bigint]
type Exchange = { call: Call; taken: Flow[]; brought: Flow[] }

/** Swaps that clearly lose in the run: of assets that stand for the same, or by prices, where the operator names sources. */
export function reviewWorth(root: Call, input: ReviewInput): Finding[] {
  const single = exchangesOf(root, input)
  const found = single.flatMap((exchange) => reviewExchange(exchange, input))
  const pooled = poolingsOf(root, input).flatMap((given) => reviewPool(given, input))
  // A swap may be spread over several calls: one gives the tokens, another takes what came of them.
  const all = found.length > 0 || single.length < 2 ? found : reviewExchange(together(single, input), input)
  return [...all, ...pooled]
}

/**
 * Two assets that a pool takes at a price far from that of the operator's sources. Of sides worth A and B, 2√AB is left once
 * others have traded with the pool.
 */
function reviewPool({ call, taken }: Exchange, input: ReviewInput): Finding[] {
  const { prices } = input
  const [one, other, ...more] = taken.map((flow) => ({ flow, worth: worthOf(flow, input) }))
  if (prices === undefined || one === undefined || other === undefined || more.length > 0) return []
  if (one.worth === null || other.worth === null) return []
  const whole = one.worth + other.worth
  const kept = 100n - PRICE_PERCENT
  if (whole < LEAST_VALUE || 4n * one.worth * other.worth * 100n ** 2n >= kept ** 2n * whole ** 2n) return []
  const [large, small] = one.worth > other.worth ? [one, other] : [other, one]
  const [asset, amount, worthAmount] = written(large.flow, large.worth ?? 0n, prices.currency)
  const [beside, besideAmount, worthBeside] = written(small.flow, small.worth ?? 0n, prices.currency)
  const evidence = { asset, amount, worthAmount, beside, besideAmount, worthBeside }
  return [callFinding(call, 'POOL-OFF-PRICE', 'high', { ...placeOf(call, input), ...evidence })]
}

/** In hundredths of the currency; null where nobody says what it costs. */
function worthOf([asset, amount]: Flow, input: ReviewInput): bigint | null {
  const price = input.prices?.ofAsset[asset]
  const decimals = decimalsOf(asset, input)
  return price === undefined || decimals === null ? null : valueByPrice(amount, decimals, price)
}

function reviewExchange(exchange: Exchange | null, input: ReviewInput): Finding[] {
  if (exchange === null || exchange.taken.length === 0 || exchange.brought.length === 0) return []
  return reviewPar(exchange, input) ?? reviewPrices(exchange, input)
}

/** Null where the assets are not all of one kind. What no list has is worth nothing beside them. */
function reviewPar({ call, taken, brought: all }: Exchange, input: ReviewInput): Finding[] | null {
  const brought = all.filter(([asset]) => decimalsOf(asset, input) !== null)
  const [kind, ...others] = new Set([...taken, ...brought].map(([asset]) => kindOf(asset, input)))
  if (kind === undefined || kind === null || others.length > 0) return null
  const sum = (flows: readonly Flow[]) =>
    flows.reduce((total, [asset, amount]) => total + wholeOf(asset, amount, input), 0n)
  const [given, come] = [sum(taken), sum(brought)]
  if (come * 100n >= given * (100n - PAR_PERCENT)) return []
  return [callFinding(call, 'SWAP-BELOW-PAR', 'high', { ...placeOf(call, input), ...amountsOf(taken, brought) })]
}

/** Assets that leave without a price are counted as nothing; those that come without one may be worth anything. */
function reviewPrices({ call, taken, brought }: Exchange, input: ReviewInput): Finding[] {
  const { prices } = input
  if (prices === undefined) return []
  const worth = (flow: Flow) => worthOf(flow, input)
  const come = brought.filter(([asset]) => decimalsOf(asset, input) !== null)
  const values = come.map(worth)
  if (come.length === 0 || values.includes(null)) return []
  const total = (all: readonly (bigint | null)[]) => all.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
  const ofTaken = taken.filter((flow) => worth(flow) !== null)
  const [worthTaken, worthBrought] = [total(ofTaken.map(worth)), total(values)]
  if (worthTaken < LEAST_VALUE || worthBrought * 100n >= worthTaken * (100n - PRICE_PERCENT)) return []
  const byWorth = (one: Flow, other: Flow) => Number((worth(other) ?? 0n) - (worth(one) ?? 0n))
  const evidence = {
    ...placeOf(call, input),
    ...amountsOf(ofTaken.toSorted(byWorth), come.toSorted(byWorth)),
    worthTaken: valueText(worthTaken, prices.currency),
    worthBrought: valueText(worthBrought, prices.currency),
  }
  return [callFinding(call, 'SWAP-WORTH-LESS', 'high', evidence)]
}

/** The function, and the account that swaps where it is not the Safe. */
function placeOf(call: Call, { safeAddress }: Pick<ReviewInput, 'safeAddress'>) {
  return { function: functionName(call), account: isSameAddress(call.from, safeAddress) ? undefined : call.from }
}

/** The first of what leaves and of what comes. */
function amountsOf([taken]: readonly Flow[], [brought]: readonly Flow[]) {
  if (taken === undefined || brought === undefined) return {}
  return {
    asset: nameOfAsset(taken),
    amount: amountWritten(taken),
    bought: nameOfAsset(brought),
    received: amountWritten(brought),
  }
}

function nameOfAsset([asset]: Flow): string {
  return asset === 'native' ? asset : getAddress(asset)
}

/** To two digits: a price that moves a little asks for nothing again. */
function amountWritten(flow: Flow): Amount {
  return { value: twoDigits(flow[1]), asset: nameOfAsset(flow) }
}

/** The asset, its amount and its worth as evidence. */
function written(flow: Flow, worth: bigint, currency: string) {
  return [nameOfAsset(flow), amountWritten(flow), valueText(worth, currency)] as const
}

function valueText(hundredths: bigint, currency: string): string {
  const rounded = twoDigits(hundredths)
  return `${rounded / 100n}.${String(rounded % 100n).padStart(2, '0')} ${currency}`
}

/**
 * The assets that exchanges of a transaction take and bring, and that pools take, by its run: prices of these are compared.
 *
 * @example
 * assetsExchanged(given, facts) // ['native', '0xa0b8…'] for a swap; [] for a payment
 */
export function assetsExchanged(
  given: Given,
  facts: Pick<Facts, 'simulation' | 'descriptions' | 'implementations'>,
): ('native' | Address)[] {
  if (given.kind !== 'transaction' || executedRun(facts) === null) return []
  const input: ReviewInput = { ...given, ...facts }
  const root = describeTransaction(input)
  const exchanges = exchangesOf(root, input).flatMap(({ taken, brought }) => [...taken, ...brought])
  const pooled = poolingsOf(root, input).flatMap(({ taken }) => taken)
  const assets = new Set(
    [...exchanges, ...pooled].map(([asset]) => asset).filter((asset) => decimalsOf(asset, input) !== null),
  )
  return [...assets].map((asset) => (asset === 'native' ? asset : getAddress(asset)))
}

/** Calls that exchange, with what each takes and brings. */
function exchangesOf(root: Call, input: ReviewInput): Exchange[] {
  return flowsByCall(root, input, isExchange).map(({ call, flows }) => exchangeOf(call, flows))
}

function poolingsOf(root: Call, input: ReviewInput): Exchange[] {
  return flowsByCall(root, input, isPooling).map(({ call, flows }) => exchangeOf(call, flows))
}

function isPooling(call: Call): boolean {
  return call.source === 'built-in' && call.name !== null && pooling.test(functionName(call))
}

function together(exchanges: readonly Exchange[], { safeAddress }: ReviewInput): Exchange | null {
  const own = exchanges.filter(({ call }) => isSameAddress(call.from, safeAddress))
  const [first] = own
  if (first === undefined) return null
  const sums = new Map<string, bigint>()
  const add = (asset: string, amount: bigint) => sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  for (const { taken, brought } of own) {
    for (const [asset, amount] of taken) add(asset, -amount)
    for (const [asset, amount] of brought) add(asset, amount)
  }
  return exchangeOf(first.call, sums)
}

function exchangeOf(call: Call, flows: Flows): Exchange {
  return {
    call,
    taken: [...flows].filter(([, amount]) => amount < 0n).map(([asset, amount]): Flow => [asset, -amount]),
    brought: [...flows].filter(([, amount]) => amount > 0n),
  }
}

function isExchange(call: Call): boolean {
  const inner = flattenCalls(call)
  if (inner.some(({ commands = [] }) => commands.some(({ name }) => depositingStep.test(name)))) return false
  if (inner.some((one) => one.name !== null && depositing.test(functionName(one)))) return false
  return inner.some((one) => one.family === 'swap' || one.name === null || exchanging.test(functionName(one)))
}

/** The outermost calls by the Safe, and by accounts that act as it tells them to, with what each moves of who makes it. */
function flowsByCall(
  root: Call,
  input: ReviewInput,
  isWanted: (call: Call) => boolean,
): { call: Call; flows: Flows }[] {
  const run = executedRun(input)
  if (run === null || run.outcome.kind !== 'success') return []
  // A payment or an allowance exchanges nothing: there can be hundreds.
  const exchanges = outermostCalls(root).filter((call) => call.kind === 'unknown' && isWanted(call))
  if (exchanges.length === 0) return []
  const senders = new Set(exchanges.map(({ from }) => from.toLowerCase()))
  // Calls that routers make inside would be looked through for each swap of a batch anew.
  const made = callsOf(run.call).filter(({ from }) => senders.has(from.toLowerCase()))
  return exchanges.flatMap((call) => {
    const at = made.findIndex((one) => isSameCall(one, call))
    const [found] = at === -1 ? [] : made.splice(at, 1)
    return found === undefined ? [] : [{ call, flows: flowsOf(call.from, found) }]
  })
}

/** Calls that no other call by the same account is around: another Safe, or a timelock, makes those inside by itself. */
function outermostCalls(call: Call): Call[] {
  const inner = call.calls ?? []
  if (call.operation !== 0) return inner.flatMap(outermostCalls)
  return [call, ...inner.filter(({ from }) => !isSameAddress(from, call.from)).flatMap(outermostCalls)]
}

function callsOf(call: SimulatedCall): SimulatedCall[] {
  if (call.failure !== null) return []
  const inner = call.calls.flatMap(callsOf)
  return call.operation === 'call' ? [call, ...inner] : inner
}

/** Long inputs of a run are cut. */
function isSameCall({ from, to, input, value }: SimulatedCall, call: Call): boolean {
  if (!isSameAddress(from, call.from)) return false
  return isSameAddress(to, call.to) && value === call.value && call.data.toLowerCase().startsWith(input.toLowerCase())
}

function flowsOf(account: Address, root: SimulatedCall): Flows {
  const flows = new Map<string, bigint>()
  const add = (asset: string, amount: bigint) => flows.set(asset, (flows.get(asset) ?? 0n) + amount)
  for (const { token, from, to, amount } of transfersOf(root, Number.POSITIVE_INFINITY)) {
    if (isSameAddress(from, account)) add(token.toLowerCase(), -amount)
    if (isSameAddress(to, account)) add(token.toLowerCase(), amount)
  }
  const visit = ({ failure, operation, from, to, value, calls }: SimulatedCall) => {
    if (failure !== null) return
    if (operation === 'call' && value > 0n && isSameAddress(from, account)) add('native', -value)
    if (operation === 'call' && value > 0n && isSameAddress(to, account)) add('native', value)
    calls.forEach(visit)
  }
  visit(root)
  return flows
}

/** Null of a token that no list has. */
function decimalsOf(asset: string, { tokens }: Pick<ReviewInput, 'tokens'>): number | null {
  return asset === 'native' ? COIN_DECIMALS : (listedToken(tokens, asset)?.decimals ?? null)
}

/** An amount in units of 10^-18. */
function wholeOf(asset: string, amount: bigint, input: ReviewInput): bigint {
  const decimals = decimalsOf(asset, input) ?? COIN_DECIMALS
  return (amount * 10n ** BigInt(COIN_DECIMALS)) / 10n ** BigInt(Math.min(decimals, 77))
}

/** The thing that an asset stands for: the chain's coin, or one of the kinds; null where nothing says it. */
function kindOf(asset: string, { chainId, tokens }: ReviewInput): string | null {
  const wrapped = wrappedCoins[chainId]
  const coin = wrapped && listedToken(tokens, wrapped)
  // Where the coin is a dollar or an ether itself, so is its wrapped form.
  const isCoin = asset === 'native' || (wrapped !== undefined && isSameAddress(wrapped, asset))
  const symbol = isCoin ? coin?.symbol : listedToken(tokens, asset)?.symbol
  const kind = symbol === undefined ? undefined : kinds.find((symbols) => symbols.includes(symbol.toUpperCase()))
  return kind?.[0] ?? (isCoin ? 'coin' : null)
}
