import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { HomePage } from '../features/home/home-page.tsx'
import { text } from '../text/text.ts'
import { Loading } from '../ui/loading.tsx'

// Features do not know each other; here they meet on a page. The first page is there at once, and its parts are not
// spread over files that others share; each other one comes when it is opened.
const SafeOverview = lazy(async () => ({ default: (await import('./safe-overview.tsx')).SafeOverview }))
const ProposePage = lazy(async () => ({
  default: (await import('../features/compose/propose-page.tsx')).ProposePage,
}))
const TransactionPage = lazy(async () => ({
  default: (await import('../features/transaction/transaction-page.tsx')).TransactionPage,
}))
const MessagesPage = lazy(async () => ({
  default: (await import('../features/messages/messages-page.tsx')).MessagesPage,
}))
const NewMessagePage = lazy(async () => ({
  default: (await import('../features/messages/new-message-page.tsx')).NewMessagePage,
}))
const MessagePage = lazy(async () => ({
  default: (await import('../features/messages/message-page.tsx')).MessagePage,
}))
const TeamPage = lazy(async () => ({ default: (await import('../features/team/team-page.tsx')).TeamPage }))
const BookPage = lazy(async () => ({ default: (await import('../features/book/book-page.tsx')).BookPage }))
const Notes = lazy(async () => ({ default: (await import('../features/book/notes.tsx')).Notes }))
const ActivityPage = lazy(async () => ({
  default: (await import('../features/activity/activity-page.tsx')).ActivityPage,
}))
const CoverageNote = lazy(async () => ({
  default: (await import('../features/chains/coverage-note.tsx')).CoverageNote,
}))
const ChainsPage = lazy(async () => ({ default: (await import('../features/chains/chains-page.tsx')).ChainsPage }))
const TokensPage = lazy(async () => ({ default: (await import('../features/tokens/tokens-page.tsx')).TokensPage }))

export function HomeRoute() {
  return (
    <HomePage
      coverage={
        <Suspense>
          <CoverageNote />
        </Suspense>
      }
    />
  )
}

export function SafeRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/' })
  return (
    <Page>
      <SafeOverview {...safe} />
    </Page>
  )
}

export function MessagesRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/messages' })
  return (
    <Page>
      <MessagesPage {...safe} />
    </Page>
  )
}

export function NewMessageRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/messages/new' })
  return (
    <Page>
      <NewMessagePage {...safe} />
    </Page>
  )
}

export function MessageRoute() {
  const message = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/messages/$safeMessageHash' })
  return (
    <Page>
      {/* Another message is another page: nothing that was read may stay. */}
      <MessagePage key={message.safeMessageHash} {...message} />
    </Page>
  )
}

export function TeamRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/team' })
  return (
    <Page>
      <TeamPage {...safe} />
    </Page>
  )
}

export function BookRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/book' })
  return (
    <Page>
      <BookPage {...safe} />
    </Page>
  )
}

export function ActivityRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/activity' })
  return (
    <Page>
      <ActivityPage {...safe} />
    </Page>
  )
}

export function ChainsRoute() {
  return (
    <Page>
      <ChainsPage />
    </Page>
  )
}

export function TokensRoute() {
  return (
    <Page>
      <TokensPage />
    </Page>
  )
}

export function ProposeRoute() {
  const safe = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/new' })
  const { nonce, cancel } = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/new' })
  return (
    <Page>
      <ProposePage
        key={`${nonce} ${cancel}`}
        {...safe}
        nonce={nonce === undefined ? null : BigInt(nonce)}
        isCancellation={cancel === true}
      />
    </Page>
  )
}

export function TransactionRoute() {
  const transaction = useParams({ from: '/signed-in/safes/$chainId/$safeAddress/transactions/$safeTxHash' })
  return (
    <Page>
      {/* Another transaction is another page: nothing that was read or ticked may stay. */}
      <TransactionPage
        key={transaction.safeTxHash}
        {...transaction}
        notes={<Notes {...transaction} subjectHash={transaction.safeTxHash} />}
      />
    </Page>
  )
}

function Page({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Loading label={text('app.loading')} />}>{children}</Suspense>
}
