import { useConfiguration } from '../../api/configuration.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { text } from '../text.ts'

/** Says what to do where the browser keeps no cookie for a framed page, not even one of this frame alone. */
export function FrameWithoutCookies() {
  const { publicUrl } = useConfiguration()
  return (
    <Notice
      tone="warning"
      isAnnounced
      title={text('wallet.safe.noCookies')}
      actions={<ExternalLink href={publicUrl}>{text('wallet.safe.openTab')}</ExternalLink>}
    >
      {text('wallet.safe.noCookies.sentence')}
    </Notice>
  )
}

/** Tried with a cookie of the session's kind: HttpOnly ones cannot be seen from here. */
export function canKeepCookies(): boolean {
  const probe = 'countersign_probe=1'
  const attributes = 'Path=/; SameSite=None; Secure; Partitioned'
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and cannot be asked at once
    document.cookie = `${probe}; ${attributes}`
    const isKept = document.cookie.includes(probe)
    // biome-ignore lint/suspicious/noDocumentCookie: the same
    document.cookie = `${probe}; ${attributes}; Max-Age=0`
    return isKept
  } catch {
    return false
  }
}
