import { type Address, createWalletClient, type Hex, hashMessage, hexToBigInt, http, numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export { demoAccounts } from './accounts.ts'

/**
 * Reaction to a request: the person answers, rejects, or has left an earlier one open; the wallet fails, is locked
 * and says so or answers with an empty list, is cut off, does not know the method, answers nonsense, or holds it
 * until `release`.
 */
export type Behaviour =
  | 'answer'
  | 'reject'
  | 'already-pending'
  | 'fail'
  | 'locked'
  | 'empty'
  | 'gone'
  | 'unsupported'
  | 'nonsense'
  | 'hold'
type Asked = 'connect' | 'accounts' | 'sign' | 'send' | 'switch' | 'add' | 'read'

export type WalletOptions = {
  privateKey: Hex
  rpcUrl: string
  /** Nodes of other chains that it knows, by chain. */
  otherChains?: Readonly<Record<number, string>>
  chainId: number
  name?: string
  rdns?: string
  icon?: string
  /** Only `announce()` makes it known; or it sits at window.ethereum and never announces itself. */
  appears?: 'announced' | 'late' | 'injected'
  /** A Safe of which the key is the only owner: the account that the wallet shows, and signs messages for. */
  safeAddress?: Address
}

/** A wallet that follows a script: it holds the key, and passes everything that is not the wallet's own on to the node. */
export type ScriptedWallet = {
  readonly name: string
  readonly address: Address
  /** Methods that the page asked for, in order; reads that are passed on are left out. */
  readonly requests: { method: string; params: unknown }[]
  behave(on: Asked, behaviour: Behaviour): void
  /** Answers what is held. */
  release(): void
  /** Announces a wallet that appears late, in every page that is open. */
  announce(): Promise<void>
  /** The wallet takes its accounts back from the page, as a locked one does. */
  lock(): Promise<void>
  /** The wallet shows its account to the page again. */
  unlock(): Promise<void>
  /** The person selects another account in the wallet. */
  switchAccount(privateKey: Hex): Promise<void>
  /** The person selects another chain in the wallet. */
  switchChain(chainId: number): Promise<void>
}

/** Answer to a request, as it crosses the border of a page. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
export type RpcRequest = { method: string; params?: unknown[] }

class WalletError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

function signText(
  signer: PrivateKeyAccount,
  chainId: number,
  safeAddress: Address | undefined,
  raw: Hex,
): Promise<Hex> {
  const message = { raw }
  if (!safeAddress) return signer.signMessage({ message })
  return signSafeMessage(signer, chainId, safeAddress, hashMessage(message))
}

function sendFrom(account: PrivateKeyAccount, rpcUrl: string, transaction: Record<string, Hex>): Promise<Hex> {
  const client = createWalletClient({ account, transport: http(rpcUrl) })
  return client.sendTransaction({
    chain: null,
    ...(transaction.to ? { to: transaction.to } : {}),
    ...(transaction.data ? { data: transaction.data } : {}),
    ...(transaction.value ? { value: hexToBigInt(transaction.value) } : {}),
    ...(transaction.gas ? { gas: hexToBigInt(transaction.gas) } : {}),
    ...(transaction.nonce ? { nonce: Number(transaction.nonce) } : {}),
    ...(transaction.maxFeePerGas && transaction.maxPriorityFeePerGas
      ? {
          maxFeePerGas: hexToBigInt(transaction.maxFeePerGas),
          maxPriorityFeePerGas: hexToBigInt(transaction.maxPriorityFeePerGas),
        }
      : {}),
  })
}

function toRpcError(error: unknown): RpcAnswer {
  if (error instanceof WalletError)
    return { error: { code: error.code, message: error.message, ...(error.data ? { data: error.data } : {}) } }
  return { error: { code: -32603, message: error instanceof Error ? error.message : String(error) } }
}

/** Name by which the scripted wallet announces itself, unless the test gives it another. */
export const SCRIPTED_RDNS = 'org.countersign.scripted'

/** How pages learn of a wallet: `announceWallet` takes it. */
export type Announcement = {
  /** Name of the function in the page that takes requests, and prefix of the events that the wallet emits there. */
  id: string
  appears: 'announced' | 'late' | 'injected'
  info: { name: string; uuid: string; icon: string; rdns: string }
}

/**
 * Creates a wallet of a key.
 *
 * @param emit dispatches an event of the wallet in every page that is open
 */
export function createScriptedWallet(
  options: WalletOptions,
  emit: (event: string, value: unknown) => Promise<void>,
): { wallet: ScriptedWallet; announcement: Announcement; respond: (request: RpcRequest) => Promise<RpcAnswer> } {
  const name = options.name ?? 'Scripted Wallet'
  let account = privateKeyToAccount(options.privateKey)
  let chainId = options.chainId
  let authorised = false
  const behaviours = new Map<Asked, Behaviour>()
  const knownChains = new Set([options.chainId, ...Object.keys(options.otherChains ?? {}).map(Number)])
  const id = `scriptedWallet${++count}`
  let release = () => {}
  const requests: { method: string; params: unknown }[] = []

  const address = () => options.safeAddress ?? account.address

  async function decide(on: Asked): Promise<void> {
    const behaviour = behaviours.get(on) ?? 'answer'
    const refusal = refusals.get(behaviour)
    if (refusal) throw new WalletError(...refusal)
    if (behaviour === 'hold')
      await new Promise<void>((resolve) => {
        release = resolve
      })
  }

  async function authorise(): Promise<unknown[]> {
    if (!authorised) await decide('connect')
    if (behaviours.get('connect') === 'nonsense') return ['this is no address']
    if (behaviours.get('connect') === 'empty') return []
    authorised = true
    return [address()]
  }

  function mustBeSelected(asked: unknown): void {
    if (!authorised || String(asked).toLowerCase() !== address().toLowerCase())
      throw new WalletError(4100, `The account \`${String(asked)}\` is not authorised in this wallet.`)
  }

  // Complexity: one case for each method of a wallet.
  async function answer({ method, params = [] }: RpcRequest): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
        await decide('accounts')
        return authorised ? [address()] : []
      case 'eth_requestAccounts':
        return authorise()
      case 'wallet_requestPermissions':
        return [permission(await authorise())]
      case 'wallet_getPermissions':
        return authorised ? [permission([address()])] : []
      case 'wallet_revokePermissions':
        authorised = false
        return null
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'net_version':
        return String(chainId)
      case 'wallet_switchEthereumChain':
        await decide('switch')
        return switchTo(Number((params[0] as { chainId: Hex }).chainId))
      case 'wallet_addEthereumChain': {
        await decide('add')
        const added = Number((params[0] as { chainId: Hex }).chainId)
        knownChains.add(added)
        return switchTo(added)
      }
      case 'personal_sign': {
        mustBeSelected(params[1])
        // As a person would: with the account that was shown when the request came.
        const signer = account
        await decide('sign')
        if (behaviours.get('sign') === 'nonsense') return `0x${'11'.repeat(65)}`
        return signText(signer, chainId, options.safeAddress, params[0] as Hex)
      }
      case 'eth_signTypedData_v4':
        mustBeSelected(params[0])
        await decide('sign')
        return signTyped(account, chainId, String(params[1]))
      case 'eth_sendTransaction':
        return send(params[0] as Record<string, Hex>)
      default:
        return decide('read').then(() => read(nodeOf(options, chainId), { method, params }, behaviours.get('read')))
    }
  }

  async function switchTo(wanted: number): Promise<null> {
    if (!knownChains.has(wanted) && wanted !== chainId)
      throw new WalletError(4902, `Unrecognized chain ID \`${wanted}\`. Try adding the chain first.`)
    chainId = wanted
    await emit('chainChanged', numberToHex(chainId))
    return null
  }

  async function send(transaction: Record<string, Hex>): Promise<Hex> {
    mustBeSelected(transaction.from)
    await decide('send')
    return sendFrom(account, nodeOf(options, chainId), transaction)
  }

  async function respond(request: RpcRequest): Promise<RpcAnswer> {
    if (ownMethods.has(request.method)) requests.push({ method: request.method, params: request.params })
    try {
      return { result: await answer(request) }
    } catch (error) {
      return toRpcError(error)
    }
  }

  const wallet: ScriptedWallet = {
    name,
    get address() {
      return address()
    },
    requests,
    behave: (on, behaviour) => {
      behaviours.set(on, behaviour)
    },
    release: () => release(),
    announce: () => emit('announce', null),
    lock: async () => {
      authorised = false
      await emit('accountsChanged', [])
    },
    unlock: async () => {
      authorised = true
      await emit('accountsChanged', [address()])
    },
    switchAccount: async (privateKey) => {
      account = privateKeyToAccount(privateKey)
      if (authorised) await emit('accountsChanged', [address()])
    },
    switchChain: async (to) => {
      chainId = to
      await emit('chainChanged', numberToHex(to))
    },
  }
  const { appears = 'announced', icon = plainIcon, rdns = SCRIPTED_RDNS } = options
  return { wallet, announcement: { id, appears, info: { name, uuid: crypto.randomUUID(), icon, rdns } }, respond }
}

