import type { EIP1193Provider } from 'viem'
import { cleanName } from '../text/untrusted.ts'

/** A wallet that announced itself (EIP-6963). All but the provider is what it says about itself. */
export type AnnouncedWallet = {
  id: string
  rdns: string
  name: string
  icon: string | undefined
  provider: EIP1193Provider
  /** Something else announces itself under the same `rdns`: one of them is not what it says. */
  isContested: boolean
}

const MAX_WALLETS = 30
const MAX_ICON_LENGTH = 200_000
const RDNS = /^[\w-]+(\.[\w-]+)*$/
/** Pictures are shown by <img> alone, where nothing in them runs or calls elsewhere. */
const ICON = /^data:image\/(svg\+xml|png|webp|jpeg|gif|avif)[;,]/

type Announcement = { uuid: string; rdns: string; name: string; icon: string | undefined; provider: EIP1193Provider }

/**
 * The list with one more announcement. A repeated one changes nothing; a second program under a name that is taken is
 * listed beside the first, and both are marked.
 */
export function addAnnouncement(known: readonly Announcement[], detail: unknown): readonly Announcement[] {
  const announcement = readAnnouncement(detail)
  if (!announcement || known.length >= MAX_WALLETS) return known
  const { provider, uuid, rdns } = announcement
  if (known.some((one) => one.provider === provider || (one.uuid === uuid && one.rdns === rdns))) return known
  return [...known, announcement]
}

export function toAnnouncedWallets(known: readonly Announcement[]): AnnouncedWallet[] {
  return known.map(({ uuid: _, ...wallet }, index) => {
    const earlier = known.slice(0, index).filter(({ rdns }) => rdns === wallet.rdns).length
    // A reverse domain name has a dot, and so never is the id of an entry of ours.
    const id = wallet.rdns.includes('.') ? wallet.rdns : `announced.${wallet.rdns}`
    return {
      ...wallet,
      id: earlier === 0 ? id : `${id}~${earlier + 1}`,
      isContested: known.filter(({ rdns }) => rdns === wallet.rdns).length > 1,
    }
  })
}

function readAnnouncement(detail: unknown): Announcement | null {
  if (!isRecord(detail) || !isRecord(detail.info) || !isProvider(detail.provider)) return null
  const { uuid, rdns, name, icon } = detail.info
  if (typeof uuid !== 'string' || typeof rdns !== 'string' || rdns.length > 100 || !RDNS.test(rdns)) return null
  const picture = typeof icon === 'string' ? icon.trim() : ''
  return {
    uuid,
    rdns,
    name: (typeof name === 'string' && cleanName(name)) || rdns,
    icon: picture.length <= MAX_ICON_LENGTH && ICON.test(picture) ? picture : undefined,
    provider: detail.provider,
  }
}

let announcements: readonly Announcement[] = []
let wallets: readonly AnnouncedWallet[] = []
const listeners = new Set<() => void>()
let isListening = false

/** From the first use on: asks the wallets to announce themselves, and keeps listening for those that are late. */
function listen(): void {
  if (isListening) return
  isListening = true
  window.addEventListener('eip6963:announceProvider', (event) => {
    const next = addAnnouncement(announcements, 'detail' in event ? event.detail : undefined)
    if (next === announcements) return
    announcements = next
    wallets = toAnnouncedWallets(next)
    for (const listener of listeners) listener()
  })
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isProvider(value: unknown): value is EIP1193Provider {
  return isRecord(value) && typeof value.request === 'function'
}
