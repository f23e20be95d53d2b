import type { ComponentProps, ReactNode } from 'react'
import { Form } from '../../ui/form/form.tsx'
import { useAccountState } from './session.ts'

/**
 * Makes its content inert while the wallet has another account than the session or has not named one yet; typed text
 * stays. The API client refuses such writes whatever the screen offers.
 */
export function Writing({ children }: { children: ReactNode }) {
  const { status } = useAccountState()
  return (
    <fieldset disabled={status === 'wrong-account' || status === 'loading'} className="contents" data-writing>
      {children}
    </fieldset>
  )
}

/** A form that changes what the server keeps. */
export function WritingForm<Output>(props: ComponentProps<typeof Form<Output>>) {
  return (
    <Writing>
      <Form {...props} />
    </Writing>
  )
}
