import type { BrowserContext } from 'playwright-core'
import { type Address, createWalletClient, type Hex, hexToBigInt, http, numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** What the person does when the wallet asks: answers, rejects, or has left an earlier request open. */
export type Behaviour = 'answer' | 'reject' | 'already-pending'

export type WalletOptions = { privateKey: Hex; rpcUrl: string; chainId: number; name?: string }

/**
 * A browser wallet that follows a script: announced by EIP-6963, keys in Node, everything that is not the wallet's own
 * passed on to the node.
 */
export type ScriptedWallet = {
  readonly name: string
  readonly address: Address
  /** Methods that the page asked for, in order; reads that are passed on are left out. */
  readonly requests: { method: string; params: unknown }[]
  behave(on: 'connect' | 'sign' | 'send' | 'switch', behaviour: Behaviour): void
  /** The person selects another account in the wallet. */
  switchAccount(privateKey: Hex): Promise<void>
  /** The person selects another chain in the wallet. */
  switchChain(chainId: number): Promise<void>
}

type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
type RpcRequest = { method: string; params?: unknown[] }

class WalletError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Puts the wallet into every page of a context. */
export async function installWallet(context: BrowserContext, options: WalletOptions): Promise<ScriptedWallet> {
  const name = options.name ?? 'Scripted Wallet'
  let account = privateKeyToAccount(options.privateKey)
  let chainId = options.chainId
  let authorised = false
  const behaviours = new Map<string, Behaviour>()
  const requests: { method: string; params: unknown }[] = []

  function decide(on: 'connect' | 'sign' | 'send' | 'switch'): void {
    const behaviour = behaviours.get(on) ?? 'answer'
    if (behaviour === 'reject') throw new WalletError(4001, 'User rejected the request.')
    if (behaviour === 'already-pending')
      throw new WalletError(-32002, 'Request already pending. Please wait for the wallet.')
  }

  function authorise(): Address[] {
    if (!authorised) decide('connect')
    authorised = true
    return [account.address]
  }

  function mustBeSelected(address: unknown): void {
    if (!authorised || String(address).toLowerCase() !== account.address.toLowerCase())
      throw new WalletError(4100, `The account \`${String(address)}\` is not authorised in this wallet.`)
  }

  async function answer({ method, params = [] }: RpcRequest): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
        return authorised ? [account.address] : []
      case 'eth_requestAccounts':
        return authorise()
      case 'wallet_requestPermissions':
        return [permission(authorise())]
      case 'wallet_getPermissions':
        return authorised ? [permission([account.address])] : []
      case 'wallet_revokePermissions':
        authorised = false
        return null
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'net_version':
        return String(chainId)
      case 'wallet_switchEthereumChain':
        decide('switch')
        return switchTo(params)
      case 'wallet_addEthereumChain':
        decide('switch')
        return null
      case 'personal_sign':
        mustBeSelected(params[1])
        decide('sign')
        return account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4':
        mustBeSelected(params[0])
        decide('sign')
        return signTyped(account, chainId, String(params[1]))
      case 'eth_sendTransaction':
        return send(params[0] as Record<string, Hex>)
      default:
        return passOn(options.rpcUrl, { method, params })
    }
  }

  async function switchTo(params: unknown[]): Promise<null> {
    const wanted = Number((params[0] as { chainId: Hex }).chainId)
    if (wanted !== options.chainId && wanted !== chainId)
      throw new WalletError(4902, `Unrecognized chain ID \`${wanted}\`. Try adding the chain first.`)
    chainId = wanted
    await emit('chainChanged', numberToHex(chainId))
    return null
  }

  async function send(transaction: Record<string, Hex>): Promise<Hex> {
    mustBeSelected(transaction.from)
    decide('send')
    const client = createWalletClient({ account, transport: http(options.rpcUrl) })
    return client.sendTransaction({
      chain: null,
      ...(transaction.to ? { to: transaction.to } : {}),
      ...(transaction.data ? { data: transaction.data } : {}),
      ...(transaction.value ? { value: hexToBigInt(transaction.value) } : {}),
      ...(transaction.gas ? { gas: hexToBigInt(transaction.gas) } : {}),
    })
  }

  async function emit(event: string, value: unknown): Promise<void> {
    for (const page of context.pages())
      await page.evaluate(
        ([type, detail]) => window.dispatchEvent(new CustomEvent(`scripted-wallet:${type}`, { detail })),
        [event, value] as const,
      )
  }

  await context.exposeFunction('scriptedWalletRequest', async (request: RpcRequest): Promise<RpcAnswer> => {
    if (ownMethods.has(request.method)) requests.push({ method: request.method, params: request.params })
    try {
      return { result: await answer(request) }
    } catch (error) {
      if (error instanceof WalletError)
        return { error: { code: error.code, message: error.message, ...(error.data ? { data: error.data } : {}) } }
      return { error: { code: -32603, message: error instanceof Error ? error.message : String(error) } }
    }
  })
  // Run by tsx, functions name themselves through a helper that a page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' })
  await context.addInitScript(announce, { name, uuid: crypto.randomUUID(), icon })

  return {
    name,
    get address() {
      return account.address
    },
    requests,
    behave: (on, behaviour) => {
      behaviours.set(on, behaviour)
    },
    switchAccount: async (privateKey) => {
      account = privateKeyToAccount(privateKey)
      if (authorised) await emit('accountsChanged', [account.address])
    },
    switchChain: async (id) => {
      chainId = id
      await emit('chainChanged', numberToHex(id))
    },
  }
}

const ownMethods = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
])

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32" rx="8" fill="#345"/></svg>',
)}`

function permission(accounts: Address[]) {
  return { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: accounts }] }
}

async function signTyped(account: PrivateKeyAccount, chainId: number, json: string): Promise<Hex> {
  const typedData = JSON.parse(json)
  // As the common wallets do: a domain of another chain is not signed.
  const domainChainId = typedData.domain?.chainId
  if (domainChainId !== undefined && Number(domainChainId) !== chainId)
    throw new WalletError(-32602, `Provided chainId "${domainChainId}" must match the active chainId "${chainId}"`)
  return account.signTypedData(typedData)
}

async function passOn(rpcUrl: string, request: RpcRequest): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
  })
  const answer = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }
  if (answer.error) throw new WalletError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result
}

/** Runs in the page, before its own scripts. */
function announce(info: { name: string; uuid: string; icon: string }): void {
  const request = Reflect.get(window, 'scriptedWalletRequest') as (request: RpcRequest) => Promise<RpcAnswer>
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider = {
    async request(args: RpcRequest) {
      const answer = await request({ method: args.method, params: args.params ?? [] })
      if ('result' in answer) return answer.result
      throw Object.assign(new Error(answer.error.message), answer.error)
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  for (const event of ['accountsChanged', 'chainChanged', 'disconnect'])
    window.addEventListener(`scripted-wallet:${event}`, (happened) => {
      for (const listener of listeners.get(event) ?? []) listener((happened as CustomEvent).detail)
    })
  const detail = Object.freeze({ info: Object.freeze({ ...info, rdns: 'org.countersign.scripted' }), provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}
