import { isRecord } from '@countersign/safe'
import { cleanName } from '../../text/untrusted.ts'
import { isKnownRdns } from './known-wallets.ts'
import { lastWallet } from './last-wallet.ts'
import { isProvider } from './tame-provider.ts'

/** A wallet that announced itself (EIP-6963). All but the provider is what it says about itself. */
export type AnnouncedWallet = {
  id: string
  uuid: string
  rdns: string
  name: string
  icon: string | undefined
  /** As it came: what is read of it may throw, see `tame-provider.ts`. */
  provider: object
  /** Number of other programs with the same name that are over the limit. Each counts once. */
  leftOut?: { count: number; providers: WeakSet<object> }
}

/** Limit of unknown wallets, and of known and recent ones, which the others cannot push out. */
const MAX_WALLETS = 500
const MAX_ICON_LENGTH = 200_000
const MAX_ICONS_LENGTH = 4_000_000
const RDNS = /^[\w-]+(\.[\w-]+)*$/
/** Pictures are shown by <img> alone, where nothing in them runs or calls elsewhere. */
const ICON = /^data:image\/(svg\+xml|png|webp|jpeg|gif|avif)[;,]/

/**
 * The list with one more announcement. A repeated one changes nothing; a second program under a name that is taken is
 * listed beside the first.
 *
 * @param recentId of the wallet that was connected last
 */
export function addAnnouncement(
  known: readonly AnnouncedWallet[],
  detail: unknown,
  recentId: string | null = null,
): readonly AnnouncedWallet[] {
  const announced = parseAnnouncement(detail)
  if (!announced) return known
  const { provider, rdns, icon } = announced
  if (known.some((other) => other.provider === provider && other.rdns === rdns)) return known
  const isFamiliar = (wallet: { rdns: string }) =>
    isKnownRdns(wallet.rdns) || idOf(wallet.rdns) === recentId?.split('~')[0]
  const like = known.filter((other) => isFamiliar(other) === isFamiliar(announced))
  if (like.length >= MAX_WALLETS) return leaveOut(known, announced)
  const iconsLength = like.reduce((sum, wallet) => sum + (wallet.icon?.length ?? 0), icon?.length ?? 0)
  const earlier = known.filter((other) => other.rdns === rdns).length
  return [
    ...known,
    {
      ...announced,
      id: earlier === 0 ? idOf(rdns) : `${idOf(rdns)}~${earlier + 1}`,
      icon: iconsLength <= MAX_ICONS_LENGTH ? icon : undefined,
    },
  ]
}

/** Counts a program that is over the limit, at the first program of its name. */
function leaveOut(
  known: readonly AnnouncedWallet[],
  { rdns, provider }: Pick<AnnouncedWallet, 'rdns' | 'provider'>,
): readonly AnnouncedWallet[] {
  const first = known.find((other) => other.rdns === rdns)
  if (!first || first.leftOut?.providers.has(provider)) return known
  const providers = first.leftOut?.providers ?? new WeakSet()
  providers.add(provider)
  const leftOut = { count: (first.leftOut?.count ?? 0) + 1, providers }
  return known.map((wallet) => (wallet === first ? { ...wallet, leftOut } : wallet))
}

/** A reverse domain name has a dot, and so never is the id of an entry of ours. */
function idOf(rdns: string): string {
  return rdns.includes('.') ? rdns : `announced.${rdns}`
}

function parseAnnouncement(detail: unknown): Omit<AnnouncedWallet, 'id'> | null {
  try {
    if (!isRecord(detail) || !isRecord(detail.info)) return null
    const { provider } = detail
    const { uuid, rdns, name, icon } = detail.info
    if (!isProvider(provider)) return null
    if (typeof uuid !== 'string' || typeof rdns !== 'string' || rdns.length > 100 || !RDNS.test(rdns)) return null
    const picture = typeof icon === 'string' && icon.length <= MAX_ICON_LENGTH ? icon.trim() : ''
    return {
      uuid: uuid.slice(0, 100),
      rdns: rdns.toLowerCase(),
      name: (typeof name === 'string' && cleanName(name)) || rdns,
      icon: ICON.test(picture) ? picture : undefined,
      provider,
    }
  } catch {
    // An announced wallet is a stranger's object: its properties may throw.
    return null
  }
}

/** Reads window.ethereum, if it can be asked: reading it may throw, and it may be anything. */
export function readInjected(): object | undefined {
  try {
    const injected: unknown = Reflect.get(window, 'ethereum')
    return isProvider(injected) ? injected : undefined
  } catch {
    return undefined
  }
}

let wallets: readonly AnnouncedWallet[] = []
const listeners = new Set<() => void>()
let isListening = false

/** From the first use on: asks the wallets to announce themselves, and keeps listening for those that are late. */
function listen(): void {
  if (isListening) return
  isListening = true
  const take = (next: readonly AnnouncedWallet[]) => {
    if (next === wallets) return
    wallets = next
    for (const listener of listeners) listener()
  }
  window.addEventListener('eip6963:announceProvider', (event) =>
    take(addAnnouncement(wallets, readDetail(event), lastWallet.readRecent())),
  )
  // Said by wallets that put themselves at window.ethereum late: the list is the same, and is drawn anew.
  window.addEventListener('ethereum#initialized', () => take([...wallets]))
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

export function announcedWallets(): readonly AnnouncedWallet[] {
  listen()
  return wallets
}

export function subscribeToAnnouncements(listener: () => void): () => void {
  listen()
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function readDetail(event: Event): unknown {
  try {
    return 'detail' in event ? event.detail : undefined
  } catch {
    return undefined
  }
}
