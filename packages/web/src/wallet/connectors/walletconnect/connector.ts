import type { Chain, WalletConnectSettings } from '@countersign/contract'
import type { Address } from 'viem'
import { guardedStorage } from '../../../device/guarded-storage.ts'
import { fail } from '../../../text/fail.ts'
import type { Connector, WalletAnswer, WalletChange } from '../connector.ts'
import { parseChainId } from '../provider-values.ts'
import { parseEventAccount } from './approval.ts'
import type { Client } from './client.ts'
import { type Connection, type PreferredConnection, readConnection } from './connection.ts'
import { keepDeepLink } from './deep-link.ts'
import { endSession, isAwaited, pair } from './pairing.ts'
import { createProvider } from './provider.ts'

const CONNECTION = 'countersign.walletconnect'
const DISCONNECT_MS = 3_000
const NAME = 'WalletConnect'

type LoadClient = (settings: WalletConnectSettings) => Promise<Client>

/** WalletConnect. Its client is loaded when a phone is to be paired, or was paired last time. */
export function walletConnect(
  settings: WalletConnectSettings,
  chains: readonly Chain[],
  load: LoadClient = async () => (await import('./client.ts')).startClient(settings),
): Connector {
  const configured = chains.map(({ chainId }) => chainId)
  const { notify, listen: listenToChanges } = createChanges()
  const endings = createEndings()
  let connection: Connection | null = null
  let name = NAME
  /** Counts the person's requests, so that an earlier one is dropped when a new one starts. */
  let turn = 0
  /** Counts the chains that the phone has reported. */
  let chainsTold = 0

  const loadClient = loadOnce(async () => listen(await load(settings)))
  const listen = (client: Client): Client => {
    followPhone(client, {
      onApproval: (topic) => refresh(client, topic, { preferredChainId: connection?.chainId }),
      onChain: (topic, chainId) => {
        chainsTold++
        refresh(client, topic, { chainId })
      },
      onAccount: (topic, account) => refresh(client, topic, { chainId: connection?.chainId, accounts: [account] }),
      onEnd: (topic) => forget(topic),
      isOurs: (topic) => topic === connection?.topic,
    })
    return client
  }

  const keep = (next: Connection): Connection => {
    connection = next
    name = next.walletName
    guardedStorage.setItem(CONNECTION, JSON.stringify({ topic: next.topic, chainId: next.chainId }))
    return next
  }
  /** Takes over what the phone says now: its chain, its account, what it still approves. */
  const refresh = (client: Client, topic: string, wishes: PreferredConnection): void => {
    const before = connection
    if (before?.topic !== topic) return
    const next = readApproved(client, topic, configured, {
      ...wishes,
      accounts: [...(wishes.accounts ?? []), before.account],
    })
    if (!next) forget(topic)
    else {
      keep(next)
      if (next.account !== before.account || next.chainId !== before.chainId)
        notify({ accounts: [next.account], chainId: next.chainId })
    }
  }
  const drop = (topic: string): void => {
    connection = null
    endings.end(topic)
  }
  const forget = (topic: string): void => {
    if (connection?.topic !== topic) return
    guardedStorage.removeItem(CONNECTION)
    drop(topic)
    notify('ended')
  }
  // Another tab has disconnected, or paired anew: the phone no longer answers what this one asks.
  window.addEventListener('storage', ({ key }) => {
    if (key !== CONNECTION || !connection || readStoredAnswer()?.topic === connection.topic) return
    drop(connection.topic)
    notify('disconnected')
  })

  /** The connection of last time, if both sides still know it. */
  const restore = async (): Promise<Connection | null> => {
    const kept = readStoredAnswer()
    if (connection || !kept) return connection
    const asked = turn
    const client = await loadClient()
    // A new pairing or a disconnection meanwhile takes precedence.
    if (asked !== turn) return null
    for (const { topic } of client.session.getAll()) if (topic !== kept.topic) void endSession(client, topic)
    const found = readApproved(client, kept.topic, configured, { preferredChainId: kept.chainId })
    if (!found) guardedStorage.removeItem(CONNECTION)
    return found && keep(found)
  }
  const scan = async (): Promise<Connection> => keep(await pairWith(await loadClient(), configured, settings))
  const end = async (): Promise<void> => {
    turn++
    if (!connection) return
    const { topic } = connection
    guardedStorage.removeItem(CONNECTION)
    drop(topic)
    const client = await loadClient()
    // A relay that is away must not keep anybody connected here.
    const limit = new Promise((resolve) => setTimeout(resolve, DISCONNECT_MS))
    await Promise.race([endSession(client, topic), limit])
  }

  const provider = createProvider({
    get: () => connection,
    client: loadClient,
    chainsTold: () => chainsTold,
    moveTo: async (topic, chainId) => refresh(await loadClient(), topic, { chainId }),
    untilEnded: endings.until,
  })

  return {
    id: 'walletConnect',
    get name() {
      return name
    },
    asksIn: 'phone',
    connect: async () => {
      await end()
      name = NAME
      return toAnswer(await scan())
    },
    reconnect: () => restore().then((restored) => restored && toAnswer(restored)),
    disconnect: end,
    getProvider: () => provider,
    // The client reports changes, not the provider.
    listen: listenToChanges,
  }
}

