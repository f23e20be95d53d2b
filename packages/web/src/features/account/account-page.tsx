import { Suspense, useState } from 'react'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { languageNames, locale, storeLocale, storeTimeZone, timeZone } from '../../text/locale.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { readTheme, storeTheme, type Theme } from '../../ui/screen/theme.ts'
import { Section } from '../../ui/section.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { readNotifications, storeNotifications } from '../../ui/toast/notifications.ts'
import { openWalletDialog, Sessions, useSession } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Settings of a person: the account, how the product looks in this browser, sessions, tokens. */
export function AccountPage() {
  const { session } = useSession()
  return (
    <>
      <PageHead title={text('account.title')} />
      {session && (
        <Section title={text('account.account')}>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <Address address={session.address} />
            <Button onClick={openWalletDialog}>{text('account.account.wallet')}</Button>
          </div>
        </Section>
      )}
      <Section title={text('account.look')} aside={text('account.here')}>
        <div className="grid max-w-xl gap-4 sm:grid-cols-2">
          <LanguageField />
          <ThemeField />
          <ZoneField />
        </div>
      </Section>
      <Section title={text('account.news')} aside={text('account.here')}>
        <Notifications />
      </Section>
      <div className="mb-12 max-w-xl">
        <Suspense fallback={<Skeleton label={text('app.loading')} lines={3} />}>
          <Sessions isPage />
        </Suspense>
      </div>
      <Section title={text('account.tokens')}>
        <p className="mb-2 text-ink-soft">{text('account.tokens.what')}</p>
        <TextLink to="/tokens" look="action">
          {text('account.tokens.link')}
        </TextLink>
      </Section>
    </>
  )
}

/** The browser asks for its permission when somebody turns them on, and never before. */
function Notifications() {
  const [state, setState] = useState(() => readNotifications(guardedStorage))
  return (
    <div data-notifications={state} className="grid max-w-prose justify-items-start gap-3">
      <p className="text-ink-soft">{text('account.news.what')}</p>
      <p role="status" className="font-semibold">
        {text(`account.news.${state}`)}
      </p>
      {(state === 'on' || state === 'off') && (
        <Button onClick={() => void storeNotifications(guardedStorage, state === 'off').then(setState)}>
          {text(state === 'on' ? 'account.news.turnOff' : 'account.news.turnOn')}
        </Button>
      )}
    </div>
  )
}

/** The language is chosen before anything is drawn, so the page is loaded again. */
function LanguageField() {
  return (
    <SelectField
      label={text('account.language')}
      value={locale.language}
      onChange={({ target }) => {
        storeLocale(guardedStorage, target.value)
        location.reload()
      }}
    >
      {Object.entries(languageNames).map(([language, name]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function ThemeField() {
  const [theme, setTheme] = useState(() => readTheme(guardedStorage))
  return (
    <SelectField
      label={text('account.theme')}
      value={theme}
      onChange={({ target }) => {
        storeTheme(guardedStorage, target.value as Theme)
        setTheme(target.value as Theme)
      }}
    >
      <option value="system">{text('account.theme.system')}</option>
      <option value="light">{text('account.theme.light')}</option>
      <option value="dark">{text('account.theme.dark')}</option>
    </SelectField>
  )
}

/** Times that are drawn already stay as they are, so the page is loaded again. */
function ZoneField() {
  return (
    <SelectField
      label={text('account.zone')}
      value={timeZone}
      onChange={({ target }) => {
        storeTimeZone(guardedStorage, target.value === 'UTC' ? 'UTC' : 'device')
        location.reload()
      }}
    >
      <option value="device">
        {text('account.zone.device', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </option>
      <option value="UTC">{text('account.zone.utc')}</option>
    </SelectField>
  )
}
