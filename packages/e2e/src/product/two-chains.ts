import { startDevnet } from '@countersign/devnet'
import { fundTeam } from '../people/team.ts'
import { freePort } from './product.ts'
import { type Scene, startScene } from './scene.ts'

export type ChainNode = Awaited<ReturnType<typeof startDevnet>>

/** Two chains in one product, with the team funded on both. The scene is of the first. */
export type TwoChains = { scene: Scene; node: ChainNode; otherNode: ChainNode; close: () => Promise<void> }

export async function startTwoChains(chainId: number, otherChainId: number): Promise<TwoChains> {
  const [node, otherNode] = await Promise.all([
    startDevnet({ port: await freePort(), chainId }),
    startDevnet({ port: await freePort(), chainId: otherChainId }),
  ])
  const chains = [
    { chainId, name: 'One chain', rpcUrls: [node.rpcUrl] },
    { chainId: otherChainId, name: 'Another chain', rpcUrls: [otherNode.rpcUrl] },
  ]
  const close = () => Promise.all([node.close(), otherNode.close()])
  try {
    const scene = await startScene({ configuration: { chains }, rpcUrl: node.rpcUrl, chainId })
    await fundTeam(otherNode.rpcUrl)
    return { scene, node, otherNode, close: async () => void (await scene.close().finally(close)) }
  } catch (error) {
    await close()
    throw error
  }
}
