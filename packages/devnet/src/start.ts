import type { Address } from 'viem'
import { type DemoAccount, demoAccounts } from './accounts.ts'
import { startAnvil } from './anvil.ts'
import { deployCanonicalContracts } from './canonical-contracts.ts'
import { buildDemo, demoScenario } from './demo.ts'
import { deployTestContracts, testContracts } from './test-contracts.ts'

export type DevnetOptions = {
  /** The first port to try, the next free one is taken; 0 for any. Default 8545. */
  port?: number
  /** File that keeps the chain between starts; without it the chain is gone with the process. */
  statePath?: string
  chainId?: number
  /** Told what is going on, a line at a time. */
  log?: (text: string) => void
}

export type Devnet = {
  rpcUrl: string
  chainId: number
  port: number
  accounts: readonly DemoAccount[]
  tokens: { erc20: Address; erc721: Address; erc1155: Address }
  /** Entries of a list of known tokens for `tokens`. */
  knownTokens: readonly { address: Address; symbol: string; name: string; decimals: number }[]
  /** A registry of names, as ENS has one. */
  nameRegistry: Address
  demoSafe: Address
  /** Whether this start built the chain. */
  fresh: boolean
  /** Process id of the node. */
  pid: number
  /** Settles when the node has ended, whoever ended it. */
  exited: Promise<void>
  /** Writes the chain to its file and ends the node. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The account that pays for building the chain. */
const builder = demoAccounts[9].address

/**
 * Starts a local node with the canonical Safe contracts, test tokens and the demo Safe.
 *
 * @throws CountersignError `PORT_IN_USE`, `CHAIN_UNREACHABLE` when the node does not start, `INTERNAL` when a contract
 * on the chain is not the official one.
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { port = 8545, chainId = 31337, statePath, log = () => {} } = options
  log('Starting the local chain')
  const anvil = await startAnvil({ port, chainId, statePath, log })
  try {
    const fresh = await deployCanonicalContracts(anvil.rpcUrl, chainId, builder)
    if (fresh) log('Deployed the Safe contracts 1.3.0, 1.4.1 and 1.5.0; their code hashes are the official ones')
    await deployTestContracts(anvil.rpcUrl, builder)
    await buildDemo(anvil.rpcUrl, chainId, builder)
    await anvil.save()
    anvil.keepSaved()

    const { erc20, erc721, erc1155, nameRegistry } = testContracts
    return {
      rpcUrl: anvil.rpcUrl,
      chainId,
      port: anvil.port,
      accounts: demoAccounts,
      tokens: { erc20: erc20.address, erc721: erc721.address, erc1155: erc1155.address },
      knownTokens: [erc20],
      nameRegistry: nameRegistry.address,
      demoSafe: demoScenario.safeAddress,
      fresh,
      pid: anvil.pid,
      exited: anvil.exited,
      close: anvil.close,
      [Symbol.asyncDispose]: anvil.close,
    }
  } catch (error) {
    await anvil.close()
    throw error
  }
}
