import { createServer, type Server } from 'node:http'
import { deploySafe } from '@countersign/devnet'
import { newSafeTx, type SafeTx, safeMessageTypedData } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import {
  type Address,
  concatHex,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  http,
  isHex,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { signSafeTx } from '../people/script-owner.ts'
import { sendAs, team } from '../people/team.ts'

const VERSION = '1.4.1'
const signMessageLib: Address = '0xd53cd0aB83D845Ac265BE939c57F53AD838012c9'
const libAbi = parseAbi(['function signMessage(bytes data)'])
const safeAbi = parseAbi(['function nonce() view returns (uint256)'])

/** Reaction of the person at the Safe interface when an app asks for a signature. */
type SafeBehaviour = 'sign' | 'sign-on-chain' | 'answer-nothing' | 'reject'

type SafeHostOptions = { port: number; appUrl: string; rpcUrl: string; chainId: number }

/**
 * A Safe interface: a page with the app in a frame, that speaks the Safe Apps protocol, and behind it a real Safe whose
 * owners sign. It answers at `localhost`, the app's own site, and at `127.0.0.1`, another.
 */
export type SafeHost = {
  sameSite: string
  crossSite: string
  /** The Safe that the interface is on. */
  readonly safeAddress: Address
  /** Requests of the app, in order. */
  readonly requests: { method: string; params: unknown }[]
  /** Opens a new Safe of these owners in it. */
  openSafe(owners: readonly Hex[], threshold: number): Promise<Address>
  behave(behaviour: SafeBehaviour): void
  /** Answers nothing at all, as a page that is no Safe interface. */
  mute(isMute: boolean): void
  /** Shown by the app's messages to the interface. */
  pretendChain(chainId: number): void
  /** Another owner signs, in their own time, whatever has been asked for. */
  signAs(privateKey: Hex): Promise<void>
  /** The owners execute what was asked for on the chain. */
  executeOnChain(): Promise<void>
  close(): Promise<void>
}

type Reply = { success: true; data: unknown } | { success: false; error: string }

/** Asks the chain for the app. */
async function passOn(rpcUrl: string, { call, params }: Record<string, unknown>): Promise<unknown> {
  if (call === 'safe_setSettings') return { offChainSigning: true }
  if (call !== 'eth_call') throw new Error(`the interface does not pass on ${String(call)}`)
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
    signal: AbortSignal.timeout(30_000),
  })
  const body: { result?: unknown; error?: { message: string } } = await response.json()
  if (!isHex(body.result)) throw new Error(body.error?.message ?? 'no result')
  return body.result
}

