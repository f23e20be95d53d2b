import { createRootRoute, createRoute, createRouter, notFound, Outlet } from '@tanstack/react-router'
import { type Address, getAddress, type Hex, isAddress, isHash } from 'viem'
import { parseQueueChoice } from '../features/queue/queue-choice.ts'
import { RequireSession } from '../wallet/index.ts'
import { Home } from './home.tsx'
import { NotFound } from './not-found.tsx'
import { page, starting } from './page.tsx'
import { RouteProblem } from './route-problem.tsx'
import { Coming, Shell } from './shell/shell.tsx'

// Every page of the product: its path, what its parameters may be, what it starts to ask for (`page-data.ts`), its
// component. Features do not know each other; a page that is made of several is put together beside this file.

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** There at once. Says what this is to those who are not signed in, and asks for the session itself. */
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

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

const tokens = page(
  createRoute({ getParentRoute: () => signedIn, path: '/tokens' }),
  async () => (await import('../features/tokens/tokens-page.tsx')).TokensPage,
  'tokens',
)

const account = page(
  createRoute({ getParentRoute: () => signedIn, path: '/account' }),
  async () => (await import('../features/account/account-page.tsx')).AccountPage,
  'account',
  'wallet-dialog',
)

const create = page(
  createRoute({ getParentRoute: () => signedIn, path: '/create' }),
  async () => (await import('../features/create/create-page.tsx')).CreatePage,
  'create',
  'safe',
  'findings',
)

const chains = page(
  createRoute({ getParentRoute: () => signedIn, path: '/chains' }),
  async () => (await import('../features/chains/chains-page.tsx')).ChainsPage,
  'chains',
)

const safe = createRoute({
  getParentRoute: () => signedIn,
  path: '/safes/$chainId/$safeAddress',
  params: { parse: parseSafeParams, stringify: writeSafeParams },
})

const overview = page(
  createRoute({ getParentRoute: () => safe, path: '/', loader: starting('overview') }),
  async () => (await import('./safe-home.tsx')).SafeHome,
  'safe',
)

const queue = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'queue',
    validateSearch: parseQueueChoice,
    loader: starting('queue'),
  }),
  async () => (await import('./queue-page.tsx')).QueuePage,
  'safe',
)

const history = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'history',
    validateSearch: (search: Record<string, unknown>) => search,
    loader: starting('history'),
  }),
  async () => (await import('./history-page.tsx')).HistoryPage,
  'safe',
)

const assets = page(
  createRoute({ getParentRoute: () => safe, path: 'assets', loader: starting('assets') }),
  async () => (await import('./assets-page.tsx')).AssetsPage,
  'safe',
  'assets',
)

const settings = page(
  createRoute({ getParentRoute: () => safe, path: 'settings', loader: starting('settings') }),
  async () => (await import('./settings-page.tsx')).SettingsPage,
  'safe',
  'chains',
)

const transaction = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'transactions/$safeTxHash',
    params: { parse: ({ safeTxHash }) => ({ safeTxHash: parseHash(safeTxHash) }), stringify: (params) => params },
    loader: starting('transaction'),
  }),
  async () => (await import('./transaction-with-notes.tsx')).TransactionWithNotes,
  'safe',
  'findings',
  'book',
)

const propose = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'new',
    validateSearch: parseProposeSearch,
    remountDeps: ({ params, search }) => ({ ...params, ...search }),
    loader: starting('propose'),
  }),
  async () => (await import('./propose.tsx')).Propose,
  'safe',
  'findings',
  'compose',
)

const several = page(
  createRoute({ getParentRoute: () => safe, path: 'execute', loader: starting('several') }),
  async () => (await import('../features/transaction/several/execute-several.tsx')).ExecuteSeveral,
)

const messages = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'messages',
    loader: starting('messages'),
  }),
  async () => (await import('../features/messages/messages-page.tsx')).MessagesPage,
  'safe',
  'messages',
)

const newMessage = page(
  createRoute({ getParentRoute: () => safe, path: 'messages/new', loader: starting('newMessage') }),
  async () => (await import('../features/messages/new-message-page.tsx')).NewMessagePage,
  'safe',
  'findings',
  'messages',
)

const message = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'messages/$safeMessageHash',
    params: {
      parse: ({ safeMessageHash }) => ({ safeMessageHash: parseHash(safeMessageHash) }),
      stringify: (params) => params,
    },
    loader: starting('message'),
  }),
  async () => (await import('../features/messages/message-page.tsx')).MessagePage,
  'safe',
  'findings',
  'messages',
)

const signatures = page(
  createRoute({ getParentRoute: () => safe, path: 'signatures', loader: starting('signatures') }),
  async () => (await import('../features/alive/signatures-page.tsx')).SignaturesPage,
  'safe',
)

const team = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'team',
    loader: starting('team'),
  }),
  async () => (await import('../features/team/team-page.tsx')).TeamPage,
  'safe',
  'team',
)

const webhooks = page(
  createRoute({ getParentRoute: () => safe, path: 'team/webhooks', loader: starting('webhooks') }),
  async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
  'safe',
  'webhooks',
)

const policy = page(
  createRoute({ getParentRoute: () => safe, path: 'team/policy', loader: starting('policy') }),
  async () => (await import('../features/policy/policy-page.tsx')).PolicyPage,
  'safe',
  'policy',
)

