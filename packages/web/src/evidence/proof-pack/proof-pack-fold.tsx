import { MAX_PROOF_PACK, type PackSubject } from '@countersign/review'
import { useState } from 'react'
import type { Hex } from 'viem'
import { saveFile } from '../../device/save-file.ts'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/words/finding-text.ts'
import { fail } from '../../text/fail.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useHashSources } from '../proof/hash-sources.ts'
import { askWorker } from '../worker/ask-worker.ts'
import { AttachedPacks } from './attached-packs.tsx'
import type { CheckedPack, PackFile } from './checked-pack.ts'
import { rememberPack } from './made-packs.ts'
import { PackResult } from './pack-result.tsx'

type Work = { kind: 'idle' | 'making' | 'checking' } | { kind: 'failed'; error: Error } | Made | Checked
type Made = { kind: 'made'; pack: PackFile }
type Checked = { kind: 'checked'; checked: CheckedPack }

/**
 * Reads a chosen file. Rejects one with more bytes than a pack may have characters.
 *
 * @throws CountersignError `PROOF_PACK_INVALID`
 */
function readPackFile(file: File): Promise<string> {
  if (file.size > MAX_PROOF_PACK)
    throw fail('PROOF_PACK_INVALID', { reason: 'long', count: file.size, limit: MAX_PROOF_PACK })
  return file.text()
}

/** Everything that a run was made of, as a file: saved here, and run again here. */
export function ProofPackFold({
  subject,
  safeTxHash,
  names,
  isProposed,
}: {
  subject: PackSubject
  safeTxHash: Hex
  names: Names
  isProposed: boolean
}) {
  const sources = useHashSources(subject.chainId)
  const [work, setWork] = useState<Work>({ kind: 'idle' })
  const isBusy = work.kind === 'making' || work.kind === 'checking'
  const attempt = async (kind: 'making' | 'checking', act: () => Promise<Work>) => {
    setWork({ kind })
    setWork(
      await act().catch((failure) => {
        const error = failure instanceof Error ? failure : new Error(String(failure))
        return { kind: 'failed', error } as const
      }),
    )
  }
  const make = () =>
    attempt('making', async () => {
      const pack = await askWorker('makePack', { subject, sources })
      saveFile(`proof-pack-${subject.chainId}-${pack.hash.slice(0, 10)}.json`, 'application/json', pack.text)
      rememberPack(subject.executor, safeTxHash, { hash: pack.hash, block: Number(pack.blockNumber) })
      return { kind: 'made', pack }
    })
  const check = (read: () => Promise<string>) =>
    attempt('checking', async () => {
      const checked = await askWorker('checkPack', { text: await read(), subject, sources })
      return { kind: 'checked', checked }
    })
  return (
    <Fold title={text('pack.title')} result={text('pack.result')}>
      <div className="grid gap-3" data-pack={work.kind}>
        <p className="text-small text-ink-soft">{text('pack.explanation')}</p>
        <div>
          <Button
            onClick={() => void make()}
            busy={work.kind === 'making' ? text('pack.making') : undefined}
            disabled={isBusy}
          >
            {text('pack.make')}
          </Button>
        </div>
        <FileField
          label={text('pack.check')}
          disabled={isBusy}
          onFile={(file) => void check(async () => readPackFile(file))}
        />
        <div role="status">
          {work.kind === 'checking' && <p className="text-small">{text('pack.checking')}</p>}
          {work.kind === 'made' && (
            <p className="text-small wrap-anywhere">{text('pack.made', { hash: work.pack.hash })}</p>
          )}
          {work.kind === 'checked' && <PackResult checked={work.checked} names={names} />}
        </div>
        {work.kind === 'failed' && <Problem error={work.error} />}
        {isProposed && (
          <AttachedPacks
            subject={{ chainId: subject.chainId, safeAddress: subject.safeAddress, safeTxHash }}
            made={work.kind === 'made' ? work.pack.text : null}
            run={(read) => void check(read)}
            names={names}
            isBusy={isBusy}
          />
        )}
      </div>
    </Fold>
  )
}
