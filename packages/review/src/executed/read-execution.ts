import { hashSafeTx, isSameAddress, type RpcRequest, type SafeTx } from '@countersign/safe'
import { decodeExecTransaction } from '@countersign/safe/calls'
import { type Address, concatHex, getAddress, type Hex, isHex, keccak256, recoverAddress, toHex, toRlp } from 'viem'
import { type Execution, executionOutcome, parseExecutionReceipt } from './execution-receipt.ts'

/** One release for each form of the hash. */
const RELEASES = ['1.4.1', '1.1.1', '0.1.0']

/**
 * Asks the chain whether the Safe executed a transaction, according to the Safe's log of its hash. On request it also recovers the
 * sender from the signature of the Ethereum transaction. An owner who executes without signing consents in this way.
 *
 * @returns `isExecuted` false where it failed, or the node knows nothing of it; `sender` null where it is not proved
 * @throws whatever `request` throws: then nothing is known
 * @example
 * const { isExecuted, sender } = await readExecution({ chainId, safeTx, safeAddress, safeTxHash, transactionHash }, true, request)
 */
export async function readExecution(
  { chainId, safeTx, ...execution }: Execution & { chainId: number; safeTx: SafeTx },
  isSenderAsked: boolean,
  request: RpcRequest,
): Promise<{ isExecuted: boolean; sender: Address | null }> {
  const { safeAddress, safeTxHash, transactionHash } = execution
  const ask = (method: string) => request({ method, params: [transactionHash] })
  // A node that does not answer has not said that nothing was executed.
  const [ofReceipt, ofSent] = await Promise.all([
    ask('eth_getTransactionReceipt'),
    isSenderAsked ? ask('eth_getTransactionByHash') : null,
  ])
  try {
    const receipt = parseExecutionReceipt(ofReceipt, execution)
    const sent = await readSent(ofSent).catch(() => null)
    const isExecuted = receipt !== null && executionOutcome(receipt.logs, { safeAddress, safeTxHash }) === 'success'
    if (!isExecuted || sent === null || !isSameAddress(sent.to, safeAddress)) return { isExecuted, sender: null }
    const called = decodeExecTransaction(sent.data)
    const fields = called && { ...called.safeTx, nonce: safeTx.nonce }
    const isIts = RELEASES.some(
      (version) => fields && hashSafeTx({ chainId, safeAddress, version, safeTx: fields }).safeTxHash === safeTxHash,
    )
    const isHere = sent.chainId === null || sent.chainId === BigInt(chainId)
    return { isExecuted, sender: isIts && isHere ? sent.from : null }
  } catch {
    return { isExecuted: false, sender: null }
  }
}

/** An Ethereum transaction with the sender recovered from its signature. `chainId` is null before EIP-155. */
type Sent = { from: Address; to: Address; data: Hex; chainId: bigint | null }

async function readSent(answer: unknown): Promise<Sent | null> {
  if (typeof answer !== 'object' || answer === null) return null
  const said = answer as Record<string, unknown>
  const word = (name: string) => {
    const value = said[name]
    if (!isHex(value)) throw new TypeError(name)
    return value
  }
  const number = (name: string) => BigInt(word(name))
  const quantities = (...names: string[]) => names.map((name) => quantity(number(name)))
  const body = [...quantities('gas'), word('to'), ...quantities('value'), word('input')]
  const type = said.type === undefined ? 0n : number('type')
  if (type > 2n) return null
  const isLegacy = type === 0n
  const v = isLegacy ? number('v') : 0n
  const isPlain = isLegacy && (v === 27n || v === 28n)
  const chainId = isPlain ? null : isLegacy ? (v - 35n) / 2n : number('chainId')
  const parity = isPlain ? v - 27n : isLegacy ? (v - 35n) % 2n : number('yParity' in said ? 'yParity' : 'v')
  const tail = isPlain
    ? []
    : isLegacy
      ? [quantity(chainId ?? 0n), '0x' as const, '0x' as const]
      : [accessList(said.accessList)]
  const fees = type === 2n ? ['maxPriorityFeePerGas', 'maxFeePerGas'] : ['gasPrice']
  const fields = [...(isLegacy ? [] : quantities('chainId')), ...quantities('nonce', ...fees), ...body, ...tail]
  const encoded = toRlp(fields)
  const hash = keccak256(isLegacy ? encoded : concatHex([toHex(type), encoded]))
  const words = [number('r'), number('s')].map((part) => toHex(part, { size: 32 }))
  const from = await recoverAddress({ hash, signature: concatHex([...words, toHex(27n + parity)]) })
  return { from, to: getAddress(word('to')), data: word('input'), chainId }
}

type AccessList = [Hex, Hex[]][]

function accessList(said: unknown): AccessList {
  if (!Array.isArray(said)) return []
  return said.map(({ address, storageKeys }: { address: Hex; storageKeys: Hex[] }) => [address, storageKeys])
}

/** Encodes a number for RLP, without leading zeros. */
function quantity(value: bigint): Hex {
  const digits = value === 0n ? '' : value.toString(16)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}
