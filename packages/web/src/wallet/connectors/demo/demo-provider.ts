import { isSameAddress } from '@countersign/safe'
import {
  type Address,
  type Hex,
  hashTypedData,
  hexToBigInt,
  hexToString,
  isHex,
  numberToHex,
  type TransactionSerializableEIP1559,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { RpcRequest } from '../../../api/chain-client.ts'
import { text } from '../../text.ts'
import { demoKeys } from './demo-accounts.ts'

export type DemoRequest =
  | { kind: 'message'; account: Address; message: string }
  | { kind: 'typed-data'; account: Address; typedData: TypedDataDefinition; hash: Hex }
  | { kind: 'transaction'; account: Address; to: Address; value: bigint; data: Hex }

/** Questions of the wallet to its person. Both give undefined or false for "rejected". */
export type DemoPrompts = {
  chooseAccount: (accounts: Address[], current: Address | undefined) => Promise<Address | undefined>
  approve: (request: DemoRequest) => Promise<boolean>
}

type Listener = (value: unknown) => void
type Params = readonly unknown[]

const STORED = 'countersign.demo-wallet.account'

/** An EIP-1193 provider over the development accounts, for one chain and no other. */
export function createDemoProvider({
  chainId,
  prompts,
  node,
  storage,
}: {
  chainId: number
  prompts: DemoPrompts
  node: RpcRequest
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}) {
  const accounts = demoKeys.map((key) => privateKeyToAccount(key))
  const { emit, ...listening } = createEmitter()
  const prompt = createPrompt()

  const stored = storage.getItem(STORED)
  let selected = accounts.find(({ address }) => address === stored)?.address

  const select = (account: Address | undefined) => {
    if (account === selected) return
    selected = account
    if (account) storage.setItem(STORED, account)
    else storage.removeItem(STORED)
    emit('accountsChanged', account ? [account] : [])
  }
  const chooseAccount = async () => {
    const all = accounts.map(({ address }) => address)
    select(await prompt(() => prompts.chooseAccount(all, selected)))
    return selected
  }
  const signerOf = (address: unknown) => {
    const account = accounts.find((account) => isSameAddress(account.address, String(address)))
    if (!account || account.address !== selected)
      throw rpcError(4100, text('demo.error.account', { account: String(address) }))
    return account
  }

  /** Asks the person, who may revoke the page's access to the account before answering. */
  const approve = async (request: DemoRequest) => {
    await prompt(() => prompts.approve(request))
    return signerOf(request.account)
  }

  const signMessage = async ([data, address]: Params) => {
    const account = signerOf(address)
    const raw = isHex(data) ? data : undefined
    const message = raw ? hexToString(raw) : String(data)
    await approve({ kind: 'message', account: account.address, message })
    return account.signMessage({ message: raw ? { raw } : message })
  }
  const signTypedData = async ([address, json]: Params) => {
    const account = signerOf(address)
    const typedData = parseTypedData(json)
    if (typedData.domain?.chainId !== undefined && Number(typedData.domain.chainId) !== chainId)
      throw rpcError(-32602, text('demo.error.chain'))
    const hash = hashTypedData(typedData)
    await approve({ kind: 'typed-data', account: account.address, typedData, hash })
    return account.signTypedData(typedData)
  }
  const sendTransaction = async ([transaction]: Params) => {
    const { from, to, value = '0x0', data = '0x', gas, ...asked } = transaction as Record<string, Hex | undefined>
    const account = signerOf(from)
    if (!to) throw rpcError(-32602, text('demo.error.method', { method: 'eth_sendTransaction' }))
    const request = { kind: 'transaction', account: account.address, to, value: hexToBigInt(value), data } as const
    await approve(request)
    const call = { from: account.address, to, value, data }
    const signed = await signTransaction({ account, chainId, node, call, asked: { gas, ...asked } })
    return node({ method: 'eth_sendRawTransaction', params: [signed] })
  }
  const switchChain = ([target]: Params) => {
    if (Number((target as { chainId?: Hex }).chainId) !== chainId) throw rpcError(4902, text('demo.error.chain'))
    return null
  }

  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const list: Params = Array.isArray(params) ? params : []
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'net_version':
        return String(chainId)
      case 'eth_accounts':
        return selected ? [selected] : []
      case 'eth_requestAccounts':
        return [selected ?? (await chooseAccount())]
      case 'wallet_requestPermissions':
        return [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: [await chooseAccount()] }],
          },
        ]
      case 'wallet_revokePermissions':
        select(undefined)
        return null
      case 'personal_sign':
        return signMessage(list)
      case 'eth_signTypedData_v4':
        return signTypedData(list)
      case 'eth_sendTransaction':
        return sendTransaction(list)
      case 'wallet_switchEthereumChain':
        return switchChain(list)
      default:
        if (!method.startsWith('eth_')) throw rpcError(4200, text('demo.error.method', { method }))
        return node({ method, params: list })
    }
  }

  return { request, ...listening }
}

