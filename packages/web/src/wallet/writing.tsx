import type { ReactNode } from 'react'
import { useAccountState } from './session.ts'

/**
 * What writes: inert while the wallet has another account than the session, and what was typed stays. The API client
 * refuses such writes whatever the screen offers.
 */
export function Writing({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={useAccountState().status === 'wrong-account'} className="contents" data-writing>
      {children}
    </fieldset>
  )
}
