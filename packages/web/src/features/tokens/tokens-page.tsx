import { Link } from '@tanstack/react-router'
import { Empty } from '../../ui/empty.tsx'
import { PageHead } from '../../ui/section.tsx'
import { text } from './text.ts'

/** What the account's scripts may show instead of a session. */
export function TokensPage() {
  return (
    <>
      <PageHead
        above={
          <Link to="/" className="underline decoration-rule-strong underline-offset-4">
            {text('safes.title')}
          </Link>
        }
        title={text('tokens.title')}
      />
      <Empty title={text('tokens.empty')}>{text('tokens.empty.sentence')}</Empty>
    </>
  )
}
