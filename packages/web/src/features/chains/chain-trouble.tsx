import type { ChainStatus } from '@countersign/contract'
import { formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Standing } from './chain-status.ts'
import { text } from './text.ts'

/** Shows the reason why a chain is not read, since when, and the remedy. Nothing while it is read. */
export function ChainTrouble({ status, standing, title }: { status: ChainStatus; standing: Standing; title?: string }) {
  const { chainId, stoppedAt, disagreement, failure, head } = status
  const timeText = (time: string) => formatTime(new Date(time))
  switch (standing) {
    case 'stopped':
      return (
        <TroubleNotice standing={standing} tone="danger" title={title}>
          <p>{text('chains.stopped.sentence', { time: stoppedAt ? timeText(stoppedAt) : '' })}</p>
          <p className="mt-2">{text('chains.stopped.how')}</p>
          <Command value={`COUNTERSIGN_REBUILD=${chainId}:BLOCK`} />
        </TroubleNotice>
      )
    case 'disagreement':
      return (
        <TroubleNotice standing={standing} tone="danger" title={title}>
          {text('chains.disagreement.sentence', {
            time: disagreement ? timeText(disagreement.since) : '',
            hosts: (disagreement?.hosts ?? []).map((host) => showUntrusted(host, 100)).join(', '),
            block: disagreement?.blockNumber ?? '',
          })}
        </TroubleNotice>
      )
    case 'failing':
      return (
        <TroubleNotice
          standing={standing}
          tone="warning"
          title={title}
          hint={<span className="figures">{failure && showUntrusted(failure.code, 60)}</span>}
        >
          {text('chains.failing.sentence', { time: failure ? timeText(failure.since) : '' })}
        </TroubleNotice>
      )
    case 'silent':
      return (
        <TroubleNotice standing={standing} tone="warning" title={title}>
          {text('chains.silent.sentence', { time: head ? timeText(head.readAt) : '' })}
        </TroubleNotice>
      )
    case 'unreachable':
    case 'wrong-chain':
      return (
        <TroubleNotice standing={standing} tone="warning" title={title}>
          {text(`chains.${standing}.sentence`)}
        </TroubleNotice>
      )
    default:
      return null
  }
}

type Trouble = 'stopped' | 'disagreement' | 'failing' | 'silent' | 'unreachable' | 'wrong-chain'

/** A notice whose title is that of the trouble, unless the page has its own. */
function TroubleNotice({
  standing,
  title = text(`chains.${standing}`),
  ...notice
}: { standing: Trouble; title: string | undefined } & Pick<
  Parameters<typeof Notice>[0],
  'tone' | 'hint' | 'children'
>) {
  return <Notice isAnnounced title={title} {...notice} />
}

function Command({ value }: { value: string }) {
  return (
    <p className="mt-2 flex flex-wrap items-baseline gap-x-2">
      <code className="figures text-small wrap-anywhere">{value}</code>
      <CopyButton value={value} label={text('chains.rebuild.copy', { command: value })} />
    </p>
  )
}
