import { callContract, type RpcRequest } from '@countersign/safe'
import { type Address, concat, encodeFunctionData, type Hex, keccak256, parseAbi, size, slice } from 'viem'

const opStack: Address = '0x420000000000000000000000000000000000000F'
const scroll: Address = '0x5300000000000000000000000000000000000002'
const abi = parseAbi(['function getL1Fee(bytes data)', 'function getOperatorFee(uint256 gasUsed)'])

/**
 * The fee that a chain takes beside the gas of a transaction: for publishing its bytes elsewhere, and for an operator. In wei; 0
 * where the chain takes none or does not say.
 *
 * Source: `getL1Fee` and `getOperatorFee` of the OP Stack's GasPriceOracle, `getL1Fee` of Scroll's L1GasPriceOracle.
 *
 * @param gas - how much the transaction is expected to use
 * @example
 * await readDataFee(request, { data, gas: 120_000n }) // 31_000_000_000n
 */
export async function readDataFee(request: RpcRequest, { data, gas }: { data: Hex; gas: bigint }): Promise<bigint> {
  const hash = keccak256(data)
  // A hash and an address stand for the other fields: as long, and as hard to compress.
  const bytes = concat([data, hash, slice(hash, 0, 20)])
  const published = encodeFunctionData({ abi, functionName: 'getL1Fee', args: [bytes] })
  const operated = encodeFunctionData({ abi, functionName: 'getOperatorFee', args: [gas] })
  const answers = await Promise.all([
    callContract(request, { to: opStack, data: published }),
    callContract(request, { to: opStack, data: operated }),
    callContract(request, { to: scroll, data: published }),
  ])
  return answers.reduce((sum, answer) => (answer && size(answer) === 32 ? sum + BigInt(answer) : sum), 0n)
}
