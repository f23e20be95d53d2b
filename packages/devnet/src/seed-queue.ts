import {
  addSafe,
  type ClientOptions,
  call,
  getConfiguration,
  prepareSignIn,
  proposeTransaction,
  signIn,
  signOut,
} from '@countersign/contract'
import { privateKeyToAccount } from 'viem/accounts'
import type { DemoAccount } from './accounts.ts'
import { type DemoProposal, demoQueue, demoScenario, isDemoSafeLost, readDemoNonce } from './demo.ts'

export type SeedQueueOptions = { serverUrl: string; devnet: { rpcUrl: string; chainId: number } }

/**
 * Adds the demo Safe to its owners' lists and proposes its queue, through the server's own API as people would.
 * What is there already stays as it is, and what was executed meanwhile is not proposed again.
 */
export async function seedQueue({ serverUrl, devnet: { rpcUrl, chainId } }: SeedQueueOptions): Promise<void> {
  if (await isDemoSafeLost(rpcUrl)) return
  const nonce = await readDemoNonce(rpcUrl)
  const { harmless, malicious } = await demoQueue(chainId)
  const { publicUrl } = await call({ baseUrl: serverUrl }, getConfiguration, {})
  const origin = new URL(publicUrl).origin

  for (const owner of demoScenario.owners) {
    const client = await signInAs(owner, { serverUrl, origin, chainId })
    await call(client, addSafe, { chainId, address: demoScenario.safeAddress })
    for (const proposal of [harmless, malicious])
      if (proposal.proposer.address === owner.address && proposal.safeTx.nonce >= nonce)
        await propose(client, chainId, proposal)
    await call(client, signOut, {})
  }
}

async function propose(client: ClientOptions, chainId: number, proposal: DemoProposal): Promise<void> {
  const { safeTx, safeTxHash, proposer, signature, origin } = proposal
  await call(client, proposeTransaction, {
    chainId,
    safeAddress: demoScenario.safeAddress,
    safeTx,
    safeTxHash,
    sender: proposer.address,
    signature,
    origin,
  })
}

/** Signs in with a key instead of a wallet; the answer is a client of that session. */
export async function signInAs(
  { address, privateKey }: DemoAccount,
  { serverUrl, origin, chainId }: { serverUrl: string; origin: string; chainId: number },
): Promise<ClientOptions> {
  const client = { baseUrl: serverUrl, fetch: fetchWithCookies(), headers: { origin } }
  const { message } = await call(client, prepareSignIn, { address, chainId })
  const signature = await privateKeyToAccount(privateKey).signMessage({ message })
  await call(client, signIn, { message, signature })
  return client
}

/** Node's fetch keeps no cookies. This one keeps those of a single server, as one browser profile does. */
function fetchWithCookies(): typeof fetch {
  const cookies = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const name = pair.slice(0, pair.indexOf('=')).trim()
      const isEnded = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute))
      if (isEnded) cookies.delete(name)
      else cookies.set(name, pair.slice(pair.indexOf('=') + 1).trim())
    }
    return response
  }
}
