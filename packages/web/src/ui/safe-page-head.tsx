import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Address as AddressType } from 'viem'
import { text } from '../text/text.ts'
import { Address } from './address.tsx'
import { PageHead } from './section.tsx'

const backs = {
  safes: { to: '/', label: 'safes.title' },
  safe: { to: '/safes/$chainId/$safeAddress', label: 'transaction.back' },
  messages: { to: '/safes/$chainId/$safeAddress/messages', label: 'message.back' },
} as const

/** The head of a page about one Safe: the way back, what the page is, and which Safe it is about. */
export function SafePageHead({
  back,
  title,
  actions,
  chainId,
  safeAddress,
  chainName,
}: {
  /** The page that lists this one. */
  back: keyof typeof backs
  title: ReactNode
  actions?: ReactNode
  chainId: number
  safeAddress: AddressType
  /** Undefined where the title says it, and while the chain is not known. */
  chainName?: string | undefined
}) {
  const { to, label } = backs[back]
  return (
    <>
      <PageHead
        above={
          <Link
            to={to}
            params={{ chainId, safeAddress }}
            className="underline decoration-rule-strong underline-offset-4"
          >
            {text(label)}
          </Link>
        }
        title={title}
        actions={actions}
      />
      <div className="mb-8">
        <Address
          address={safeAddress}
          name={chainName === undefined ? undefined : text('safe.title.on', { chain: chainName })}
        />
      </div>
    </>
  )
}
