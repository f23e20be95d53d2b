import type { ReactNode } from 'react'
import type { Address as AddressType } from 'viem'
import { text } from '../text/text.ts'
import { Address } from './address.tsx'
import { PageHead } from './page-head.tsx'
import { TextLink } from './text-link.tsx'

const backs = {
  safes: { to: '/', label: 'safes.title' },
  safe: { to: '/safes/$chainId/$safeAddress', label: 'transaction.back' },
  team: { to: '/safes/$chainId/$safeAddress/team', label: 'safe.screens.team' },
  messages: { to: '/safes/$chainId/$safeAddress/messages', label: 'message.back' },
} as const

/** The head of a page about one Safe: the way back, what the page is, and which Safe it is about. */
export function SafePageHead({
  back,
  title,
  actions,
  what,
  chainId,
  safeAddress,
  chainName,
}: {
  /** The page that lists this one. */
  back: keyof typeof backs
  title: string
  actions?: ReactNode
  /** Purpose of the page. */
  what?: string
  chainId: number
  safeAddress: AddressType
  /** Undefined where the title says it, and while the chain is not known. */
  chainName?: string | undefined
}) {
  const { to, label } = backs[back]
  const name = chainName === undefined ? undefined : text('safe.title.on', { chain: chainName })
  return (
    <PageHead
      title={title}
      where={[name, `${safeAddress.slice(0, 6)}…${safeAddress.slice(-4)}`].filter(Boolean).join(' ')}
      back={
        <TextLink to={to} params={{ chainId, safeAddress }}>
          {text(label)}
        </TextLink>
      }
      actions={actions}
      about={<Address address={safeAddress} name={name} />}
      what={what}
    />
  )
}
