import type { Review } from '@countersign/review'
import { independentCommands, type SafeTx, type SafeTxHashes } from '@countersign/safe'
import { keccak256, size } from 'viem'
import { useChosenDevice } from '../../evidence/device/chosen-device.ts'
import { HashGroups } from '../../evidence/device/hash-groups.tsx'
import { calldataDigest, deviceScreen } from '../../evidence/device/signing-device.ts'
import { text } from '../../evidence/page-text.ts'
import { formatList } from '../../text/locale.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Fold } from '../../ui/fold.tsx'
import type { TransactionRequest } from '../subject.ts'

/** Longer call data is not printed: it comes from the proposal's file. */
const MAX_PRINTED_BYTES = 2_000

type Guide = {
  title: string
  review: Review
  request: TransactionRequest
  /** Version of the Safe; null while it is not known, and then no hash can be computed. */
  version: string | null
}

/** Leads to the printed sheet. */
export function GuideFold() {
  return (
    <Fold title={text('guide.title')} result={text('guide.result')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('guide.what')}</p>
      <Button onClick={() => print()}>{text('guide.print')}</Button>
    </Fold>
  )
}

/** The sheet itself, on paper alone: fields, hashes, how to compute them elsewhere, and what the device shows. */
export function PrintedGuide({ title, review, request, version }: Guide) {
  const { chainId, safeAddress, safeTx } = request.subject
  const { hashes } = review
  return (
    <section data-print-guide className="hidden print:block">
      <h1 className="text-title font-semibold">{text('guide.title')}</h1>
      <p className="mb-4 text-lead">{title}</p>
      <h2 className="mt-4 mb-2 font-semibold">{text('guide.fields')}</h2>
      <p className="mb-2">{text('guide.fields.how')}</p>
      <Facts>
        <Fact label={text('guide.chainId')}>{chainId}</Fact>
        <Fact label={text('guide.safe')}>{safeAddress}</Fact>
        <Fact label={text('guide.version')}>{version ?? text('review.hashes.noVersion')}</Fact>
        <Fields safeTx={safeTx} />
      </Facts>
      <h2 className="mt-4 mb-2 font-semibold">{text('review.hashes')}</h2>
      <Hashes hashes={hashes} safeTx={safeTx} />
      {version !== null && (
        <>
          <h2 className="mt-4 mb-2 font-semibold">{text('guide.compute')}</h2>
          <p className="mb-2">{text('guide.compute.how')}</p>
          <ol className="grid gap-2">
            {independentCommands({ chainId, safeAddress, version, safeTx }).map(({ prints, command }) => (
              <li key={prints}>
                {text(`guide.prints.${prints}`)}
                <pre className="figures text-small whitespace-pre-wrap wrap-anywhere">
                  <code>{command}</code>
                </pre>
              </li>
            ))}
          </ol>
          <p className="mt-2">{text('guide.compute.compare')}</p>
        </>
      )}
      <DeviceSteps safeTx={safeTx} review={review} />
    </section>
  )
}

function Fields({ safeTx }: { safeTx: SafeTx }) {
  const bytes = size(safeTx.data)
  const { data, ...others } = safeTx
  return (
    <>
      {Object.entries(others).map(([name, value]) => (
        <Fact key={name} label={<FieldName name={name} />}>
          <span className="figures text-small">{String(value)}</span>
        </Fact>
      ))}
      <Fact label={<FieldName name="data" />}>
        {bytes > MAX_PRINTED_BYTES ? (
          text('guide.data.long', { bytes })
        ) : (
          <span className="figures text-small wrap-anywhere">{data}</span>
        )}
      </Fact>
    </>
  )
}

function Hashes({ hashes, safeTx }: { hashes: SafeTxHashes; safeTx: SafeTx }) {
  const all = [
    ['domainHash', hashes.domainHash],
    ['messageHash', hashes.messageHash],
    ['safeTxHash', hashes.safeTxHash],
    ['dataHash', keccak256(safeTx.data)],
    ['calldataDigest', calldataDigest(safeTx.data)],
  ] as const
  return (
    <Facts>
      {all.map(([name, hash]) => (
        <Fact key={name} label={text(`guide.hash.${name}`)}>
          <HashGroups hash={hash} letterCase="lower" isCopyable={false} />
        </Fact>
      ))}
    </Facts>
  )
}

function DeviceSteps({ safeTx, review }: { safeTx: SafeTx; review: Review }) {
  const [device] = useChosenDevice()
  if (device === null) return null
  const screen = deviceScreen(device, safeTx, review.call)
  return (
    <>
      <h2 className="mt-4 mb-2 font-semibold">
        {text('device.title')}: {text(`device.name.${device.id}`)}
      </h2>
      {(['shown', 'sometimes', 'not-shown', 'unknown'] as const).map((display) =>
        screen[display].length === 0 ? null : (
          <p key={display}>
            {text(`device.${display}`)}: {formatList(screen[display].map((part) => text(`device.part.${part}`)))}
          </p>
        ),
      )}
      <p>{text(`device.when.${device.id}`)}</p>
    </>
  )
}

function FieldName({ name }: { name: string }) {
  return <span className="figures">{name}</span>
}
