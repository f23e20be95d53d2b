import { lazy, Suspense } from 'react'
import { HomePage } from '../features/home/home-page.tsx'

const CoverageNote = lazy(async () => ({
  default: (await import('../features/chains/coverage-note.tsx')).CoverageNote,
}))

/** The first page is there at once; what may be missing in its list is told when it is known. */
export function Home() {
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
