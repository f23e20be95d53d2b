import type { Place } from '../../safe/queries.ts'
import { text } from '../../safe/text.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { openWalletDialog, useSession } from '../../wallet/index.ts'

/** Shows which account is signed in and who can give it access, in place of an object that it may not see. */
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
