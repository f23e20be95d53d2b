import { useState } from 'react'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { useSession } from '../session/session.ts'

/** Signs out, or says at once that the session has not ended. */
export function SignOutButton() {
  const { signOut } = useSession()
  const [status, setStatus] = useState<'idle' | 'leaving' | 'failed'>('idle')
  const leave = () => {
    setStatus('leaving')
    signOut().then(
      () => setStatus('idle'),
      () => setStatus('failed'),
    )
  }
  return (
    <div className="grid content-start gap-1">
      <Button busy={status === 'leaving' ? text('wallet.profile.signingOut') : undefined} onClick={leave}>
        {text('wallet.profile.signOut')}
      </Button>
      <p role="status" className="text-small text-danger empty:hidden">
        {status === 'failed' && text('wallet.profile.signOut.failed')}
      </p>
    </div>
  )
}
