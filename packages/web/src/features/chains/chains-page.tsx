import type { Chain, ChainStatus } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useChains } from '../../api/configuration.ts'
import { formatDuration, formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/list.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { chainStatusQuery, percentOf, type Standing, secondsOf, standingOf } from './chain-status.ts'
import { ChainTrouble } from './chain-trouble.tsx'
import { Findings } from './findings.tsx'
import { NodeLimits } from './node-limits.tsx'
import { OutboundHosts, outboundQuery } from './outbound-hosts.tsx'
import { PriceSources } from './price-sources.tsx'
import { ReloadConfiguration } from './reload-configuration.tsx'
import { text } from './text.ts'
import { TokenLists } from './token-lists.tsx'

/** How far each chain is read, and what keeps it from going on. */
export function ChainsPage() {
  const chains = useChains()
  const found = useQuery(chainStatusQuery)
  const mayReload = useQuery(outboundQuery).data?.mayReload === true
  return (
    <>
      <PageHead
        title={text('chains.title')}
        back={<TextLink to="/">{text('safes.title')}</TextLink>}
        what={text('chains.aside')}
      />
      <Loaded of={found} loading={text('chains.loading')} lines={5}>
        {({ chains: statuses, readAt }) => (
          <>
            {statuses.map((status) => (
              <ChainSection
                key={status.chainId}
                status={status}
                chain={chains.find(({ chainId }) => chainId === status.chainId)}
                standing={standingOf(status, readAt)}
              />
            ))}
            <TokenLists />
            <PriceSources />
            <OutboundHosts />
            {mayReload && <Findings />}
            {mayReload && <ReloadConfiguration />}
          </>
        )}
      </Loaded>
    </>
  )
}

const tones = {
  'up-to-date': 'good',
  behind: 'warning',
  'reading-past': 'neutral',
  starting: 'neutral',
  silent: 'warning',
  failing: 'warning',
  unreachable: 'warning',
  'wrong-chain': 'warning',
  disagreement: 'danger',
  stopped: 'danger',
} as const satisfies Record<Standing, string>

function ChainSection({
  status,
  chain,
  standing,
}: {
  status: ChainStatus
  chain: Chain | undefined
  standing: Standing
}) {
  const { chainId, index, cursor, head, lag, backfill, discovery } = status
  return (
    <div data-chain={chainId} data-standing={standing}>
      <Section
        title={text('chains.name', { name: showUntrusted(chain?.name ?? '', 60), chainId })}
        aside={<Tag tone={tones[standing]}>{text(`chains.standing.${standing}`)}</Tag>}
      >
        <div className="not-empty:mb-4">
          <ChainTrouble status={status} standing={standing} />
        </div>
        <Facts>
          <Fact label={text('chains.mode')} hint={text(`chains.mode.${index}.hint`)}>
            {text(`chains.mode.${index}`)}
          </Fact>
          {chain && (
            <Fact label={text('chains.sources')} hint={text('chains.sources.hint')}>
              {text(chain.proof.wallet ? 'chains.sources.wallet' : 'chains.sources.nodes', {
                count: chain.proof.sources,
              })}
            </Fact>
          )}
          <Fact label={text('chains.nodes')} hint={status.nodes.length > 1 ? text('chains.nodes.hint') : undefined}>
            <NodeLimits nodes={status.nodes} />
          </Fact>
          <Fact label={text('chains.cursor')}>
            <Block block={cursor} />
          </Fact>
          <Fact
            label={text('chains.head')}
            hint={head ? text('chains.head.readAt', { time: formatTime(new Date(head.readAt)) }) : undefined}
          >
            <Block block={head} />
          </Fact>
          <Fact label={text('chains.lag')}>
            <span data-lag={lag?.blocks}>{lag === null ? text('chains.block.none') : lagText(lag)}</span>
          </Fact>
          <Fact label={text('chains.backfill')}>
            {backfill ? (
              <Part label={text('chains.backfill')} percent={percentOf(backfill)} words={backfillText(backfill)} />
            ) : (
              text('chains.backfill.none')
            )}
          </Fact>
          {index === 'whole-chain' && (
            <Fact label={text('chains.discovery')}>
              {discovery ? (
                <Part
                  label={text('chains.discovery')}
                  percent={percentOf(discovery)}
                  words={text('chains.discovery.value', {
                    percent: percentOf(discovery),
                    left: discovery.blocksLeft,
                  })}
                />
              ) : (
                text('chains.discovery.none')
              )}
            </Fact>
          )}
        </Facts>
      </Section>
    </div>
  )
}

function Block({ block }: { block: { blockNumber: number; time: string | null } | null }) {
  if (!block) return text('chains.block.none')
  return (
    <span className="flex flex-wrap gap-x-4">
      <span data-block={block.blockNumber}>{text('chains.block', { block: block.blockNumber })}</span>
      {block.time && (
        <span className="text-ink-soft">
          <Time value={block.time} />
        </span>
      )}
    </span>
  )
}

function lagText({ blocks: count, seconds }: NonNullable<ChainStatus['lag']>): string {
  if (count === 0) return text('chains.lag.none')
  const blocks = text('chains.lag.blocks', { count })
  return seconds === null ? blocks : text('chains.lag.time', { blocks, duration: formatDuration(seconds * 1000) })
}

function backfillText(backfill: NonNullable<ChainStatus['backfill']>): string {
  const { safes, blocksLeft: left, blocksPerSecond } = backfill
  const done = text('chains.backfill.value', { percent: percentOf(backfill), left, safes })
  const seconds = secondsOf(left, blocksPerSecond)
  if (seconds === null) return done
  const rate = Math.max(1, Math.round(blocksPerSecond ?? 0))
  return `${done}. ${text('chains.backfill.pace', { rate, duration: formatDuration(Math.max(1, seconds) * 1000) })}`
}

function Part({ label, percent, words }: { label: string; percent: number; words: string }) {
  return (
    <span className="grid gap-1.5">
      {words}
      <Progress label={label} percent={percent} />
    </span>
  )
}
