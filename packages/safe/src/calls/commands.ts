import { type Address, type Hex, size, slice } from 'viem'
import type { DecodedValue } from '../abi/abi-decode.ts'
import { decodeParameters } from '../abi/abi-decode.ts'
import { type AbiSignature, parseAbiSignature } from '../abi/abi-type.ts'
import { CountersignError } from '../error.ts'
import { isSameAddress } from '../same-address.ts'
import { type CallArgument, describeArgument } from './call-argument.ts'
import type { KnownFunction } from './functions.ts'

/** One step of a contract that takes its orders as coded bytes: no call of its own, but read as one. */
export type Command = {
  /** As the protocol calls it: `V3_SWAP_EXACT_IN`. */
  name: string
  args: CallArgument[]
  /** The contract goes on although this step fails. */
  mayFail: boolean
}

/** Commands of one call. `unread`: at least one of them is not known, or does not read exactly. */
export type Commands = { commands: Command[]; isWhole: boolean }

const MAX_COMMANDS = 200
const MAX_DEPTH = 4

const permitDetails = '(address token, uint160 amount, uint48 expiration, uint48 nonce)'
/** Uniswap Universal Router 1.2 and 2.0, by code. Names of parameters mean what they mean in `protocolFunctions`. */
const routerCommands: Record<number, string> = {
  0: 'V3_SWAP_EXACT_IN(address receiver, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser)',
  1: 'V3_SWAP_EXACT_OUT(address receiver, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser)',
  2: 'PERMIT2_TRANSFER_FROM(address token, address receiver, uint160 amount)',
  3: `PERMIT2_PERMIT_BATCH((${permitDetails}[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)`,
  4: 'SWEEP(address token, address receiver, uint256 amountMin)',
  5: 'TRANSFER(address token, address receiver, uint256 amount)',
  6: 'PAY_PORTION(address token, address receiver, uint256 bips)',
  8: 'V2_SWAP_EXACT_IN(address receiver, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser)',
  9: 'V2_SWAP_EXACT_OUT(address receiver, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser)',
  10: `PERMIT2_PERMIT((${permitDetails} details, address spender, uint256 sigDeadline) permitSingle, bytes signature)`,
  11: 'WRAP_ETH(address receiver, uint256 amount)',
  12: 'UNWRAP_WETH(address receiver, uint256 amountMin)',
  13: 'PERMIT2_TRANSFER_FROM_BATCH((address from, address receiver, uint160 amount, address token)[] details)',
  14: 'BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)',
  16: 'V4_SWAP(bytes commands, bytes[] inputs)',
  33: 'EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)',
}

const poolKey = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)'
const pathKey = '(address intermediateCurrency, uint24 fee, int24 tickSpacing, address hooks, bytes hookData)'
/** Actions of Uniswap 4 inside `V4_SWAP`. */
const poolActions: Record<number, string> = {
  6: `SWAP_EXACT_IN_SINGLE((${poolKey} poolKey, bool zeroForOne, uint128 amountIn, uint128 amountOutMin, bytes hookData) swap)`,
  7: `SWAP_EXACT_IN((address currencyIn, ${pathKey}[] path, uint128 amountIn, uint128 amountOutMin) swap)`,
  8: `SWAP_EXACT_OUT_SINGLE((${poolKey} poolKey, bool zeroForOne, uint128 amountOut, uint128 amountInMax, bytes hookData) swap)`,
  9: `SWAP_EXACT_OUT((address currencyOut, ${pathKey}[] path, uint128 amountOut, uint128 amountInMax) swap)`,
  11: 'SETTLE(address token, uint256 amount, bool payerIsUser)',
  12: 'SETTLE_ALL(address token, uint256 amountMax)',
  14: 'TAKE(address token, address receiver, uint256 amount)',
  15: 'TAKE_ALL(address token, uint256 amountMin)',
  16: 'TAKE_PORTION(address token, address receiver, uint256 bips)',
}

/** Actions of Uniswap 4's positions, by code. */
const positionActions: Record<number, string> = {
  0: 'INCREASE_LIQUIDITY(uint256 tokenId, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, bytes hookData)',
  1: 'DECREASE_LIQUIDITY(uint256 tokenId, uint256 liquidity, uint128 amount0Min, uint128 amount1Min, bytes hookData)',
  2: `MINT_POSITION(${poolKey} poolKey, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address receiver, bytes hookData)`,
  3: 'BURN_POSITION(uint256 tokenId, uint128 amount0Min, uint128 amount1Min, bytes hookData)',
  11: 'SETTLE(address token, uint256 amount, bool payerIsUser)',
  13: 'SETTLE_PAIR(address currency0, address currency1)',
  14: 'TAKE(address token, address receiver, uint256 amount)',
  17: 'TAKE_PAIR(address currency0, address currency1, address receiver)',
  18: 'CLOSE_CURRENCY(address currency)',
  19: 'CLEAR_OR_TAKE(address currency, uint256 amountForgone)',
  20: 'SWEEP(address token, address receiver)',
  21: 'WRAP(uint256 amount)',
  22: 'UNWRAP(uint256 amount)',
}
/** Steps that are plans themselves, and the table of each. */
const innerPlans: Record<string, Record<number, string>> = { V4_SWAP: poolActions, EXECUTE_SUB_PLAN: routerCommands }
const UNLOCK_DATA = 'unlockData(bytes commands, bytes[] inputs)'

