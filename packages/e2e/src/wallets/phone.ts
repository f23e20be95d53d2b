import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignClient } from '@walletconnect/sign-client'
import { type Address, createWalletClient, type Hex, hexToBigInt, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { UI_TIMEOUT_MS } from '../browser/ui-timeout.ts'

/** Reaction of the person to a request: answers it, rejects it with a code, or lets the phone lie. */
export type PhoneBehaviour = 'answer' | 'wait' | { reject: number }

/** A wallet on a phone: WalletConnect's own client at the other end, with a key, following a script. */
export type Phone = {
  /** Requests of the page, in order. */
  readonly requests: { method: string; chainId: string }[]
  /** Scans a code and approves chains; the account is this phone's on each of them. */
  scan(uri: string, approve: { chainIds: number[]; methods?: string[] }): Promise<void>
  /** Scans a code, and the person declines with this code. */
  scanAndReject(uri: string, code: number): Promise<void>
  /** Scans a code and looks at it; `approve` is the person's tap, however late. */
  scanAndWait(uri: string, chainIds: number[]): Promise<{ approve: () => Promise<void> }>
  behave(behaviour: PhoneBehaviour): void
  /** The person selects another account, or another chain, in the wallet. */
  switchTo(to: { privateKey?: Hex; chainId?: number }): Promise<void>
  /** Connections that this phone believes to have. */
  connections(): number
  endConnection(): Promise<void>
  close(): Promise<void>
}

export type PhoneOptions = {
  relayUrl: string
  rpcUrl: string
  privateKey: Hex
  /** How its app is opened by a link. */
  deepLink?: string
  /** Chains that the wallet has never heard of until it is asked to add them. */
  unknownChainIds?: number[]
}

type ErrorAnswer = { code: number; message: string }

const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
const events = ['chainChanged', 'accountsChanged']

/** Gives the page as much time as a person has patience. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(UI_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('the page did not answer the phone')
  })
  return Promise.race([answer, late])
}

/**
 * A socket that was replaced, even before it was open, and is refused late has nobody left who listens: its error would
 * end the tests.
 */
function listenToEverySocket({ core: { relayer } }: Awaited<ReturnType<typeof SignClient.init>>): void {
  const makesSockets = relayer as typeof relayer & { createProvider: () => Promise<void> }
  const createProvider = makesSockets.createProvider.bind(relayer)
  makesSockets.createProvider = async () => {
    await createProvider()
    relayer.provider.on('error', () => {})
  }
}

/** A WalletConnect client that keeps what it stores in memory, and asks nobody but the relay. */
async function connectClient(relayUrl: string, deepLink: string | undefined) {
  const stored = new Map<string, string>()
  const client = await SignClient.init({
    relayUrl,
    metadata: {
      name: 'Test phone',
      description: '',
      url: 'https://phone.example',
      icons: [],
      ...(deepLink ? { redirect: { native: deepLink } } : {}),
    },
    customStoragePrefix: randomUUID(),
    storage: {
      getItem: async (key) => JSON.parse(stored.get(key) ?? 'null') ?? undefined,
      setItem: async (key, value) => void stored.set(key, JSON.stringify(value)),
      removeItem: async (key) => void stored.delete(key),
      getKeys: async () => [...stored.keys()],
      getEntries: async () => [],
    },
    telemetryEnabled: false,
    logger: 'silent',
  })
  // It would ask a host on the internet about the page.
  client.core.verify.resolve = async () => ({ origin: '' })
  listenToEverySocket(client)
  return client
}

export async function startPhone({
  relayUrl,
  rpcUrl,
  privateKey,
  deepLink,
  unknownChainIds = [],
}: PhoneOptions): Promise<Phone> {
  const client = await connectClient(relayUrl, deepLink)
  let account = privateKeyToAccount(privateKey)
  let behaviour: PhoneBehaviour = 'answer'
  const requests: Phone['requests'] = []
  const unknown = new Set(unknownChainIds)

  const namespacesOf = (chainIds: number[], allowed: string[]) => {
    const chains = chainIds.map((chainId) => `eip155:${chainId}`)
    const accounts = chains.map((chain) => `${chain}:${account.address}`)
    return { eip155: { chains, accounts, methods: allowed, events } }
  }

  async function perform(method: string, params: unknown[]): Promise<unknown> {
    switch (method) {
      case 'personal_sign':
        return account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(params[1] as string))
      case 'eth_sendTransaction': {
        const { to, data, value } = params[0] as { to: Address; data?: Hex; value?: Hex }
        const sender = createWalletClient({ account, transport: http(rpcUrl) })
        return sender.sendTransaction({ chain: null, to, data, value: value ? hexToBigInt(value) : 0n })
      }
      case 'wallet_addEthereumChain':
      case 'wallet_switchEthereumChain': {
        const chainId = Number((params[0] as { chainId: Hex }).chainId)
        if (method === 'wallet_addEthereumChain') unknown.delete(chainId)
        if (unknown.has(chainId)) return { code: 4902, message: 'Unrecognized chain.' }
        const { topic, namespaces } = session()
        const known = (namespaces.eip155?.chains ?? []).map((chain) => Number(chain.split(':')[1]))
        // The page hears of the chain a moment after the answer, as from real wallets.
        setTimeout(() => {
          const updated = namespacesOf([...known, chainId], namespaces.eip155?.methods ?? methods)
          void client.update({ topic, namespaces: updated })
        }, 200)
        return null
      }
      default:
        throw new Error(`The phone does not know \`${method}\`.`)
    }
  }
  client.on('session_request', ({ topic, id, params: { request, chainId } }) => {
    requests.push({ method: request.method, chainId })
    if (behaviour === 'wait') return
    const error = behaviour === 'answer' ? null : { code: behaviour.reject, message: 'User rejected.' }
    void (async () => {
      const result = error ?? (await perform(request.method, request.params))
      const isError = typeof result === 'object' && result !== null && 'code' in result
      await client.respond({
        topic,
        response: isError ? { id, jsonrpc: '2.0', error: result as ErrorAnswer } : { id, jsonrpc: '2.0', result },
      })
    })()
  })

  async function proposalOf(uri: string): Promise<number> {
    const arrived = new Promise<number>((resolve) => client.once('session_proposal', ({ id }) => resolve(id)))
    await client.pair({ uri })
    return inTime(arrived)
  }
  const session = () => {
    const [first] = client.session.getAll()
    if (!first) throw new Error('the phone has no connection')
    return first
  }
  /** The client's own `acknowledged()` loses an answer that is back before the request is known to be on its way. */
  async function update(topic: string, namespaces: ReturnType<typeof namespacesOf>): Promise<void> {
    const { history } = client.core
    let stop = () => {}
    const answered = new Promise<void>((resolve) => {
      const onUpdated = ({ topic: of, request }: { topic: string; request: { method: string } }) => {
        if (of === topic && request.method === 'wc_sessionUpdate') resolve()
      }
      history.on('history_updated', onUpdated)
      stop = () => history.off('history_updated', onUpdated)
    })
    try {
      await client.update({ topic, namespaces })
      await inTime(answered)
    } finally {
      stop()
    }
  }
  async function approve(id: number, chainIds: number[], allowed = methods): Promise<void> {
    await client.approve({ id, namespaces: namespacesOf(chainIds, allowed) })
  }

  return {
    requests,
    scan: async (uri, { chainIds, methods: allowed }) => approve(await proposalOf(uri), chainIds, allowed),
    scanAndReject: async (uri, code) => {
      const id = await proposalOf(uri)
      await client.reject({ id, reason: { code, message: 'User rejected.' } })
    },
    scanAndWait: async (uri, chainIds) => {
      const id = await proposalOf(uri)
      return { approve: () => approve(id, chainIds) }
    },
    behave: (next) => {
      behaviour = next
    },
    switchTo: async ({ privateKey: next, chainId }) => {
      const { topic, namespaces } = session()
      const chains = namespaces.eip155?.chains ?? []
      const chain = chainId === undefined ? chains[0] : `eip155:${chainId}`
      if (!chain) throw new Error('the phone has approved no chain')
      if (next) {
        account = privateKeyToAccount(next)
        const chainIds = chains.map((chain) => Number(chain.split(':')[1]))
        await update(topic, namespacesOf(chainIds, namespaces.eip155?.methods ?? methods))
        await client.emit({ topic, chainId: chain, event: { name: 'accountsChanged', data: [account.address] } })
      }
      if (chainId !== undefined)
        await client.emit({ topic, chainId: chains[0] ?? chain, event: { name: 'chainChanged', data: chainId } })
    },
    connections: () => client.session.length,
    endConnection: async () =>
      client.disconnect({ topic: session().topic, reason: { code: 6000, message: 'User disconnected.' } }),
    close: async () => {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
    },
  }
}
