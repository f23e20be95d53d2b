import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'

/** Sessions of the account. Their list comes with whatever shows it, not with the first page. */
export const Sessions = lazyPart(async () => (await withTexts(() => import('../dialog/session-list.tsx'))).SessionList)