/** CoW Protocol's handler of orders in equal parts over time. */
const TWAP: Address = '0x6cF1e9cA41f7611dEf408122793c358a3d11E5a5'
const TWAP_ORDER =
  'TWAP(address sellToken, address buyToken, address receiver, uint256 partSellAmount, uint256 minPartLimit, uint256 startTime, uint256 parts, uint256 interval, uint256 span, bytes32 appData)'

const signatures = new Map<string, AbiSignature>()

function signatureOf(text: string): AbiSignature {
  const known = signatures.get(text) ?? parseAbiSignature(text)
  signatures.set(text, known)
  return known
}

/**
 * The commands that the arguments of a call are made of.
 *
 * @returns null for a function that has none
 */
export function commandsOf(called: KnownFunction, values: readonly DecodedValue[]): Commands | null {
  switch (called.signature) {
    case 'execute(bytes,bytes[])':
    case 'execute(bytes,bytes[],uint256)':
      return decodePlan(values, routerCommands, 0)
    case 'modifyLiquidities(bytes,uint256)':
      return decodeUnlockData(values)
    case 'create((address,bytes32,bytes),bool)':
    case 'createWithContext((address,bytes32,bytes),address,bytes,bool)':
      return decodeOrder(values)
    default:
      return null
  }
}

function decodeUnlockData([unlockData]: readonly DecodedValue[]): Commands {
  const read = unlockData?.kind === 'bytes' ? decodeInput(UNLOCK_DATA, unlockData.value) : null
  return read === null ? { commands: [], isWhole: false } : decodePlan(read, positionActions, 1)
}

function decodePlan(values: readonly DecodedValue[], table: Record<number, string>, depth: number): Commands {
  const [codes, inputs] = values
  if (codes?.kind !== 'bytes' || inputs?.kind !== 'list') return { commands: [], isWhole: false }
  const count = size(codes.value)
  const isSound = count === inputs.value.length && count <= MAX_COMMANDS && depth < MAX_DEPTH
  if (!isSound) return { commands: [], isWhole: false }
  const commands: Command[] = []
  let isWhole = true
  for (const [index, input] of inputs.value.entries()) {
    const step = decodeStep(Number(slice(codes.value, index, index + 1)), input, table, depth)
    isWhole &&= step.isWhole
    commands.push(...step.commands)
    if (commands.length > MAX_COMMANDS) return { commands: commands.slice(0, MAX_COMMANDS), isWhole: false }
  }
  return { commands, isWhole }
}

/** One step of a plan, or those of the plan inside it. The highest bit of a router's code says that the step may fail. */
function decodeStep(byte: number, input: DecodedValue, table: Record<number, string>, depth: number): Commands {
  const isRouter = table === routerCommands
  const text = table[isRouter ? byte & 0x7f : byte]
  const mayFail = isRouter && byte >= 0x80
  const read = text === undefined || input.kind !== 'bytes' ? null : decodeInput(text, input.value)
  if (text === undefined || read === null)
    return { commands: [{ name: `0x${byte.toString(16).padStart(2, '0')}`, args: [], mayFail }], isWhole: false }
  const { name } = signatureOf(text)
  const innerTable = innerPlans[name]
  if (innerTable === undefined)
    return { commands: [{ name, args: read.map(describeArgument), mayFail }], isWhole: true }
  const inner = decodePlan(read, innerTable, depth + 1)
  return { ...inner, commands: inner.commands.map((command) => ({ ...command, mayFail: command.mayFail || mayFail })) }
}

/** An order whose handler is not known can be any: then code that nobody read decides what is sold for what. */
function decodeOrder(values: readonly DecodedValue[]): Commands {
  const params = values[0]
  const [handler, , input] = params?.kind === 'tuple' ? params.value : []
  if (handler?.kind !== 'address' || input?.kind !== 'bytes' || !isSameAddress(handler.value, TWAP))
    return { commands: [], isWhole: false }
  const read = decodeInput(TWAP_ORDER, input.value)
  if (read === null) return { commands: [], isWhole: false }
  return { commands: [{ name: 'TWAP', args: read.map(describeArgument), mayFail: false }], isWhole: true }
}

/** Only what encodes to exactly these bytes counts as read. */
function decodeInput(text: string, input: Hex): DecodedValue[] | null {
  try {
    const decoded = decodeParameters(signatureOf(text).inputs, input)
    return decoded.isExact ? decoded.values : null
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}
