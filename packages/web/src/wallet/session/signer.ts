import type { Chain } from '@countersign/contract'
import { expandCompactSignature } from '@countersign/safe'
import {
  type Address,
  type Hex,
  isHex,
  numberToHex,
  recoverTypedDataAddress,
  size,
  type TypedDataDefinition,
} from 'viem'
import { useChains } from '../../api/configuration.ts'
import { fail } from '../../text/fail.ts'
import { readConnected, useConnection } from '../connectors/connection.ts'
import type { Connector } from '../connectors/connector.ts'
import { parseChainId } from '../connectors/provider-values.ts'
import { unreadableChain, unsigned } from '../connectors/tame-provider.ts'
import { toWalletError } from '../connectors/wallet-errors.ts'
import { recordSent, type SentTransaction } from './sent-transactions.ts'
import { useSession } from './session.ts'
import { type TypedData, writeTypedData } from './typed-data.ts'

type Provider = { request: (args: { method: string; params?: unknown }) => Promise<unknown> }

/** Account nonce and fees of a transaction that takes the place of another one. Fees in wei per unit of gas. */
export type Replacement = { nonce: number } & (
  | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { gasPrice: bigint }
)

/** Fees and account nonce that a person chose; what is left out the wallet decides. */
export type ChosenFees = Partial<{ nonce: number; gas: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>

export type TransactionRequest = {
  chainId: number
  to: Address
  data: Hex
  value: bigint
  gas?: bigint | undefined
  /** Takes the place of a transaction of the account that waits: its nonce, and higher fees. */
  replacing?: Replacement | undefined
  fees?: ChosenFees | undefined
  /** The Safe transaction that it executes. */
  subject?: SentTransaction['subject']
}

/** The account in the wallet, and what it may be asked to do. Every error is a CountersignError. */
export type Signer = {
  account: Address
  /** The chain the wallet is on. */
  chainId: number
  walletName: string
  /** Brings the wallet to the chain of the domain first. */
  signTypedData: (typedData: TypedData) => Promise<Hex>
  /** Brings the wallet to the chain first. Answers the Ethereum transaction's hash. */
  sendTransaction: (transaction: TransactionRequest) => Promise<Hex>
  switchChain: (chainId: number) => Promise<void>
}

/** The signer, or null when no wallet is connected. Signing is refused while the session is another account's. */
export function useSigner(): Signer | null {
  const connection = useConnection()
  const { session } = useSession()
  const chains = useChains()
  if (connection.status !== 'connected') return null
  const { address: account, chainId, connector } = connection

  const asVerified = async <T>(act: (provider: Provider) => Promise<T>): Promise<T> => {
    if (!session) throw fail('NOT_SIGNED_IN')
    if (session.address !== account)
      throw fail('ACCOUNT_MISMATCH', { reason: 'wallet', session: session.address, account })
    return withProvider(connector, act)
  }

  return {
    account,
    chainId,
    walletName: connector.name,
    signTypedData: (typedData) =>
      asVerified(async (provider) => {
        const { chainId: target } = typedData.domain
        if (target !== undefined) await ensureChain(provider, chains, Number(target), connector.name)
        mustBeThere(connector, account)
        const params = [account, writeTypedData(typedData)]
        const answer = asHex(await provider.request({ method: 'eth_signTypedData_v4', params }), connector.name)
        return readSignature(answer, typedData, account)
      }),
    sendTransaction: ({ chainId: target, to, data, value, gas, replacing, fees, subject }) =>
      asVerified(async (provider) => {
        await ensureChain(provider, chains, target, connector.name)
        mustBeThere(connector, account)
        const transaction = {
          from: account,
          to,
          data,
          value: numberToHex(value),
          ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
          ...Object.fromEntries(
            Object.entries({ ...fees, ...replacing }).map(([name, part]) => [name, numberToHex(part)]),
          ),
        }
        const sent = await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
        const transactionHash = asHex(sent, connector.name, 32)
        recordSent({ chainId: target, account }, { transactionHash, ...(subject ? { subject } : {}) })
        return transactionHash
      }),
    switchChain: (target) =>
      withProvider(connector, (provider) => ensureChain(provider, chains, target, connector.name)),
  }
}

/** Expands a compact signature of the account's key to 65 bytes. A contract's signature stays unchanged. */
export async function readSignature(signature: Hex, typedData: TypedData, account: Address): Promise<Hex> {
  const expanded = expandCompactSignature(signature)
  if (!expanded) return signature
  const signer = await recoverTypedDataAddress({ ...(typedData as TypedDataDefinition), signature: expanded }).catch(
    () => null,
  )
  return signer === account ? expanded : signature
}

/** Throws if the wallet switched to another account while it switched the chain. */
export function mustBeThere(connector: Connector, account: Address): void {
  const now = readConnected()
  if (now?.connector !== connector) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
  if (now.address !== account)
    throw fail('ACCOUNT_MISMATCH', { reason: 'wallet', session: account, account: now.address })
}

/** Runs with the connector's provider; what the wallet throws becomes an error of ours. */
export async function withProvider<T>(connector: Connector, act: (provider: Provider) => Promise<T>): Promise<T> {
  try {
    const provider = (await connector.getProvider()) as Provider | undefined
    if (!provider) throw fail('WALLET_NOT_AVAILABLE', { reason: 'gone', wallet: connector.name })
    return await act(provider)
  } catch (error) {
    throw toWalletError(error, connector.name)
  }
}

async function ensureChain(provider: Provider, chains: Chain[], chainId: number, wallet: string): Promise<void> {
  if ((await walletChainId(provider, wallet)) === chainId) return
  const chain = chains.find((chain) => chain.chainId === chainId)
  const values = { wallet, chain: chain?.name ?? String(chainId), chainId }
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: numberToHex(chainId) }] })
  } catch (cause) {
    const error = toWalletError(cause, wallet)
    if (error.code === 'WALLET_METHOD_UNSUPPORTED')
      throw fail('CHAIN_SWITCH_UNSUPPORTED', { reason: 'page', ...values }, cause)
    if (error.code !== 'CHAIN_NOT_IN_WALLET') {
      if (error.code === 'WALLET_FAILED') throw fail('CHAIN_SWITCH_FAILED', { reason: 'refused', ...values }, cause)
      throw error
    }
    // The operator's own RPC URL may hold a key: without a public one the wallet's owner adds the chain by hand.
    if (!chain?.publicRpcUrl) throw fail('CHAIN_NOT_IN_WALLET', { reason: 'add-by-hand', ...values }, cause)
    await addChain(provider, chain, wallet)
  }
  // Some wallets answer before they have switched.
  for (let tries = 0; tries < 10 && (await walletChainId(provider, wallet)) !== chainId; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  if ((await walletChainId(provider, wallet)) !== chainId)
    throw fail('CHAIN_SWITCH_FAILED', { reason: 'not-switched', ...values })
}

async function addChain(provider: Provider, chain: Chain, wallet: string): Promise<void> {
  const { chainId, name, nativeCurrency, publicRpcUrl, explorerUrl } = chain
  try {
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: numberToHex(chainId),
          chainName: name,
          nativeCurrency,
          rpcUrls: [publicRpcUrl],
          ...(explorerUrl ? { blockExplorerUrls: [explorerUrl] } : {}),
        },
      ],
    })
  } catch (cause) {
    const error = toWalletError(cause, wallet)
    if (error.code === 'WALLET_REJECTED' || error.code === 'WALLET_BUSY') throw error
    throw fail('CHAIN_NOT_IN_WALLET', { reason: 'add-by-hand', wallet, chain: name, chainId }, cause)
  }
}

async function walletChainId(provider: Provider, wallet: string): Promise<number> {
  const chainId = parseChainId(await provider.request({ method: 'eth_chainId' }))
  if (chainId === undefined) throw unreadableChain(wallet)
  return chainId
}

function asHex(value: unknown, wallet: string, byteCount?: number): Hex {
  if (isHex(value) && (byteCount === undefined || size(value) === byteCount)) return value
  throw unsigned(wallet)
}
