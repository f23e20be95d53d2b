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
  const fields = fieldsOf(answer as Record<string, unknown>)
  const type = fields.has('type') ? fields.number('type') : 0n
  if (type > 2n) return null
  const { chainId, parity, signed } = type === 0n ? legacySigning(fields) : typedSigning(fields, type)
  const words = [fields.number('r'), fields.number('s')].map((part) => toHex(part, { size: 32 }))
  const signature = concatHex([...words, toHex(27n + parity)])
  const from = await recoverAddress({ hash: keccak256(signed), signature })
  return { from, to: getAddress(fields.word('to')), data: fields.word('input'), chainId }
}

type Fields = ReturnType<typeof fieldsOf>

/** Reads the fields of a transaction as a node gives them. One that is missing throws. */
function fieldsOf(said: Record<string, unknown>) {
  const has = (name: string) => said[name] !== undefined
  const word = (name: string): Hex => {
    const value = said[name]
    if (!isHex(value)) throw new TypeError(name)
    return value
  }
  const number = (name: string) => BigInt(word(name))
  const quantities = (...names: string[]) => names.map((name) => quantity(number(name)))
  /** Gas, recipient, value and calldata, which stand together in every type. */
  const call = () => [...quantities('gas'), word('to'), ...quantities('value'), word('input')]
  return { has, word, number, quantities, call, accessList: () => accessList(said.accessList) }
}

/** The parity of a signature and the bytes that it signs. `chainId` is null before EIP-155. */
type Signing = { chainId: bigint | null; parity: bigint; signed: Hex }

function legacySigning({ number, quantities, call }: Fields): Signing {
  const v = number('v')
  const body = [...quantities('nonce', 'gasPrice'), ...call()]
  if (v === 27n || v === 28n) return { chainId: null, parity: v - 27n, signed: toRlp(body) }
  const chainId = (v - 35n) / 2n
  return { chainId, parity: (v - 35n) % 2n, signed: toRlp([...body, quantity(chainId), '0x', '0x']) }
}

/** Transactions of EIP-2930 and EIP-1559. */
function typedSigning({ has, number, quantities, call, accessList }: Fields, type: bigint): Signing {
  const fees = type === 2n ? ['maxPriorityFeePerGas', 'maxFeePerGas'] : ['gasPrice']
  const body = [...quantities('chainId', 'nonce', ...fees), ...call(), accessList()]
  const signed = concatHex([toHex(type), toRlp(body)])
  return { chainId: number('chainId'), parity: number(has('yParity') ? 'yParity' : 'v'), signed }
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
