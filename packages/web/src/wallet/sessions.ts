import { lazy } from 'react'

/** Sessions of the account. Their list comes with whatever shows it, not with the first page. */
export const Sessions = lazy(async () => ({ default: (await import('./session-list.tsx')).SessionList }))
