import { onlineManager } from '@tanstack/react-query'
import { type AnyRoute, createLazyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { configurationQuery } from '../api/configuration.ts'
import type { Area } from '../text/keys.gen.ts'
import { loadTexts, needTexts, withTexts } from '../text/text.ts'
import { partsAtRest } from '../ui/part/import-part.ts'
import { sessionQuery } from '../wallet/index.ts'
import { queries } from './queries.ts'

/**
 * A route with its page, whose code comes when somebody is about to go there. The page gets the route's parameters.
 *
 * @param load the page; where it cannot be loaded, `RouteProblem` says so
 * @param areas texts that it has, which then come together with its code
 */
export function page<Route extends AnyRoute>(
  route: Route,
  load: () => Promise<ComponentType<Route['types']['allParams']>>,
  ...areas: Area[]
): Route {
  route.lazy(async () => {
    const Page = await withTexts(load, ...areas)
    bringErrorsOnce()
    return createLazyRoute(route.id)({ component: () => <Page {...route.useParams()} /> })
  })
  return route
}

/** Errors come of what somebody does: with the first key or press, before it can have failed. */
const DOINGS = ['click', 'keydown'] as const

let isErrorsAwaited = false

/**
 * Loads the sentences of all errors after the person's first action and its own files. Without a network they could not be
 * loaded later.
 */
function bringErrorsOnce(): void {
  if (isErrorsAwaited) return
  isErrorsAwaited = true
  const bring = () => {
    if (!onlineManager.isOnline()) return
    for (const doing of DOINGS) removeEventListener(doing, bring)
    void partsAtRest().then(() => {
      needTexts('errors')
      loadTexts().catch(() => {})
    })
  }
  for (const doing of DOINGS) addEventListener(doing, bring, { passive: true })
}

type PageData = typeof import('./page-data.ts')['pageData'] & typeof import('./more-page-data.ts')['morePageData']

/**
 * A loader that starts to ask for what a page shows, and waits for nothing: the page says how each of its queries
 * stands. Before somebody goes there (the pointer is on a link) only the code comes, which costs the server nothing. Without a
 * network nothing is asked for.
 */
export function starting<Name extends keyof PageData>(name: Name) {
  return ({ params, cause }: { params: Parameters<PageData[Name]>[0]; cause: 'preload' | 'enter' | 'stay' }): void => {
    if (!onlineManager.isOnline()) return
    const coming = isSeenMost(name) ? seenMost() : more()
    if (cause === 'preload') coming.catch(() => {})
    else
      void whenSignedIn(coming).then(
        // One function of the table, with the parameters that are its own.
        (starts) => (starts?.[name] as ((place: typeof params) => void) | undefined)?.(params),
        () => {},
      )
  }
}

/** Functions that start the queries of pages, by name. */
type Starts = Partial<PageData>

const isSeenMost = (name: keyof PageData) => name === 'overview' || name === 'queue'
const seenMost = async (): Promise<Starts> => (await import('./page-data.ts')).pageData
const more = async (): Promise<Starts> => (await import('./more-page-data.ts')).morePageData

/** Nothing of a page is anybody's before it is known who reads. What fails here is told by the page. */
async function whenSignedIn<Module>(coming: Promise<Module>): Promise<Module | null> {
  const known = [queries.ensureQueryData(sessionQuery), queries.ensureQueryData(configurationQuery)] as const
  const [module, { session }] = await Promise.all([coming, ...known])
  return session && module
}
