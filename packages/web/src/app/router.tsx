import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
} from '@tanstack/react-router'
import { getAddress, isAddress, isHash } from 'viem'
import { text } from '../text/text.ts'
import { Loading } from '../ui/loading.tsx'
import { RequireSession } from '../wallet/index.ts'
import { NotFound } from './not-found.tsx'
import {
  ActivityRoute,
  BookRoute,
  ChainsRoute,
  HomeRoute,
  MessageRoute,
  MessagesRoute,
  NewMessageRoute,
  ProposeRoute,
  SafeRoute,
  TeamRoute,
  TokensRoute,
  TransactionRoute,
} from './pages.tsx'
import { RouteProblem } from './route-problem.tsx'
import { SafeLayout } from './safe-layout.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** Everything below asks for a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: () => (
    <RequireSession>
      <Outlet />
    </RequireSession>
  ),
})

/** Says what this is to those who are not signed in, and asks for the session itself. */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: HomeRoute,
})

const safe = createRoute({
  getParentRoute: () => signedIn,
  path: '/safes/$chainId/$safeAddress',
  params: { parse: readSafeParams, stringify: writeSafeParams },
  component: SafeLayout,
})

const safeOverview = createRoute({
  getParentRoute: () => safe,
  path: '/',
  component: SafeRoute,
})

const book = createRoute({
  getParentRoute: () => safe,
  path: 'book',
  component: BookRoute,
})

const activity = createRoute({
  getParentRoute: () => safe,
  path: 'activity',
  component: ActivityRoute,
})

const team = createRoute({
  getParentRoute: () => safe,
  path: 'team',
  component: TeamRoute,
})

const propose = createRoute({
  getParentRoute: () => safe,
  path: 'new',
  validateSearch: readProposeSearch,
  component: ProposeRoute,
})

const transaction = createRoute({
  getParentRoute: () => safe,
  path: 'transactions/$safeTxHash',
  params: {
    parse: ({ safeTxHash }) => {
      if (!isHash(safeTxHash)) throw notFound()
      return { safeTxHash }
    },
    stringify: ({ safeTxHash }) => ({ safeTxHash }),
  },
  component: TransactionRoute,
})

const messages = createRoute({
  getParentRoute: () => safe,
  path: 'messages',
  component: MessagesRoute,
})

const newMessage = createRoute({
  getParentRoute: () => safe,
  path: 'messages/new',
  component: NewMessageRoute,
})

const message = createRoute({
  getParentRoute: () => safe,
  path: 'messages/$safeMessageHash',
  params: {
    parse: ({ safeMessageHash }) => {
      if (!isHash(safeMessageHash)) throw notFound()
      return { safeMessageHash }
    },
    stringify: ({ safeMessageHash }) => ({ safeMessageHash }),
  },
  component: MessageRoute,
})

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/tokens',
  component: TokensRoute,
})

const chains = createRoute({
  getParentRoute: () => signedIn,
  path: '/chains',
  component: ChainsRoute,
})

const design = createRoute({
  getParentRoute: () => root,
  path: '/design',
  component: lazyRouteComponent(() => import('./design-page.tsx'), 'DesignPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signedIn.addChildren([
      safe.addChildren([safeOverview, messages, newMessage, message, team, propose, transaction, book, activity]),
      tokens,
      chains,
    ]),
    design,
  ]),
  defaultPendingComponent: () => <Loading label={text('app.loading')} />,
  defaultErrorComponent: RouteProblem,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function readSafeParams({ chainId, safeAddress }: { chainId: string; safeAddress: string }) {
  const isWritten = /^[1-9][0-9]{0,15}$/.test(chainId) && Number.isSafeInteger(Number(chainId))
  // Lower case has no checksum to be wrong; anything else must be right.
  if (!isWritten || !isAddress(safeAddress, { strict: safeAddress !== safeAddress.toLowerCase() })) throw notFound()
  return { chainId: Number(chainId), safeAddress: getAddress(safeAddress) }
}

/** `nonce`: of the proposal that the new one is to replace, or with `cancel` to end. */
function readProposeSearch({ nonce, cancel }: Record<string, unknown>): { nonce?: string; cancel?: true } {
  const written = typeof nonce === 'number' ? String(nonce) : nonce
  if (typeof written !== 'string' || !/^(?:0|[1-9][0-9]{0,77})$/.test(written)) return {}
  return cancel === true ? { nonce: written, cancel } : { nonce: written }
}

function writeSafeParams({ chainId, safeAddress }: { chainId: number; safeAddress: string }) {
  return { chainId: String(chainId), safeAddress }
}
