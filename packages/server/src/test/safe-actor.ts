import { demoAccounts } from '@countersign/devnet'
import { encodeExecTransaction, encodeSignatures, type SafeTx } from '@countersign/safe-core'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { signedTx } from './test-server.ts'

const [alice] = demoAccounts
const sender = demoAccounts[8].address

export const settingsAbi = parseAbi([
  'function nonce() view returns (uint256)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function removeOwner(address prevOwner, address owner, uint256 threshold)',
  'function changeThreshold(uint256 threshold)',
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function setFallbackHandler(address handler)',
  'function approveHash(bytes32 hash)',
  'function signMessage(bytes message)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
])

/** Does things on a chain past the product: with the node's unlocked accounts, and a Safe that alice alone owns. */
export function createActor(rpcUrl: string) {
  let id = 0

  async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
    id += 1
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
    const answer: { result?: unknown; error?: { message: string } } = JSON.parse(await response.text())
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  /** Sends and waits until it is in a block. */
  async function send(call: { to: Address; data?: Hex; value?: bigint; from?: Address }): Promise<Hex> {
    const hash = await rpc('eth_sendTransaction', {
      from: sender,
      gas: numberToHex(3_000_000),
      ...call,
      value: numberToHex(call.value ?? 0n),
    })
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const receipt = await rpc('eth_getTransactionReceipt', hash)
      if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) {
        if (receipt.status !== '0x1') throw new Error(`The transaction ${hash} reverted`)
        return `0x${String(hash).slice(2)}`
      }
    }
    throw new Error(`The transaction ${hash} was not mined`)
  }

  async function nonceOf(safeAddress: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'nonce' })
    return BigInt(String(await rpc('eth_call', { to: safeAddress, data }, 'latest')))
  }

  async function execute(
    safeAddress: Address,
    fields: Partial<SafeTx>,
    version = '1.4.1',
  ): Promise<{ safeTxHash: Hex; transactionHash: Hex }> {
    const nonce = await nonceOf(safeAddress)
    const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice, { ...fields, nonce }, { version })
    const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
    return { safeTxHash, transactionHash: await send({ to: safeAddress, data }) }
  }

  return { rpc, send, execute, nonceOf }
}

export type Actor = ReturnType<typeof createActor>
