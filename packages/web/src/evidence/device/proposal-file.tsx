import { Suspense } from 'react'
import type { Hex } from 'viem'
import { saveFile } from '../../device/save-file.ts'
import { withTexts } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Details } from '../../ui/section.tsx'
import { text } from '../page-text.ts'

// Drawn by few, and by them on request.
const QrCode = lazyPart(async () => {
  const { QrCode } = await withTexts(() => import('../../ui/copy/qr-code.tsx'))
  return QrCode
})

/** A denser code is read by few cameras. */
const MAX_CODE_BYTES = 1_200

/** The proposal for a second look, or a signature, elsewhere: as a file, and as a code where it is short. */
export function ProposalFile({ chainId, hash, file }: { chainId: number; hash: Hex; file: string }) {
  // Its numbers are text, so that nothing is lost in reading it.
  const short = JSON.stringify(JSON.parse(file))
  const fits = new TextEncoder().encode(short).length <= MAX_CODE_BYTES
  return (
    <div className="mt-4 max-w-prose">
      <p className="mb-3 text-ink-soft">{text('guide.file.what')}</p>
      <Button onClick={() => saveFile(`proposal-${chainId}-${hash.slice(0, 10)}.json`, 'application/json', file)}>
        {text('guide.file.save')}
      </Button>
      {fits ? (
        <Details summary={text('guide.file.code')} hasRule={false} isLazy>
          <Suspense fallback={<Loading label={text('guide.file.code')} />}>
            <QrCode value={short} label={text('guide.file.picture')} />
          </Suspense>
        </Details>
      ) : (
        <p className="mt-2 text-small text-ink-soft">{text('guide.file.long')}</p>
      )}
    </div>
  )
}
