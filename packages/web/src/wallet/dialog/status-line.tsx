import { text } from '../../text/text.ts'
import { useConnection } from '../connectors/connection.ts'
import { useSession } from '../session/session.ts'

/** Both statuses in words, read out when one changes. It stands in the page, and in the dialog that covers it. */
export function StatusLine({ isHidden = false }: { isHidden?: boolean }) {
  const { status: connection } = useConnection()
  const { status: session, error } = useSession()
  return (
    <p
      role="status"
      className={isHidden ? 'sr-only' : 'flex flex-wrap gap-x-4 overflow-x-clip text-small text-ink-faint'}
      data-statuses
    >
      <span>{text(`wallet.status.connection.${connection}`)}</span>
      <span className="relative">
        {/* On a line of its own the second one has its dot beyond the edge. */}
        <span className="absolute -left-4 w-4 text-center whitespace-pre"> · </span>
        {text(error ? 'wallet.status.session.unknown' : `wallet.status.session.${session}`)}
      </span>
    </p>
  )
}
