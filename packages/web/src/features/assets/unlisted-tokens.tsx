import type { Chain } from '@countersign/contract'
import type { TokenReading } from '@countersign/safe'
import { memo } from 'react'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { imitatedSymbol } from './assets.ts'
import { Claims } from './claims.tsx'
import { text } from './text.ts'
import { unreadText } from './unread-text.ts'

/** Tokens that nobody here vouches for: the address is what they are, the name what they say. */
export function UnlistedTokens({ tokens, chain: configured }: { tokens: readonly TokenReading[]; chain: Chain }) {
  const chain = useListedChain(configured.chainId) ?? configured
  return (
    <div>
      <h2 className="font-semibold">{text('assets.unlisted')}</h2>
      <p className="mt-1 mb-3 max-w-prose text-small text-ink-soft">{text('assets.unlisted.sentence')}</p>
      <Rows label={text('assets.unlisted')}>
        {tokens.map((token) => (
          <Row key={token.address}>
            <UnlistedToken token={token} chain={chain} />
          </Row>
        ))}
      </Rows>
    </div>
  )
}

/** Not drawn anew when others come: strangers may have sent thousands. */
const UnlistedToken = memo(function UnlistedToken({ token, chain }: { token: TokenReading; chain: Chain }) {
  const { address, balance, decimals } = token
  const imitated = imitatedSymbol(token, chain)
  return (
    // The padding is room for the marks of the focus, which end with the box.
    <article
      data-token={address}
      className="-m-1.5 grid justify-items-start gap-1.5 p-1.5 [contain-intrinsic-size:auto_8rem] [content-visibility:auto]"
    >
      <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-1">
        {typeof balance === 'bigint' ? (
          <Amount value={balance} decimals={decimals ?? 0} symbol={unitOf(token, imitated)} />
        ) : (
          <span className="text-warning">{unreadText(balance)}</span>
        )}
        <Tag tone="warning">{text('assets.tag.unlisted')}</Tag>
        {imitated !== null && (
          <Tag tone="danger">{text('assets.tag.imitates', { symbol: showUntrusted(imitated, 12) })}</Tag>
        )}
      </div>
      <Address address={address} hasAvatar={false} />
      <Claims claims={token} />
      {typeof balance === 'bigint' && decimals === null && (
        <p className="text-small text-warning">{text('assets.noDecimals')}</p>
      )}
    </article>
  )
})

/**
 * The token's own symbol stands in quotes; the symbol of another token would be read as that token's, quotes or not.
 */
export function unitOf({ decimals, symbol }: TokenReading, imitated: string | null): string {
  if (decimals === null) return text('assets.baseUnits')
  if (imitated !== null || !symbol) return text('assets.ownUnits')
  return text('assets.claimedUnit', { symbol: showUntrusted(symbol, 20) })
}
