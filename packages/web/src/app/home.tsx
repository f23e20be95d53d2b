import { Suspense } from 'react'
import { HomePage } from '../features/home/home-page.tsx'
import { withTexts } from '../text/text.ts'
import { lazyPart } from '../ui/part/lazy-part.tsx'

const CoverageNote = lazyPart(
  async () => (await withTexts(() => import('../features/chains/coverage-note.tsx'))).CoverageNote,
)

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
