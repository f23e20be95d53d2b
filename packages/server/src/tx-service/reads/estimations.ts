import type { RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, isHex, numberToHex, parseAbi, slice } from 'viem'
import { unreachable } from '../../rpc/clients.ts'
import { isRevert } from '../../rpc/errors.ts'
import { refuse, refuseCode } from '../wire/answers.ts'
import { parseFields } from '../wire/body-fields.ts'
import { pathAddress } from '../wire/fields.ts'
import { readBody, type TxService } from '../wire/service.ts'
import { findVisibleSafe } from '../wire/visibility.ts'

/** Since 1.3.0 a Safe uses what gas there is when `safeTxGas` is 0. */
const NEEDS_GAS = /^(?:0|1\.[0-2])\./
/** A transaction has no more (EIP-7825). The contract may call any other, which burns what it is given. */
const MAX_GAS = 16_777_216
/** Gas of an execution that is outside of the contract's own measurement. */
const BASE_GAS = 10_000n

const requiredTxGasAbi = parseAbi([
  'function requiredTxGas(address to, uint256 value, bytes data, uint8 operation) returns (uint256)',
])

/** The gas that a transaction needs: for Safes before 1.3.0 as their own contract measures it. */
export function estimationRoutes({ ask }: TxService): void {
  ask('POST', '/v1/safes/{safe}/multisig-transactions/estimations', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const found = await findVisibleSafe(call, safeAddress)
    if (!found) return refuse(404)
    if (!NEEDS_GAS.test(found.domainVersion)) return { safeTxGas: '0' }
    const fields = parseFields(await readBody(call))
    const to = fields.address('to')
    const value = fields.integer('value')
    const data = fields.hex('data', { optional: true, isBlankAllowed: true })
    const operation = fields.integer('operation')
    fields.done()
    if (to === null || value === null || operation === null) return refuse(400)
    if (operation > 1n) return refuseCode(422, 30, 'Gas estimation failed', [`Unknown operation ${operation}`])
    const request = { to, value, data: data ?? '0x', operation: Number(operation) }
    const gas = await measure(call.chain.ask, safeAddress, request).catch((error: unknown) => {
      throw unreachable(call.chain.settings, error)
    })
    if (gas === null) return refuseCode(422, 30, 'Gas estimation failed', ['The call reverts.'])
    return { safeTxGas: (gas + BASE_GAS).toString() }
  })
}

/** The contract lets itself alone ask, and answers by reverting: with the gas where a reason would stand. */
async function measure(
  request: RpcRequest,
  safeAddress: Address,
  { to, value, data, operation }: { to: Address; value: bigint; data: Hex; operation: number },
): Promise<bigint | null> {
  const call = encodeFunctionData({
    abi: requiredTxGasAbi,
    functionName: 'requiredTxGas',
    args: [to, value, data, operation],
  })
  try {
    const params = [{ from: safeAddress, to: safeAddress, data: call, gas: numberToHex(MAX_GAS) }, 'latest']
    await request({ method: 'eth_call', params })
    return null
  } catch (error) {
    if (!isRevert(error)) throw error
    return decodeAnswer(revertData(error))
  }
}

/** `Error(string)` whose text is one word, as `abi.encodePacked(uint256)` makes it. */
function decodeAnswer(data: Hex | null): bigint | null {
  if (data?.length !== 2 + 2 * (4 + 96) || slice(data, 0, 4) !== '0x08c379a0') return null
  return BigInt(slice(data, 36, 68)) === 32n ? BigInt(slice(data, 68, 100)) : null
}

function revertData(error: unknown): Hex | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('data' in at && isHex(at.data)) return at.data
  }
  return null
}
