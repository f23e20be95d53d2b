import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { openWalletDialog, useSession } from '../../wallet/index.ts'
import type { Place } from '../subject.ts'
import { text } from '../text.ts'

/** In the place of what is not there for this account: which account that is, and who can show it. */
export function NotVisible({ kind }: { kind: Place['kind'] }) {
  const { session } = useSession()
  return (
    <div data-not-visible>
      <Notice
        isAnnounced
        title={text('notVisible.title')}
        hint={text('notVisible.hint')}
        actions={<Button onClick={openWalletDialog}>{text('notVisible.switch')}</Button>}
      >
        <p>{text(`notVisible.${kind}`)}</p>
        {session && (
          <p className="my-2">
            <Address address={session.address} />
          </p>
        )}
      </Notice>
    </div>
  )
}
