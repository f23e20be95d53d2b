import {
  addAbi,
  addSafe,
  type Chain,
  type ClientOptions,
  call,
  confirmTransaction,
  getConfiguration,
  getTransaction,
  listQueue,
  listSafes,
  type MultisigTransaction,
  nameAddress,
  prepareSignIn,
  proposeTransaction,
  signIn,
} from '@countersign/contract'
import { abiTypedData, nameTypedData } from '@countersign/review'
import { hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { UI_TIMEOUT_MS } from '../browser/ui-timeout.ts'

/** An owner without a browser: the same HTTP operations, with a cookie jar and an Origin of its own. */
export type ScriptOwner = {
  account: PrivateKeyAccount
  chainId: number
  options: ClientOptions
  cookies: ReadonlyMap<string, string>
}

export type SafeAt = { chainId: number; safeAddress: Address; version: string }

/** Client options that keep cookies and name the origin, as a browser would. */
export function scriptClient(url: string, jar = new Map<string, string>()): ClientOptions {
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  return { baseUrl: url, fetch: send, headers: { origin: new URL(url).origin } }
}

export async function signInByScript(url: string, privateKey: Hex, chainId: number): Promise<ScriptOwner> {
  const account = privateKeyToAccount(privateKey)
  const cookies = new Map<string, string>()
  const options = scriptClient(url, cookies)
  const { message } = await call(options, prepareSignIn, { address: account.address, chainId })
  await call(options, signIn, { message, signature: await account.signMessage({ message }) })
  return { account, chainId, options, cookies }
}

export async function readChains(url: string): Promise<Chain[]> {
  return (await call({ baseUrl: url }, getConfiguration, {})).chains
}

export async function addSafeByScript(owner: ScriptOwner, address: Address) {
  return call(owner.options, addSafe, { chainId: owner.chainId, address })
}

export function signSafeTx(account: PrivateKeyAccount, safe: SafeAt, safeTx: SafeTx): Promise<Hex> {
  return account.signTypedData(safeTxTypedData({ ...safe, safeTx }))
}

export async function proposeByScript(
  owner: ScriptOwner,
  safe: SafeAt,
  fields: Partial<SafeTx> & Pick<SafeTx, 'to' | 'nonce'>,
): Promise<MultisigTransaction> {
  const safeTx = newSafeTx(fields)
  return call(owner.options, proposeTransaction, {
    chainId: safe.chainId,
    safeAddress: safe.safeAddress,
    safeTx,
    safeTxHash: hashSafeTx({ ...safe, safeTx }).safeTxHash,
    sender: owner.account.address,
    signature: await signSafeTx(owner.account, safe, safeTx),
  })
}

export async function readTransaction(owner: ScriptOwner, safeTxHash: Hex): Promise<MultisigTransaction> {
  return (await call(owner.options, getTransaction, { chainId: owner.chainId, safeTxHash })).transaction
}

export async function confirmByScript(owner: ScriptOwner, safe: SafeAt, safeTxHash: Hex): Promise<MultisigTransaction> {
  const { safeTx } = await readTransaction(owner, safeTxHash)
  if (!safeTx) throw new Error(`the fields of \`${safeTxHash}\` are not known`)
  const signature = await signSafeTx(owner.account, safe, safeTx)
  return call(owner.options, confirmTransaction, { chainId: owner.chainId, safeTxHash, signature })
}

/** The demo Safe's two queued transactions, once the devnet has proposed them. */
export async function readDemoQueue(
  owner: ScriptOwner,
): Promise<{ safeAddress: Address; harmless: Hex; malicious: Hex }> {
  const deadline = Date.now() + UI_TIMEOUT_MS
  while (Date.now() < deadline) {
    for (const { address: safeAddress } of (await call(owner.options, listSafes, {})).safes) {
      const { transactions } = await call(owner.options, listQueue, { chainId: owner.chainId, safeAddress })
      const harmless = transactions.find(({ safeTx }) => safeTx?.operation === 0)
      const malicious = transactions.find(({ safeTx }) => safeTx?.operation === 1)
      if (harmless && malicious) return { safeAddress, harmless: harmless.safeTxHash, malicious: malicious.safeTxHash }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the demo Safe has no queue')
}

/** Gives an ABI as an owner does in the page, with a signature. */
export async function giveAbiByScript(
  { account, options }: Pick<ScriptOwner, 'account' | 'options'>,
  { chainId, safeAddress }: Pick<SafeAt, 'chainId' | 'safeAddress'>,
  { contract, name, abi }: { contract: Address; name: string; abi: string },
) {
  const given = { chainId, safeAddress, contract, abi }
  const signature = await account.signTypedData(abiTypedData(given))
  return call(options, addAbi, { ...given, name, signature })
}

/** Names an address as an owner does in the page, with a signature. */
export async function nameByScript(
  { account, options }: Pick<ScriptOwner, 'account' | 'options'>,
  { chainId, safeAddress }: Pick<SafeAt, 'chainId' | 'safeAddress'>,
  { address, name }: { address: Address; name: string },
) {
  const given = { chainId, safeAddress, address, name }
  const signature = await account.signTypedData(nameTypedData(given))
  return call(options, nameAddress, { ...given, signature })
}
