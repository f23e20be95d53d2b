import type { WalletWarning } from './providers/wallet-warnings.ts'
import { text } from './text.ts'

/** Why the name of a wallet proves nothing, under that name. */
export function WarningLine({ warning }: { warning: WalletWarning }) {
  return (
    <span data-warning={warning.kind} className="block text-small font-normal text-warning wrap-anywhere">
      {warning.kind === 'imitates'
        ? text('wallet.connect.warning.imitates', { rdns: warning.rdns, known: warning.known })
        : text(`wallet.connect.warning.${warning.kind}`, { rdns: warning.rdns })}
    </span>
  )
}