function nodeOf({ rpcUrl, otherChains }: WalletOptions, chainId: number): string {
  return otherChains?.[chainId] ?? rpcUrl
}

/** Passes a read on to the wallet's node. A wallet that answers nonsense names another block. */
async function read(rpcUrl: string, asked: RpcRequest, behaviour: Behaviour | undefined): Promise<unknown> {
  const said = await passOn(rpcUrl, asked)
  const isOther = behaviour === 'nonsense' && asked.method === 'eth_getBlockByNumber' && typeof said === 'object'
  return isOther ? { ...said, hash: `0x${'12'.repeat(32)}` } : said
}

const ownMethods = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
])

const plainIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><rect width="32" height="32" rx="8" fill="#345"/></svg>',
)}`

const refusals = new Map<Behaviour, [code: number, message: string]>([
  ['reject', [4001, 'User rejected the request.']],
  ['already-pending', [-32002, 'Request already pending. Please wait for the wallet.']],
  ['fail', [-32603, 'Internal JSON-RPC error.']],
  ['locked', [4100, 'The wallet is locked.']],
  ['gone', [4900, 'The provider is disconnected.']],
  ['unsupported', [4200, 'The method is not supported.']],
])

let count = 0

function permission(accounts: unknown[]) {
  return { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: accounts }] }
}

/** Signs as a Safe of one owner for EIP-1271: the owner's signature on the SafeMessage. */
function signSafeMessage(owner: PrivateKeyAccount, chainId: number, safeAddress: Address, hash: Hex): Promise<Hex> {
  return owner.signTypedData({
    domain: { chainId, verifyingContract: safeAddress },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: hash },
  })
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
    signal: AbortSignal.timeout(30_000),
  })
  const answer = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }
  if (answer.error) throw new WalletError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result
}

/** Announces a wallet by EIP-6963, or puts it at `window.ethereum`. Runs in the page, and so uses nothing from around it. */
export function announceWallet({ id, appears, info }: Announcement): void {
  const request = Reflect.get(window, id) as (request: RpcRequest) => Promise<RpcAnswer>
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
    window.addEventListener(`${id}:${event}`, (happened) => {
      for (const listener of listeners.get(event) ?? []) listener((happened as CustomEvent).detail)
    })
  if (appears === 'injected') {
    Reflect.set(window, 'ethereum', provider)
    return
  }
  const detail = Object.freeze({ info: Object.freeze({ ...info }), provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const appear = () => {
    window.addEventListener('eip6963:requestProvider', tell)
    tell()
  }
  if (appears === 'announced') appear()
  else window.addEventListener(`${id}:announce`, appear)
}