export async function startSafeHost({ port, appUrl, rpcUrl, chainId }: SafeHostOptions): Promise<SafeHost> {
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const requests: SafeHost['requests'] = []
  let safe: { safeAddress: Address; owners: readonly Hex[]; threshold: number } | undefined
  let behaviour: SafeBehaviour = 'sign'
  let isMute = false
  let shownChainId = chainId
  let asked: { message: string; signatures: Map<string, Hex> } | undefined
  let salt = BigInt(Date.now()) * 1000n

  function current() {
    if (!safe) throw new Error('no Safe is open in the interface')
    return safe
  }

  const typedData = (message: string) =>
    safeMessageTypedData({
      chainId,
      safeAddress: current().safeAddress,
      version: VERSION,
      content: { encoding: 'EIP191_TEXT', text: message },
    })

  async function sign(privateKey: Hex): Promise<void> {
    if (!asked) throw new Error('nothing was asked for')
    const account = privateKeyToAccount(privateKey)
    asked.signatures.set(account.address.toLowerCase(), await account.signTypedData(typedData(asked.message)))
  }

  /** All signatures in the order of their owners, once there are enough. */
  function prepared(): Hex | undefined {
    const signatures = [...(asked?.signatures ?? [])].sort(([one], [other]) => (one < other ? -1 : 1))
    if (signatures.length < current().threshold) return undefined
    return concatHex(signatures.map(([, signature]) => signature))
  }

  async function onChainTx(message: string): Promise<SafeTx> {
    const { safeAddress } = current()
    const nonce = await chain.readContract({ address: safeAddress, abi: safeAbi, functionName: 'nonce' })
    const data = encodeFunctionData({ abi: libAbi, args: [hashMessage(message)] })
    return newSafeTx({ to: signMessageLib, operation: 1, data, nonce })
  }

  async function signMessage(message: string): Promise<unknown> {
    if (behaviour === 'reject') throw new Error('Transaction was rejected')
    // An interface that lost its pending promise answers an old request of the same words too.
    if (asked?.message !== message) asked = { message, signatures: new Map() }
    if (behaviour === 'answer-nothing') return {}
    if (behaviour === 'sign-on-chain') return { safeTxHash: hashTypedData(typedData(message)) }
    const [first] = current().owners
    if (first) await sign(first)
    const signature = prepared()
    return signature ? { signature } : { messageHash: hashTypedData(typedData(message)) }
  }

  async function answer(method: string, params: unknown): Promise<unknown> {
    const { safeAddress, owners, threshold } = current()
    const values: Record<string, unknown> = typeof params === 'object' && params !== null ? { ...params } : {}
    switch (method) {
      case 'getSafeInfo':
        return {
          safeAddress,
          chainId: shownChainId,
          threshold,
          owners: owners.map((key) => privateKeyToAccount(key).address),
          isReadOnly: false,
        }
      case 'signMessage':
        return signMessage(String(values.message))
      case 'getOffChainSignature':
        return asked && params === hashTypedData(typedData(asked.message)) ? prepared() : undefined
      case 'rpcCall':
        return passOn(rpcUrl, values)
      default:
        throw new Error(`the interface does not know ${method}`)
    }
  }

  async function reply(text: string): Promise<Reply | null> {
    const { method, params }: { method: string; params: unknown } = JSON.parse(text)
    requests.push({ method, params })
    if (isMute) return null
    try {
      return { success: true, data: await answer(method, params) }
    } catch (error) {
      return { success: false, error: error instanceof Error ? error.message : String(error) }
    }
  }

  const server = await listen(port, appUrl, reply)
  return {
    sameSite: `http://localhost:${port}`,
    crossSite: `http://127.0.0.1:${port}`,
    get safeAddress() {
      return current().safeAddress
    },
    requests,
    openSafe: async (owners, threshold) => {
      const safeAddress = await deploySafe({
        rpcUrl,
        chainId,
        version: VERSION,
        owners: owners.map((key) => privateKeyToAccount(key).address),
        threshold,
        saltNonce: salt++,
      })
      safe = { safeAddress, owners, threshold }
      asked = undefined
      behaviour = 'sign'
      isMute = false
      shownChainId = chainId
      requests.length = 0
      return safeAddress
    },
    behave: (next) => {
      behaviour = next
    },
    mute: (next) => {
      isMute = next
    },
    pretendChain: (next) => {
      shownChainId = next
    },
    signAs: sign,
    executeOnChain: async () => {
      if (!asked) throw new Error('nothing was asked for')
      const { safeAddress, owners, threshold } = current()
      const safeTx = await onChainTx(asked.message)
      const signers = owners.slice(0, threshold).map((key) => privateKeyToAccount(key))
      signers.sort((one, other) => (one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1))
      const signatures = await Promise.all(
        signers.map((account) => signSafeTx(account, { chainId, safeAddress, version: VERSION }, safeTx)),
      )
      const data = encodeExecTransaction(safeTx, concatHex(signatures))
      await sendAs(team.relayer.privateKey, rpcUrl, { to: safeAddress, data })
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function listen(port: number, appUrl: string, reply: (text: string) => Promise<Reply | null>): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(await reply(text)))
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page(new URL(appUrl).origin, new URL(request.url ?? '/', appUrl).pathname))
  })
  return new Promise((resolve) => server.listen(port, () => resolve(server)))
}

/** The interface's page. It hears only its own frame, and answers only the app's origin. */
function page(appOrigin: string, path: string): string {
  return `<!doctype html>
<html lang="en"><head><title>Safe interface</title><link rel="icon" href="data:,"></head>
<body style="margin:0">
<main><h1 style="position:absolute;left:-9999px">Safe interface</h1><iframe id="app" title="Safe App" src="${appOrigin}${path}" style="border:0;width:100%;height:100vh"
  sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms allow-modals allow-downloads"></iframe></main>
<script>
const frame = document.getElementById('app')
addEventListener('message', async ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== ${JSON.stringify(appOrigin)}) return
  const response = await fetch('/', { method: 'POST', body: JSON.stringify({ method: data.method, params: data.params }) })
  const reply = await response.json()
  if (reply) source.postMessage({ id: data.id, version: '9.1.0', ...reply }, origin)
})
</script></body></html>`
}
