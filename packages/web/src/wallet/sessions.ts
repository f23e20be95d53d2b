import { lazy } from 'react'
import { withTexts } from '../text/text.ts'

/** Sessions of the account. Their list comes with whatever shows it, not with the first page. */
export const Sessions = lazy(async () => ({
  default: (await withTexts(() => import('./session-list.tsx'))).SessionList,
}))
