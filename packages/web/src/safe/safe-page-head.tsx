import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { text } from '../text/safe.ts'
import { PageHead } from '../ui/page-head.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { useSafeTitle } from './names/use-safe-name.ts'

/** Sections that hold pages of their own. */
const parents = {
  queue: { to: '/safes/$chainId/$safeAddress/queue', label: 'safe.screens.queue' },
  team: { to: '/safes/$chainId/$safeAddress/team', label: 'safe.screens.team' },
  messages: { to: '/safes/$chainId/$safeAddress/messages', label: 'safe.screens.messages' },
} as const

/** The head of a page of a Safe. The tab is named after the page, then after the Safe. */
export function SafePageHead({
  parent,
  title,
  tabTitle = title,
  actions,
  about,
  what,
  chainId,
  safeAddress,
}: {
  /** The section that holds this page; undefined for the section itself. */
  parent?: keyof typeof parents
  title: string
  /** Where the tab says more than the head, or other things. */
  tabTitle?: string
  actions?: ReactNode
  about?: ReactNode
  /** Purpose of the page. */
  what?: string
  chainId: number
  safeAddress: Address
}) {
  const safeTitle = useSafeTitle(chainId, safeAddress)
  const above = parent && parents[parent]
  return (
    <PageHead
      title={title}
      tab={[tabTitle, safeTitle].filter((part, index, all) => all.indexOf(part) === index)}
      back={
        above && (
          <TextLink to={above.to} params={{ chainId, safeAddress }}>
            {text(above.label)}
          </TextLink>
        )
      }
      actions={actions}
      about={about}
      what={what}
    />
  )
}
