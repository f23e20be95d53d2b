import { testContracts } from '@countersign/devnet'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { type Scene, type SceneOptions, startScene } from '../product/scene.ts'
import { comeBack, type Owner } from './owner.ts'
import { type ScriptOwner, signInByScript } from './script-owner.ts'
import { sendAs, team } from './team.ts'

/** The test token of the devnet. */
export const token: Address = testContracts.erc20.address
const tokenAbi = parseAbi(['function mint(address to, uint256 value)', 'function transfer(address to, uint256 value)'])

/** Starts a product for tests of a review: Anna proposes by a script, and Bruno is signed in and looks. */
export async function startReview(
  options?: SceneOptions,
): Promise<{ scene: Scene; bruno: Owner; byScript: ScriptOwner }> {
  const scene = await startScene(options)
  const byScript = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  const bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
  return { scene, bruno, byScript }
}

/** Gives an account units of the test token. */
export function mint({ rpcUrl }: Pick<Scene, 'rpcUrl'>, to: Address, value: bigint) {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, value] })
  return sendAs(team.relayer.privateKey, rpcUrl, { to: token, data })
}

/** Call data that pays the stranger units of the test token. */
export function payStranger(value: bigint) {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [team.stranger.address, value] })
}
