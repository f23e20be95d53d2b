import type { WalletWarning } from '../connectors/wallet-warnings.ts'
import { text } from '../text.ts'

/** Why the name of a wallet proves nothing, under that name. */
export function WarningLine({ warning }: { warning: WalletWarning }) {
  return (
    <span data-warning={warning.kind} className="block text-small font-normal text-warning wrap-anywhere">
      {sentenceOf(warning)}
    </span>
  )
}

function sentenceOf(warning: WalletWarning): string {
  const { kind, rdns } = warning
  if (kind === 'imitates') return text('wallet.connect.warning.imitates', { rdns, known: warning.known })
  if (kind === 'contested') return text('wallet.connect.warning.contested', { rdns, count: warning.count })
  return text(`wallet.connect.warning.${kind}`, { rdns })
}
