import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { safeQuery } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Abis } from './abis.tsx'
import { AddressNames } from './address-names.tsx'
import { text } from './text.ts'

/** Shows the names and ABIs that people of a Safe's team gave. */
export function BookPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const safe = useQuery(safeQuery(chainId, safeAddress))
  return (
    <div data-book={safeAddress}>
      <SafePageHead chainId={chainId} safeAddress={safeAddress} title={text('book.title')} what={text('book.what')} />
      <Loaded of={safe} loading={text('book.names.loading')}>
        {({ role }) => (
          <>
            {role === 'viewer' && (
              <div className="mb-8">
                <Notice>{text('book.readOnly')}</Notice>
              </div>
            )}
            <AddressNames chainId={chainId} safeAddress={safeAddress} role={role} />
            <Abis chainId={chainId} safeAddress={safeAddress} role={role} />
          </>
        )}
      </Loaded>
    </div>
  )
}