const book = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'book',
    validateSearch: parseBookSearch,
    loader: starting('book'),
  }),
  async () => (await import('../features/book/book-page.tsx')).BookPage,
  'safe',
  'book',
)

const activity = page(
  createRoute({
    getParentRoute: () => safe,
    path: 'activity',
    loader: starting('activity'),
  }),
  async () => (await import('../features/activity/activity-page.tsx')).ActivityPage,
  'safe',
  'book',
)

/** The components next to each other, for development only. */
const design = import.meta.env.DEV
  ? [
      page(
        createRoute({ getParentRoute: () => root, path: '/design' }),
        async () => (await import('./design-page.tsx')).DesignPage,
        'design',
      ),
    ]
  : []

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signedIn.addChildren([
      safe.addChildren([
        overview,
        queue,
        history,
        assets,
        settings,
        transaction,
        propose,
        several,
        messages,
        newMessage,
        message,
        signatures,
        team,
        webhooks,
        policy,
        book,
        activity,
      ]),
      account,
      tokens,
      chains,
      create,
    ]),
    ...design,
  ]),
  defaultPreload: 'intent',
  // Queries decide themselves when their data is outdated.
  defaultPreloadStaleTime: 0,
  // Another Safe, transaction or message is another page: nothing that was read, typed or ticked may stay.
  defaultRemountDeps: ({ params }) => params,
  // The frame is there before the first page, and says who has to sign in; the page waits for nothing but its code.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPendingComponent: Coming,
  defaultErrorComponent: ({ error }) => <RouteProblem error={error} reset={() => void router.invalidate()} />,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

// Screen readers announce the new page. A form and its review have one address, and are pages of their own.
router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
  // A later page takes the place of one that can still be read.
  router.options.defaultPendingMs = Number.POSITIVE_INFINITY
  if (fromLocation && (pathChanged || fromLocation.state.written !== toLocation.state.written))
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function parseSafeParams({ chainId, safeAddress }: { chainId: string; safeAddress: string }) {
  const isWritten = /^[1-9][0-9]{0,15}$/.test(chainId) && Number.isSafeInteger(Number(chainId))
  // Lower case has no checksum to be wrong; anything else must be right.
  if (!isWritten || !isAddress(safeAddress, { strict: safeAddress !== safeAddress.toLowerCase() })) throw notFound()
  return { chainId: Number(chainId), safeAddress: getAddress(safeAddress) }
}

function writeSafeParams({ chainId, safeAddress }: { chainId: number; safeAddress: string }) {
  return { chainId: String(chainId), safeAddress }
}

function parseHash(hash: string) {
  if (!isHash(hash)) throw notFound()
  return hash
}

/** `abi`: the contract that the form for an ABI begins with; `named`: the address that the form for a name does, and whether to `sign` it. */
function parseBookSearch({ abi, named, sign }: Record<string, unknown>): {
  abi?: Address
  named?: Address
  sign?: true
} {
  const [contract, address] = [addressIn(abi), addressIn(named)]
  return { ...(contract && { abi: contract }), ...(address && { named: address }), ...(sign === true && { sign }) }
}

/**
 * `nonce`: of the proposal that the new one is to replace, or with `cancel` to end. `again`: of which transaction to propose the
 * same once more, at `nonce` where another one took its place. `sign`: of which message to propose that the Safe signs it on the chain. `approve` and `of`: the hash that
 * the Safe is to approve as an owner of another Safe. `change`: the kind of entry to begin with, of this `owner` or `module`,
 * or a limit of this `delegate` and `token`.
 */
function parseProposeSearch({ nonce, cancel, again, sign, approve, of, change, ...about }: Record<string, unknown>): {
  nonce?: string
  cancel?: true
  again?: Hex
  sign?: Hex
  approve?: Hex
  of?: Address
  change?: string
  owner?: Address
  module?: Address
  delegate?: Address
  token?: Address
} {
  const [hash, parent] = [hashIn(approve), addressIn(of)]
  if (hash && parent) return { approve: hash, of: parent }
  const [signed, repeated] = [hashIn(sign), hashIn(again)]
  if (signed) return { sign: signed }
  if (typeof change === 'string' && /^[a-z-]{1,30}$/.test(change)) return { change, ...addressesIn(about) }
  const written = typeof nonce === 'number' ? String(nonce) : nonce
  const at = typeof written === 'string' && /^(?:0|[1-9][0-9]{0,77})$/.test(written) ? { nonce: written } : null
  if (repeated) return { again: repeated, ...at }
  return at && cancel === true ? { ...at, cancel } : { ...at }
}

function hashIn(value: unknown): Hex | undefined {
  return typeof value === 'string' && isHash(value) ? (value.toLowerCase() as Hex) : undefined
}

function addressIn(value: unknown): Address | undefined {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}

const subjects = ['owner', 'module', 'delegate', 'token'] as const

function addressesIn(search: Record<string, unknown>): { [Key in (typeof subjects)[number]]?: Address } {
  return Object.fromEntries(
    subjects.flatMap((name) => {
      const address = addressIn(search[name])
      return address ? [[name, address]] : []
    }),
  )
}