/** Loads once for all callers. After a failure, the next caller loads again. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return async () => {
    loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

type PhoneFollower = {
  onApproval: (topic: string) => void
  onChain: (topic: string, chainId: number | undefined) => void
  onAccount: (topic: string, account: Address | undefined) => void
  onEnd: (topic: string) => void
  isOurs: (topic: string) => boolean
}

function followPhone(client: Client, { onApproval, onChain, onAccount, onEnd, isOurs }: PhoneFollower): void {
  client.on('session_update', ({ topic }) => onApproval(topic))
  client.on('session_event', ({ topic, params: { event, chainId } }) => {
    if (event.name === 'chainChanged') onChain(topic, parseChainId(event.data) ?? parseChainId(chainId))
    if (event.name === 'accountsChanged') onAccount(topic, parseEventAccount(event.data))
  })
  client.on('session_delete', ({ topic }) => onEnd(topic))
  client.on('session_expire', ({ topic }) => onEnd(topic))
  // Approved after the page stopped waiting, perhaps for a page that was closed.
  client.on('session_connect', ({ session }) => {
    if (!isAwaited(session) && !isOurs(session.topic)) void endSession(client, session.topic)
  })
}

function readApproved(
  client: Client,
  topic: string,
  configured: number[],
  wishes: PreferredConnection,
): Connection | null {
  return client.session.keys.includes(topic) ? readConnection(client.session.get(topic), configured, wishes) : null
}

function toAnswer({ account, chainId }: Connection): WalletAnswer {
  return { accounts: [account], chainId }
}

function createChanges() {
  const listeners = new Set<(change: WalletChange) => void>()
  return {
    notify: (change: WalletChange) => {
      for (const listener of [...listeners]) listener(change)
    },
    listen: (listener: (change: WalletChange) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Pairs a phone that has an account on one of the chains; a phone without one is let go. */
async function pairWith(
  client: Client,
  configured: number[],
  { codeSeconds }: WalletConnectSettings,
): Promise<Connection> {
  const session = await pair(client, configured, codeSeconds)
  const approved = readConnection(session, configured, {})
  if (approved) {
    await keepDeepLink(client, session)
    if (client.session.keys.includes(session.topic)) return approved
    // Approved and immediately ended.
    throw fail('WALLET_NOT_CONNECTED', { reason: 'ended' })
  }
  await endSession(client, session.topic)
  throw fail('WALLET_FAILED', { reason: 'no-phone-account' })
}

/** Waits for the end of connections, so that what was asked of a phone fails with it. */
function createEndings() {
  const endings = new Set<(topic: string) => void>()
  const until = (topic: string) => {
    let end: (ended: string) => void = () => {}
    const promise = new Promise<never>((_, reject) => {
      end = (ended) => {
        if (ended === topic) reject(fail('WALLET_NOT_CONNECTED', { reason: 'ended' }))
      }
    })
    endings.add(end)
    return { promise, stop: () => void endings.delete(end) }
  }
  const end = (topic: string): void => {
    for (const ending of endings) ending(topic)
  }
  return { until, end }
}

function readStoredAnswer(): { topic: string; chainId: number | undefined } | null {
  try {
    const kept: unknown = JSON.parse(guardedStorage.getItem(CONNECTION) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('topic' in kept) || typeof kept.topic !== 'string') return null
    return { topic: kept.topic, chainId: 'chainId' in kept ? parseChainId(kept.chainId) : undefined }
  } catch {
    return null
  }
}
