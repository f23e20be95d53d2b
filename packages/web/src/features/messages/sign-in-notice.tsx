import { signInCode } from '../../api/sign-in-link.ts'
import { Notice } from '../../ui/notice.tsx'
import { text } from './text.ts'

/** Says what it means to sign a sign-in as the Safe, and by which code its owner knows whose it is. */
export function SignInNotice({ message }: { message: string }) {
  return (
    <Notice tone="warning" title={text('messages.signIn.title')} hint={text('messages.signIn.hint')}>
      {text('messages.signIn.code')}{' '}
      <span className="figures font-semibold" data-sign-in-code>
        {signInCode(message)}
      </span>
    </Notice>
  )
}
