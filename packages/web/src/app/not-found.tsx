import { Link, useLocation } from '@tanstack/react-router'
import { text } from '../text/text.ts'
import { PageHead } from '../ui/section.tsx'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <>
      <PageHead title={text('app.notFound.title')} />
      <p className="mb-6 max-w-prose wrap-anywhere">{text('app.notFound.sentence', { path: pathname })}</p>
      <Link to="/" className="font-semibold text-accent underline underline-offset-4">
        {text('app.notFound.home')}
      </Link>
    </>
  )
}
