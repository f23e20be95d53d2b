import { AddSafe } from './add-safe.tsx'
import { SafeList } from './safe-list.tsx'

/** The account's Safes, and the form for another one. */
export function MySafes() {
  return (
    <>
      <SafeList />
      <AddSafe />
    </>
  )
}