/** Asks one question at a time. A second one fails as busy. */
function createPrompt() {
  let isPrompting = false
  return async <T>(ask: () => Promise<T | undefined | false>): Promise<T> => {
    if (isPrompting) throw rpcError(-32002, text('demo.error.busy'))
    isPrompting = true
    try {
      const answer = await ask()
      if (answer === undefined || answer === false) throw rpcError(4001, text('demo.error.rejected'))
      return answer
    } finally {
      isPrompting = false
    }
  }
}

function createEmitter() {
  const listeners = new Map<string, Set<Listener>>()
  return {
    emit: (name: string, value: unknown) => {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(value)
    },
    on: (name: string, listener: Listener) => {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
    },
    removeListener: (name: string, listener: Listener) => void listeners.get(name)?.delete(listener),
  }
}

/** Signs a transaction with the fees and the gas that were asked for, or else with the node's. */
async function signTransaction({
  account,
  chainId,
  node,
  call,
  asked,
}: {
  account: PrivateKeyAccount
  chainId: number
  node: RpcRequest
  call: { from: Address; to: Hex; value: Hex; data: Hex }
  asked: Record<string, Hex | undefined>
}): Promise<Hex> {
  const [nodeChainId, nonce, block, priorityFee, estimate] = await Promise.all([
    node({ method: 'eth_chainId' }),
    asked.nonce ?? node({ method: 'eth_getTransactionCount', params: [call.from, 'pending'] }),
    node({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    asked.maxPriorityFeePerGas ?? node({ method: 'eth_maxPriorityFeePerGas' }),
    asked.gas ?? node({ method: 'eth_estimateGas', params: [call] }),
  ])
  if (Number(nodeChainId) !== chainId) throw rpcError(4901, text('demo.error.chain'))
  const { baseFeePerGas = '0x0' } = block as { baseFeePerGas?: Hex }
  const maxPriorityFeePerGas = hexToBigInt(priorityFee as Hex)
  return account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: Number(nonce),
    to: call.to,
    value: hexToBigInt(call.value),
    data: call.data,
    gas: asked.gas ? hexToBigInt(asked.gas) : (hexToBigInt(estimate as Hex) * 12n) / 10n,
    maxPriorityFeePerGas,
    maxFeePerGas: asked.maxFeePerGas
      ? hexToBigInt(asked.maxFeePerGas)
      : hexToBigInt(baseFeePerGas) * 2n + maxPriorityFeePerGas,
  } satisfies TransactionSerializableEIP1559)
}

function parseTypedData(json: unknown): TypedDataDefinition {
  const { domain, types, primaryType, message } =
    typeof json === 'string' ? JSON.parse(json) : (json as TypedDataDefinition)
  const { EIP712Domain: _, ...ownTypes } = types
  return { domain, types: ownTypes, primaryType, message }
}

function rpcError(code: number, message: string): Error & { code: number } {
  return Object.assign(new Error(message), { code })
}
