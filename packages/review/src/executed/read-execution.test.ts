import { encodeApprovedHash, hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  parseTransaction,
  toEventSelector,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { readExecution } from './read-execution.ts'

const [alice, bob, mallory] = [1, 2, 3].map((key) => privateKeyToAccount(pad(numberToHex(key))))
if (!alice || !bob || !mallory) throw new Error('accounts')
const safeAddress: Address = '0x5afe000000000000000000000000000000005afe'
const otherSafe: Address = '0x5afe000000000000000000000000000000005aff'
const payee = getAddress('0xb0b0000000000000000000000000000000000001')
const second = getAddress('0xb0b0000000000000000000000000000000000002')
const transactionHash: Hex = `0x${'77'.repeat(32)}`
const at = { chainId: 1, safeAddress }

const pays = newSafeTx({ to: payee, value: 5n, nonce: 7n })

type Change = {
  safeTx?: SafeTx
  version?: string
  /** Where owners signed, and where the receipt says that it was executed. */
  signedFor?: { chainId: number; safeAddress: Address }
  signers?: readonly (typeof alice)[]
  signatures?: Hex
  log?: { address?: Address; event?: 'ExecutionSuccess' | 'ExecutionFailure'; hash?: Hex } | null
  receipt?: null
  /** Ethereum transaction that carried it. */
  sent?: { by: typeof alice; to?: Address; data?: Hex; chainId?: number; type?: 'legacy' | 'eip1559'; claim?: Address }
}

async function toldOf(change: Change): Promise<{
  told: { safeTx: SafeTx; safeTxHash: Hex; signatures: Hex; transactionHash: Hex }
  request: (asked: { method: string }) => Promise<unknown>
}> {
  const { safeTx = pays, version = '1.4.1', signedFor = at, signers = [alice, bob] } = change
  const { safeTxHash } = hashSafeTx({ ...at, version, safeTx })
  const typed = safeTxTypedData({ ...signedFor, version, safeTx })
  const signed = await Promise.all(signers.map((signer) => (signer as NonNullable<typeof alice>).signTypedData(typed)))
  const signatures = change.signatures ?? concatHex(signed)
  const { address = safeAddress, event = 'ExecutionSuccess', hash = safeTxHash } = change.log ?? {}
  const logged = {
    address,
    topics: [toEventSelector(`${event}(bytes32,uint256)`)],
    data: encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [hash, 0n]),
  }
  const { sent } = change
  const receipt = {
    transactionHash,
    blockHash: `0x${'11'.repeat(32)}`,
    blockNumber: '0x5',
    transactionIndex: '0x0',
    from: sent?.claim ?? sent?.by?.address ?? mallory?.address,
    to: sent === undefined ? mallory?.address : (sent.to ?? safeAddress),
    status: '0x1',
    logs: change.log === null ? [] : [logged],
  }
  const transaction = sent && (await transactionOf(sent, encodeExecTransaction(safeTx, signatures)))
  const request = async ({ method }: { method: string }) =>
    method === 'eth_getTransactionReceipt' ? (change.receipt === null ? null : receipt) : (transaction ?? null)
  return { told: { safeTxHash, safeTx, signatures, transactionHash }, request }
}

async function transactionOf(
  { by, to = safeAddress, data, chainId = 1, type = 'eip1559', claim }: NonNullable<Change['sent']>,
  call: Hex,
) {
  const fees =
    type === 'legacy'
      ? ({ type, gasPrice: 9n } as const)
      : ({ type, maxFeePerGas: 9n, maxPriorityFeePerGas: 0n } as const)
  const raw = await by?.signTransaction({ ...fees, chainId, to, data: data ?? call, gas: 100n, nonce: 3 })
  const { r, s, v, yParity } = parseTransaction(raw as Hex)
  const isLegacy = type === 'legacy'
  return {
    type: isLegacy ? '0x0' : '0x2',
    chainId: numberToHex(chainId),
    nonce: '0x3',
    gas: '0x64',
    to,
    value: '0x0',
    input: data ?? call,
    accessList: [],
    from: claim ?? by?.address,
    r,
    s,
    ...(isLegacy
      ? { gasPrice: '0x9', v: numberToHex(v ?? 0n) }
      : { maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x0', yParity: numberToHex(yParity ?? 0) }),
  }
}

async function read(change: Change) {
  const { told, request } = await toldOf(change)
  return readExecution({ ...at, ...told }, true, request)
}

const consent = encodeApprovedHash(alice.address)

describe('readExecution', () => {
  test.each<[string, Change]>([
    ['with a fee of its time', { sent: { by: alice } }],
    ['priced as of old', { sent: { by: alice, type: 'legacy' } }],
  ])('default: that the Safe executed it, and who sent it, %s', async (_, change) => {
    expect(await read({ signatures: consent, ...change })).toEqual({ isExecuted: true, sender: alice.address })
  })

  test.each<[string, Change, Address?]>([
    [
      'another sent it, and the node says it was the owner',
      { sent: { by: mallory, claim: alice.address } },
      mallory.address,
    ],
    ['the owner sent it to another contract', { sent: { by: alice, to: otherSafe } }],
    ['the owner sent it on another chain', { sent: { by: alice, chainId: 5 } }],
    [
      'the owner sent other fields',
      { sent: { by: alice, data: encodeExecTransaction({ ...pays, to: second }, consent) } },
    ],
    ['the owner sent no execution', { sent: { by: alice, data: '0x12345678' } }],
    ['the node has no such transaction', {}],
  ])('behavior: no owner is the sender where %s', async (_, change, sender) => {
    expect(await read({ signatures: consent, ...change })).toEqual({ isExecuted: true, sender: sender ?? null })
  })

  test.each<[string, Change]>([
    ['without a receipt', { receipt: null }],
    ['without a log of the Safe', { log: null }],
    ['by a log of another contract', { log: { address: mallory.address } }],
    ['by a log of another hash', { log: { hash: zeroHash } }],
    ['that failed', { log: { event: 'ExecutionFailure' } }],
  ])('behavior: nothing was executed %s', async (_, change) => {
    expect(await read({ sent: { by: alice }, ...change })).toEqual({ isExecuted: false, sender: null })
  })

  test('behavior: nothing was executed by a receipt that cannot be read', async () => {
    const { told } = await toldOf({})
    expect(await readExecution({ ...at, ...told }, false, async () => ({ logs: [] }))).toEqual({
      isExecuted: false,
      sender: null,
    })
  })

  test.each(['eth_getTransactionReceipt', 'eth_getTransactionByHash'])(
    'error: whatever the node refuses to answer, of %s: nothing is known',
    async (refused) => {
      const { told, request } = await toldOf({ sent: { by: alice } })
      const ask = (question: { method: string }) =>
        question.method === refused ? Promise.reject(new Error('too many requests')) : request(question)
      await expect(readExecution({ ...at, ...told }, true, ask)).rejects.toThrow('too many requests')
    },
  )

  test('behavior: nobody asks for the sender where signatures do', async () => {
    const { told, request } = await toldOf({})
    const asked: string[] = []
    const ask = (question: { method: string }) => {
      asked.push(question.method)
      return request(question)
    }
    expect(await readExecution({ ...at, ...told }, false, ask)).toEqual({ isExecuted: true, sender: null })
    expect(asked).toEqual(['eth_getTransactionReceipt'])
  })
})
