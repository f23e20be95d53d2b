import { type Effects, type Review, writeEffectsJson, writeEffectsMarkdown } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import { saveFile } from '../../device/save-file.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import type { TransactionRequest } from '../subject.ts'
import { effectLines } from './effect-lines.ts'

/** Lines that are drawn; a file has all of them. */
const MAX_LINES = 50

/** The changes that the proposer declared, or those that the calls tell, and both forms of them to keep. */
export function ExpectedChanges({
  review,
  request,
  state,
  names,
}: {
  review: Review
  request: TransactionRequest
  state: SafeState | undefined
  names: Names
}) {
  const { chainId, safeAddress } = request.subject
  const { declared } = request
  const effects = declared ?? review.observed
  const place = { chainId, safeAddress, ...review.hashes }
  const name = `effects-${chainId}-${review.hash.slice(0, 10)}`
  const rpcUrl = `${location.origin}/api/chains/${chainId}/rpc`
  const json = () => writeEffectsJson(place, effects, { balance: state?.balance ?? null, rpcUrl })
  return (
    <Fold title={text('effects.title')} result={text(declared ? 'effects.result.declared' : 'effects.result.read')}>
      <p className="mb-2 text-small text-ink-soft">{text(declared ? 'effects.declared' : 'effects.read')}</p>
      {declared && <Address address={declared.author} name={nameOf(declared.author, names)} />}
      <EffectLines effects={effects} names={names} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => saveFile(`${name}.json`, 'application/json', json())}>{text('effects.json')}</Button>
        <Button onClick={() => saveFile(`${name}.md`, 'text/markdown', writeEffectsMarkdown(place, effects))}>
          {text('effects.markdown')}
        </Button>
      </div>
    </Fold>
  )
}

/** Effects, one line each. */
export function EffectLines({ effects, names }: { effects: Effects; names: Names }) {
  const lines = effectLines(effects, names)
  return (
    <>
      <ul aria-label={text('effects.title')} className="grid gap-1">
        {lines.slice(0, MAX_LINES).map((line) => (
          <li key={line} className="figures text-small wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      {lines.length > MAX_LINES && (
        <p className="text-small text-ink-soft">{text('effects.more', { count: lines.length - MAX_LINES })}</p>
      )}
    </>
  )
}
