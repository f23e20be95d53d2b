import { useLocation } from '@tanstack/react-router'
import { text } from '../text/text.ts'
import { PageHead } from '../ui/page-head.tsx'
import { TextLink } from '../ui/text-link.tsx'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <>
      <PageHead title={text('app.notFound.title')} what={text('app.notFound.sentence', { path: pathname })} />
      <TextLink to="/" look="action">
        {text('app.notFound.home')}
      </TextLink>
    </>
  )
}
