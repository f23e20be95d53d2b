import { call, confirmTransaction, prepareSignIn, signIn } from '@countersign/contract'
import {
  addSafeByScript,
  newSafe,
  proposeByScript,
  rpcUrlOf,
  type ScriptOwner,
  scriptClient,
  signInByScript,
  signSafeTx,
  startProduct,
  team,
} from '@countersign/e2e'
import { type Hex, hashMessage, hexToBytes, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Entry, Measurement } from './entry.ts'

const signIns = 200
const confirmations = 150
const parallel = 8

/** Requests through HTTP to a running product, beside the signature recovery that each of them has to contain. */
export const service: Entry = {
  name: 'service',
  about: 'sign-in and confirm requests per second, beside bare signature recovery',
  async run() {
    await using product = await startProduct({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
    const rpcUrl = rpcUrlOf(product)
    const safe = await newSafe({ rpcUrl, chainId: 31337, version: '1.4.1' })
    const anna = await signInByScript(product.url, team.anna.privateKey, 31337)
    const bruno = await signInByScript(product.url, team.bruno.privateKey, 31337)
    await addSafeByScript(anna, safe.safeAddress)

    const recoveries = await bareRecoveries()
    const { preparing, verifying } = await measureSignIn(product.url)
    const confirmRate = await measureConfirm(anna, bruno, safe)
    return [
      line('sign in, stage 1: the message is asked for', preparing, recoveries),
      line('sign in, stage 3: the signature becomes a session', verifying, recoveries),
      line('confirm: owners read from the chain, hash and signature checked, stored', confirmRate, recoveries),
      { what: 'bare recovery without native code', value: recoveries.pure, unit: '/s' },
    ]
  },
}

type Rates = { native: number | null; pure: number }

function line(what: string, value: number, { native, pure }: Rates): Measurement {
  return {
    what,
    value,
    unit: '/s',
    peer: { what: native ? 'bare recovery, native, one core' : 'bare recovery, one core', value: native ?? pure },
  }
}

async function measureSignIn(url: string): Promise<{ preparing: number; verifying: number }> {
  const account = privateKeyToAccount(team.anna.privateKey)
  // Signing is the wallet's work: it is done before the clock starts.
  const prepared = await inParallel(signIns, async () => {
    const options = scriptClient(url)
    const { message } = await call(options, prepareSignIn, { address: account.address, chainId: 31337 })
    return { options, message, signature: await account.signMessage({ message }) }
  })
  const preparing = await rateOf(signIns, () =>
    call(scriptClient(url), prepareSignIn, { address: account.address, chainId: 31337 }),
  )
  const verifying = await rateOf(signIns, async (index) => {
    const one = prepared[index]
    if (one) await call(one.options, signIn, { message: one.message, signature: one.signature })
  })
  return { preparing, verifying }
}

async function measureConfirm(
  anna: ScriptOwner,
  bruno: ScriptOwner,
  safe: Parameters<typeof proposeByScript>[1],
): Promise<number> {
  const account = privateKeyToAccount(team.bruno.privateKey)
  const ready = await inParallel(confirmations, async (index) => {
    const proposed = await proposeByScript(anna, safe, { to: team.stranger.address, nonce: BigInt(index) })
    if (!proposed.safeTx) throw new Error('a proposal came back without its fields')
    return { safeTxHash: proposed.safeTxHash, signature: await signSafeTx(account, safe, proposed.safeTx) }
  })
  return rateOf(confirmations, async (index) => {
    const one = ready[index]
    if (one) await call(bruno.options, confirmTransaction, { chainId: safe.chainId, ...one })
  })
}

async function bareRecoveries(): Promise<Rates> {
  const account = privateKeyToAccount(team.anna.privateKey)
  const hash = hashMessage('bench')
  const signature = await account.signMessage({ message: 'bench' })
  const pure = await rateOf(400, () => recoverAddress({ hash, signature }), 1)
  const native = await nativeRecover()
  return { pure, native: native ? await rateOf(5000, async () => native(hash, signature), 1) : null }
}

/** The same native code that the server uses, where it loads. */
async function nativeRecover(): Promise<((hash: Hex, signature: Hex) => Uint8Array) | null> {
  try {
    const { default: secp256k1 } = await import('secp256k1')
    return (hash, signature) => {
      const bytes = hexToBytes(signature)
      return secp256k1.ecdsaRecover(bytes.slice(0, 64), (bytes[64] ?? 27) - 27, hexToBytes(hash), false)
    }
  } catch {
    return null
  }
}

async function rateOf(count: number, once: (index: number) => Promise<unknown>, width = parallel): Promise<number> {
  const started = performance.now()
  await inParallel(count, once, width)
  return count / ((performance.now() - started) / 1000)
}

async function inParallel<T>(count: number, once: (index: number) => Promise<T>, width = parallel): Promise<T[]> {
  const results: T[] = new Array(count)
  let next = 0
  async function worker(): Promise<void> {
    for (let index = next++; index < count; index = next++) results[index] = await once(index)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
