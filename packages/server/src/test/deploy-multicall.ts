import { testContracts } from '@countersign/devnet'
import {
  type Address,
  createPublicClient,
  custom,
  decodeDeployData,
  deploylessCallViaBytecodeBytecode,
  type Hex,
  parseAbi,
} from 'viem'
import type { Actor } from './safe-actor.ts'

/** Code of Multicall3, as it comes with viem: the first argument of a call that it makes where none is on the chain. */
async function codeOfMulticall(): Promise<Hex> {
  let sent: Hex = '0x'
  const transport = custom({
    request: async ({ params }) => {
      sent = params[0].data
      throw new Error('that is all')
    },
  })
  const { address } = testContracts.erc20
  const abi = parseAbi(['function decimals() view returns (uint8)'])
  await createPublicClient({ transport })
    .multicall({ deployless: true, contracts: [{ address, abi, functionName: 'decimals' }] })
    .catch(() => {})
  const parameters = parseAbi(['constructor(bytes code, bytes data)'])
  const { args } = decodeDeployData({ abi: parameters, bytecode: deploylessCallViaBytecodeBytecode, data: sent })
  const [code] = args ?? []
  if (code === undefined) throw new Error('viem makes no such call')
  return code
}

const address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Puts Multicall3 where most chains have it. @returns its address, and the first block that has it */
export async function deployMulticall({ rpc }: Pick<Actor, 'rpc'>): Promise<{ address: Address; blockNumber: number }> {
  await rpc('anvil_mine', '0x1')
  await rpc('anvil_setCode', address, await rpc('eth_call', { data: await codeOfMulticall() }, 'latest'))
  return { address, blockNumber: Number(await rpc('eth_blockNumber')) }
}
