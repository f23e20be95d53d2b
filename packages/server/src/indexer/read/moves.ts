import type { RpcRequest } from '@countersign/safe'
import type { Hex } from 'viem'
import { numberToHex } from 'viem'
import { z } from 'zod'
import type { Chain } from '../../rpc/clients.ts'
import { isDenied, isRefusal } from '../../rpc/errors.ts'
import { hexOr, lowerCase } from '../../rpc/logs.ts'

/** Native coin that went from one account to another, whether or not a log tells of it. */
export type Move = { transactionHash: Hex; transactionIndex: number; from: Hex; to: Hex; value: bigint }

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => lowerCase(`0x${text.slice(2)}`))
const number = hex.transform(Number)

const transaction = z.object({
  hash: hex,
  transactionIndex: number,
  from: hex,
  to: hex.nullish().transform((found) => found ?? null),
  value: hexOr('0x0'),
  input: hexOr('0x'),
})
const blockWithTransactions = z.object({ number, hash: hex, timestamp: number, transactions: z.array(transaction) })
export type BlockTransactions = z.output<typeof blockWithTransactions>

type Frame = {
  type: string
  from: Hex
  to?: Hex | undefined
  value?: Hex | undefined
  input?: Hex | undefined
  error?: string | undefined
  calls?: Frame[] | undefined
}
const frame: z.ZodType<Frame> = z.lazy(() =>
  z.object({
    type: z.string(),
    from: hex,
    to: hex.optional(),
    value: hex.optional(),
    input: hex.optional(),
    error: z.string().optional(),
    calls: z.array(frame).optional(),
  }),
)
const traces = z.array(z.object({ txHash: hex, result: frame }))

/** A block with its transactions. */
export async function readTransactions(request: RpcRequest, blockNumber: number): Promise<BlockTransactions> {
  const found = await request({ method: 'eth_getBlockByNumber', params: [numberToHex(blockNumber), true] })
  return blockWithTransactions.parse(found)
}

/**
 * Native coin that a block moved to or from an account: by traces where the node has them, else by the transactions that
 * call the account themselves.
 */
export async function readMoves(
  { request, ask }: Pick<Chain, 'request' | 'ask'>,
  block: BlockTransactions,
  account: Hex,
): Promise<Move[]> {
  // Alone: it may be long, and one that is too long is as good as none.
  const traced = await readTraces(ask, block.number)
  if (traced) {
    const indices = new Map(block.transactions.map(({ hash, transactionIndex }) => [hash, transactionIndex]))
    return traced.flatMap(({ txHash, result }) =>
      [...movesOf(result)]
        .filter(({ from, to }) => from === account || to === account)
        .map((move) => ({ ...move, transactionHash: txHash, transactionIndex: indices.get(txHash) ?? 0 })),
    )
  }
  const direct = block.transactions.filter(({ to, value }) => to === account && BigInt(value) > 0n)
  const successful = await Promise.all(direct.map(({ hash }) => isSuccessful(request, hash)))
  return direct
    .filter((_, at) => successful[at])
    .map(({ hash, transactionIndex, from, value }) => ({
      transactionHash: hash,
      transactionIndex,
      from,
      to: account,
      value: BigInt(value),
    }))
}

/** Null where the node does not trace. */
function readTraces(ask: RpcRequest, blockNumber: number): Promise<z.output<typeof traces> | null> {
  return trace(ask, { method: 'debug_traceBlockByNumber', params: [numberToHex(blockNumber)] }, traces)
}

/** A trace that cannot be read, or has a part that the node gave up, is as good as none. */
async function trace<shape extends z.ZodType>(
  ask: RpcRequest,
  { method, params }: { method: string; params: unknown[] },
  shape: shape,
): Promise<z.output<shape> | null> {
  try {
    const answer = await ask({ method, params: [...params, { tracer: 'callTracer' }] })
    return shape.safeParse(answer).data ?? null
  } catch (error) {
    if (isRefusal(error) || isDenied(error)) return null
    throw error
  }
}

/** Reads the calls of an account in an Ethereum transaction, at any depth; none where the node does not trace. */
export async function readInnerCalls(ask: RpcRequest, transactionHash: Hex, account: Hex): Promise<Hex[]> {
  const traced = await trace(ask, { method: 'debug_traceTransaction', params: [transactionHash] }, frame)
  return traced ? [...inputsOf(traced, account)] : []
}

/** Reads the calls of an account and their callers, in the order in which the calls ended. */
export async function readCallsInOrder(
  ask: RpcRequest,
  transactionHash: Hex,
  account: Hex,
): Promise<{ from: Hex; input: Hex }[]> {
  const traced = await trace(ask, { method: 'debug_traceTransaction', params: [transactionHash] }, frame)
  return traced ? [...callsOf(traced, account)] : []
}

function* callsOf({ type, from, to, input, error, calls }: Frame, account: Hex): Generator<{ from: Hex; input: Hex }> {
  if (error !== undefined) return
  for (const call of calls ?? []) yield* callsOf(call, account)
  if (type === 'CALL' && to === account && input !== undefined) yield { from, input }
}

/** Reads the calls of an account in a whole block, by Ethereum transaction. */
export async function readInnerCallsOfBlock(
  ask: RpcRequest,
  blockNumber: number,
  account: Hex,
): Promise<Map<Hex, Hex[]>> {
  const traced = (await readTraces(ask, blockNumber)) ?? []
  return new Map(traced.map(({ txHash, result }) => [txHash, [...inputsOf(result, account)]]))
}

function* inputsOf({ type, to, input, error, calls }: Frame, account: Hex): Generator<Hex> {
  if (error !== undefined) return
  if (type === 'CALL' && to === account && input !== undefined) yield input
  for (const call of calls ?? []) yield* inputsOf(call, account)
}

/**
 * A failed call moved nothing, nor did anything inside it. Code that runs as its caller brings the caller's value
 * again.
 */
function* movesOf({ type, from, to, value, error, calls }: Frame): Generator<Pick<Move, 'from' | 'to' | 'value'>> {
  if (error !== undefined) return
  const amount = value === undefined || value === '0x' ? 0n : BigInt(value)
  if (to !== undefined && amount > 0n && type !== 'DELEGATECALL' && type !== 'CALLCODE')
    yield { from, to, value: amount }
  for (const call of calls ?? []) yield* movesOf(call)
}

const receipt = z.object({ status: hex.optional() }).nullable()

/** Whether an Ethereum transaction was no failure as a whole. */
export async function isSuccessful(request: RpcRequest, hash: Hex): Promise<boolean> {
  const found = receipt.parse(await request({ method: 'eth_getTransactionReceipt', params: [hash] }))
  return found?.status === undefined || BigInt(found.status) === 1n
}
