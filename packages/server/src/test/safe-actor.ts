import { demoAccounts } from '@countersign/devnet'
import { encodeSignatures, type SafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi, parseGwei } from 'viem'
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

type Sent = { to: Address; data?: Hex; value?: bigint; from?: Address; feeCaps?: FeeCaps }
/** Fee caps of a transaction with a priority fee, in wei; without them, it has one price for gas. */
type FeeCaps = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Does things on a chain past the product: with the node's unlocked accounts, and a Safe that alice alone owns. */
export function createActor(rpcUrl: string) {
  let id = 0

  async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
    id += 1
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(30_000),
    })
    const answer: { result?: unknown; error?: { message: string } } = JSON.parse(await response.text())
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  /**
   * Sends and waits until it is in a block. Anvil now and then loses what comes in while it mines, most of all after a
   * reorganisation: then the very same is sent again, which does nothing where it was only late.
   */
  async function send({ from = sender, to, data = '0x', value = 0n, feeCaps }: Sent): Promise<Hex> {
    const nonce = await rpc('eth_getTransactionCount', from, 'latest')
    const price = feeCaps
      ? {
          maxFeePerGas: numberToHex(feeCaps.maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(feeCaps.maxPriorityFeePerGas),
        }
      : { gasPrice: numberToHex(parseGwei('3')) }
    const fees = { gas: numberToHex(3_000_000), ...price }
    const transaction = { from, to, data, value: numberToHex(value), nonce, ...fees }
    const hash = `0x${String(await rpc('eth_sendTransaction', transaction)).slice(2)}` as const
    for (let look = 1; look < 20_000; look += 1) {
      const receipt = await rpc('eth_getTransactionReceipt', hash)
      if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) {
        if (receipt.status !== '0x1') throw new Error(`The transaction ${hash} reverted`)
        return hash
      }
      if (look % 25 === 0) await rpc('eth_sendTransaction', transaction).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, 5))
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

  /** Goes back to a snapshot. What anvil kept in its pool would take the place of what is sent from now on. */
  async function revert(snapshot: unknown): Promise<void> {
    await rpc('evm_revert', snapshot)
    await rpc('anvil_dropAllTransactions')
  }

  return { rpc, send, execute, nonceOf, revert }
}

export type Actor = ReturnType<typeof createActor>
