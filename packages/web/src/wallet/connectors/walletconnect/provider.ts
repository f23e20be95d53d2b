import { numberToHex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { fail } from '../../../text/fail.ts'
import { parseChainId } from '../provider-values.ts'
import type { Client } from './client.ts'
import type { Connection } from './connection.ts'
import { relayUnreachable } from './pairing.ts'

export type WalletConnectProvider = { request: (args: { method: string; params?: unknown }) => Promise<unknown> }

/** Parts of the connector that the provider uses. */
export type ConnectionHolder = {
  get: () => Connection | null
  client: () => Promise<Client>
  /** Moves the page to a chain that the phone has approved, as long as it is the same connection. */
  moveTo: (topic: string, chainId: number) => Promise<void>
  /** Number of chain reports from the phone. */
  chainsTold: () => number
  /** Rejects when the phone or the page ends the connection. */
  untilEnded: (topic: string) => { promise: Promise<never>; stop: () => void }
}

/** Somebody may have to fetch the phone, unlock it and read. */
const ANSWER_SECONDS = 900
const RELAY_MS = 8_000
/** A phone answers first and says what it now approves a moment later. */
const UPDATE_MS = 3_000
const WALLET = 'WalletConnect'

/** EIP-1193: signatures and transactions go to the phone, the rest to the chain's node as every other read does. */
export function createProvider(holder: ConnectionHolder): WalletConnectProvider {
  const connected = (): Connection => {
    const connection = holder.get()
    if (!connection) throw fail('WALLET_NOT_CONNECTED', { reason: 'ended' })
    return connection
  }
  const isApproved = (chainId: number) => connected().approval.accounts.some((account) => account.chainId === chainId)

  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const { topic, chainId, approval } = connected()
    if (!approval.methods.includes(method)) throw fail('WALLET_FAILED', { reason: 'not-allowed', method })
    // A request must name a chain of the connection, also when it is about another one.
    const on = isApproved(chainId) ? chainId : approval.accounts[0]?.chainId
    const request = { topic, chainId: `eip155:${on}`, expiry: ANSWER_SECONDS, request: { method, params } }
    // From here on, because the connection may end while the relay opens.
    const ended = holder.untilEnded(topic)
    const send = async (): Promise<unknown> => {
      const client = await holder.client()
      await openRelay(client)
      return holder.get()?.topic === topic ? client.request(request) : ended.promise
    }
    return Promise.race([send(), ended.promise]).finally(ended.stop)
  }

  const switchChain = async (params: unknown): Promise<null> => {
    const chainId = chainIdOf(params)
    if (!isApproved(chainId) && !connected().approval.methods.includes('wallet_switchEthereumChain'))
      throw notApproved(chainId)
    const { topic } = connected()
    if (!isApproved(chainId)) await ask('wallet_switchEthereumChain', params)
    return arriveAt(topic, chainId)
  }
  const addChain = async (params: unknown): Promise<null> => {
    const chainId = chainIdOf(params)
    const { topic } = connected()
    await ask('wallet_addEthereumChain', params)
    return arriveAt(topic, chainId)
  }
  /** Waits until the phone approves the chain. A chain that it reports meanwhile is newer. */
  const arriveAt = async (topic: string, chainId: number): Promise<null> => {
    const told = holder.chainsTold()
    await until(() => isApproved(chainId))
    if (!isApproved(chainId)) throw notApproved(chainId)
    if (holder.chainsTold() === told) await holder.moveTo(topic, chainId)
    return null
  }
  const notApproved = (chainId: number) => fail('CHAIN_SWITCH_FAILED', { reason: 'not-approved', chainId })

  return {
    request: async ({ method, params }) => {
      switch (method) {
        case 'eth_chainId':
          return numberToHex(connected().chainId)
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [connected().account]
        case 'wallet_switchEthereumChain':
          return switchChain(params)
        case 'wallet_addEthereumChain':
          return addChain(params)
        case 'eth_sendTransaction':
        case 'personal_sign':
        case 'eth_signTypedData_v4':
          if (!isApproved(connected().chainId)) throw notApproved(connected().chainId)
          return ask(method, params)
        default:
          return chainRequest(connected().chainId)({ method, params })
      }
    },
  }
}

function chainIdOf(params: unknown): number {
  const [first]: unknown[] = Array.isArray(params) ? params : []
  const given = typeof first === 'object' && first !== null && 'chainId' in first ? first.chainId : undefined
  const chainId = parseChainId(given)
  if (chainId === undefined) throw fail('WALLET_FAILED', { reason: 'answer', wallet: WALLET, answer: String(given) })
  return chainId
}

/** Brings the way to the phone up, or says that it is down: otherwise a request would wait for a minute in silence. */
async function openRelay({ core: { relayer } }: Client): Promise<void> {
  if (relayer.connected) return
  const limit = new Promise((resolve) => setTimeout(resolve, RELAY_MS))
  await Promise.race([relayer.transportOpen().catch(() => {}), limit])
  if (!relayer.connected) throw relayUnreachable()
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + UPDATE_MS
  while (!isSo() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100))
}
