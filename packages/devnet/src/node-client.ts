import { fail } from '@countersign/contract'
import { type Address, type Hex, hexToNumber, numberToHex } from 'viem'

type RpcAnswer = { id: number; result?: unknown; error?: { code: number; message: string; data?: unknown } }

/** Time limit for an answer of a local node. */
const ANSWER_MS = 30_000

type NodeRequest = { method: string; params?: unknown[] }

/** Sends one request and answers its result. */
export async function requestNode(rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> {
  const [result] = await requestNodeBatch(rpcUrl, [{ method, params }])
  return result
}

/**
 * Sends a batch and answers the results in order.
 *
 * @throws CountersignError `CHAIN_UNREACHABLE`, or `RPC_ERROR` for the first request that failed.
 */
export async function requestNodeBatch(rpcUrl: string, requests: NodeRequest[]): Promise<unknown[]> {
  if (requests.length === 0) return []
  let answers: RpcAnswer[]
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests.map(({ method, params = [] }, id) => ({ jsonrpc: '2.0', id, method, params }))),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    answers = (await response.json()) as RpcAnswer[]
  } catch (cause) {
    throw fail('CHAIN_UNREACHABLE', { reason: 'devnet-silent', rpcUrl }, cause)
  }
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return requests.map(({ method }, id) => {
    const answer = byId.get(id)
    if (answer && !answer.error) return answer.result
    throw fail('RPC_ERROR', {
      reason: 'refused',
      method,
      rpcMessage: answer?.error?.message ?? 'no answer',
      error: answer?.error,
    })
  })
}

export async function readCodes(rpcUrl: string, addresses: readonly Address[]): Promise<Hex[]> {
  const codes = await requestNodeBatch(
    rpcUrl,
    addresses.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  )
  return codes as Hex[]
}

export type Send = { to: Address; data?: Hex; value?: bigint; gas: bigint }

type Receipt = {
  transactionHash: Hex
  status: Hex
  blockNumber: Hex
  gasUsed: Hex
  logs: { address: Address; topics: Hex[]; data: Hex }[]
}

const turns = new Map<string, Promise<unknown>>()

/**
 * Sends transactions from one unlocked account, in order, and waits for their receipts.
 * Callers of one process take turns, because nonces are given explicitly.
 *
 * @throws CountersignError `EXECUTION_REVERTED` when one of them reverts.
 */
export function sendAll(rpcUrl: string, from: Address, sends: readonly Send[]): Promise<Receipt[]> {
  const turn = (turns.get(rpcUrl) ?? Promise.resolve()).catch(() => {}).then(() => sendNow(rpcUrl, from, sends))
  turns.set(rpcUrl, turn)
  return turn
}

async function sendNow(rpcUrl: string, from: Address, sends: readonly Send[]): Promise<Receipt[]> {
  const nonce = hexToNumber((await requestNode(rpcUrl, 'eth_getTransactionCount', from, 'pending')) as Hex)
  const receipts: Receipt[] = []
  // Anvil now and then loses a transaction that comes in while it mines another: mine only once all are in.
  await requestNode(rpcUrl, 'evm_setAutomine', false)
  try {
    for (const batch of fitBlocks(sends)) {
      const first = nonce + receipts.length
      const hashes = await requestNodeBatch(
        rpcUrl,
        batch.map(({ to, data = '0x', value = 0n, gas }, index) => ({
          method: 'eth_sendTransaction',
          params: [
            { from, to, data, value: numberToHex(value), gas: numberToHex(gas), nonce: numberToHex(first + index) },
          ],
        })),
      )
      await requestNode(rpcUrl, 'evm_mine')
      receipts.push(...(await waitForReceipts(rpcUrl, hashes as Hex[])))
    }
  } finally {
    await requestNode(rpcUrl, 'evm_setAutomine', true)
  }
  return receipts
}

const BLOCK_GAS = 28_000_000n

/** Splits into batches that fit one block each. */
function fitBlocks(sends: readonly Send[]): Send[][] {
  const batches: Send[][] = []
  let gas = BLOCK_GAS
  for (const send of sends) {
    gas += send.gas
    if (gas > BLOCK_GAS) {
      batches.push([])
      gas = send.gas
    }
    batches.at(-1)?.push(send)
  }
  return batches
}

export async function waitForReceipts(rpcUrl: string, hashes: readonly Hex[]): Promise<Receipt[]> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const receipts = await requestNodeBatch(
      rpcUrl,
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    if (receipts.every((receipt) => receipt !== null)) {
      const found = receipts as Receipt[]
      const reverted = found.find(({ status }) => status !== '0x1')
      if (!reverted) return found
      throw fail('EXECUTION_REVERTED', { reason: 'devnet', transactionHash: reverted.transactionHash })
    }
    if (Date.now() > deadline) throw fail('CHAIN_UNREACHABLE', { reason: 'devnet-stuck', rpcUrl })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
