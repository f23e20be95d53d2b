import {
  type Devnet,
  demoAccounts,
  deploySafe,
  requestNode,
  startDevnet,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import type { PackEngine } from '@countersign/review'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import { simulate } from '../simulate.ts'
import { simulateCalls } from '../simulate-calls.ts'
import { type TestNode, testNode } from './chain.ts'

const chainId = 31337
const [first, second, stranger] = demoAccounts
const token = testContracts.erc20.address
const tokenAbi = testContractAbi('TestErc20')

/** The engine of the page, without its Worker. */
const engine: PackEngine = {
  runCall: async (reader, call) => {
    const [answer] = await simulateCalls(reader, [call])
    if (answer === undefined) throw new Error('The call has no answer.')
    return answer
  },
  run: simulate,
}

/** Starts a devnet for the tests of a file, in which Safes of two owners have a token that anybody can make more of. */
export function useTokenWorld() {
  let started: { devnet: Devnet; node: TestNode } | null = null
  beforeAll(async () => {
    const devnet = await startDevnet({ port: 0 })
    started = { devnet, node: testNode(devnet.rpcUrl) }
  })
  afterAll(() => started?.devnet.close())
  const world = () => {
    if (started === null) throw new Error('The devnet is not there yet.')
    return started
  }
  /** Sends from an account that owns no Safe, and mines it. */
  const send = async (to: Address, data: Hex, value = 0n): Promise<Hex> => {
    const { rpcUrl } = world().devnet
    const hash = await requestNode(rpcUrl, 'eth_sendTransaction', {
      from: stranger.address,
      to,
      data,
      value: numberToHex(value),
      gas: numberToHex(1_000_000n),
    })
    await requestNode(rpcUrl, 'evm_mine')
    return hash as Hex
  }
  const tellToken = (functionName: string, args: unknown[]) =>
    send(token, encodeFunctionData({ abi: tokenAbi, functionName, args }))
  return {
    chainId,
    token,
    engine,
    owners: [first, second] as const,
    stranger,
    send,
    tellToken,
    /** Asks the node itself, also for what only a test may do. */
    ask: (method: string, ...params: unknown[]) => requestNode(world().devnet.rpcUrl, method, ...params),
    get node() {
      return world().node
    },
    get rpcUrl() {
      return world().devnet.rpcUrl
    },
    transferOf: (to: Address, amount: bigint) =>
      encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] }),
    /** A Safe of both owners that holds some of the token. */
    deployFunded: async (version: '1.3.0' | '1.4.1', saltNonce: bigint, amount = 1_000n): Promise<Address> => {
      const { rpcUrl } = world().devnet
      const of = { owners: [first.address, second.address], threshold: 2, saltNonce }
      const safeAddress = await deploySafe({ rpcUrl, chainId, version, ...of })
      await tellToken('mint', [safeAddress, amount])
      return safeAddress
    },
  }
}
