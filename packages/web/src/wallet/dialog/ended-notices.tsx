import type { ReactNode } from 'react'
import { formatTime } from '../../text/locale.ts'
import { text } from '../../text/text.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWalletThatDisconnected } from '../connectors/connection.ts'
import type { EndedSession } from '../session/session.ts'

/** Tells why the session of this page ended or is suspended, and what to do now. */
export function SessionEndedNotice({
  end,
  isAnnounced = false,
  actions,
}: {
  end: EndedSession['end']
  isAnnounced?: boolean
  actions?: ReactNode
}) {
  return (
    <Notice tone="warning" isAnnounced={isAnnounced} title={text(`wallet.ended.${end.reason}`)} actions={actions}>
      {sentenceOf(end)}
    </Notice>
  )
}

/** Shows that the wallet ended an open connection. `AttemptFailure` shows a failure to connect, such as a lost relay. */
export function ConnectionEndedNotice({ actions }: { actions?: ReactNode }) {
  const wallet = useWalletThatDisconnected()
  if (wallet === null) return null
  return (
    <Notice tone="warning" isAnnounced title={text('wallet.connect.ended', { wallet })} actions={actions}>
      {text('wallet.connect.ended.sentence')}
    </Notice>
  )
}

function sentenceOf(end: EndedSession['end']): string {
  if (end.reason === 'signed-out') return text('wallet.ended.signed-out.sentence')
  return text(`wallet.ended.${end.reason}.sentence`, { time: formatTime(new Date(end.at)) })
}
