import type { SafeTx } from '@countersign/safe'
import { type Hex, size, zeroAddress } from 'viem'
import { useChosenDevice } from '../../evidence/device/chosen-device.ts'
import { HashGroups } from '../../evidence/device/hash-groups.tsx'
import { ProposalFile } from '../../evidence/device/proposal-file.tsx'
import { currencyOf, type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Address, CopyAtEnd, Hash } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { Fact, Facts, ShortFacts } from '../../ui/facts.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Details } from '../../ui/section.tsx'

const SHORT_DATA = 164

/** All ten fields, as they are signed. */
export function ReviewFields({
  safeTx,
  names,
  title = text('review.fields'),
  file,
}: {
  safeTx: SafeTx
  names: Names
  title?: string
  /** The transaction as JSON, for owners who cannot see it here. */
  file?: string
}) {
  const currency = currencyOf(names.chain)
  const bytes = size(safeTx.data)
  const paidIn = safeTx.gasToken === zeroAddress ? 'wei' : 'token'
  return (
    <Fold title={title} result={text('review.fields.aside')}>
      <ShortFacts>
        <Fact label={<Name name="to" />}>
          <Address address={safeTx.to} name={nameOf(safeTx.to, names)} />
        </Fact>
        <Fact label={<Name name="value" />} hint={<Amount value={safeTx.value} {...currency} />}>
          <Figure value={text('review.fields.wei', { value: safeTx.value })} />
        </Fact>
        <Fact label={<Name name="data" />} hint={text('review.fields.data.size', { count: bytes })}>
          <CallData data={safeTx.data} />
          {bytes > 0 && <CopyAtEnd value={safeTx.data} label={text('review.fields.data.copy')} />}
        </Fact>
        <Fact label={<Name name="operation" />}>
          <span className={safeTx.operation === 1 ? 'font-semibold text-danger' : ''}>
            {text(`review.fields.operation.${safeTx.operation}`)}
          </span>
        </Fact>
        <Fact label={<Name name="safeTxGas" />}>
          <Figure value={text('review.fields.gas', { value: formatAmount(safeTx.safeTxGas, 0) })} />
        </Fact>
        <Fact label={<Name name="baseGas" />}>
          <Figure value={text('review.fields.gas', { value: formatAmount(safeTx.baseGas, 0) })} />
        </Fact>
        <Fact label={<Name name="gasPrice" />}>
          <Figure value={text(`review.fields.gasPrice.${paidIn}`, { value: safeTx.gasPrice })} />
        </Fact>
        <Fact label={<Name name="gasToken" />}>
          <Address address={safeTx.gasToken} hasAvatar={false} />
        </Fact>
        <Fact label={<Name name="refundReceiver" />}>
          <Address address={safeTx.refundReceiver} hasAvatar={false} />
        </Fact>
        <Fact label={<Name name="nonce" />}>
          <Figure value={safeTx.nonce.toString()} />
        </Fact>
      </ShortFacts>
      {file !== undefined && <CopyAtEnd value={file} label={text('nested.copy')} />}
    </Fold>
  )
}

/** A few words of it at once; more than that unfolds, and the search of the browser finds it there. */
function CallData({ data }: { data: Hex }) {
  const bytes = size(data)
  if (bytes === 0) return <Figure value={text('review.fields.data.empty')} />
  if (bytes <= SHORT_DATA) return <Figure value={data} />
  return (
    <Details
      hasRule={false}
      summary={
        <>
          <span className="figures text-small">{data.slice(0, 10)}… </span>
          {text('review.fields.data.all', { count: bytes })}
        </>
      }
    >
      <Figure value={data} />
    </Details>
  )
}

function Name({ name }: { name: string }) {
  return <span className="figures">{name}</span>
}

function Figure({ value }: { value: string }) {
  return <span className="figures text-small wrap-anywhere">{value}</span>
}

/** The three hashes in the letters of the chosen device, to be compared one by one. */
export function ReviewHashes({
  explanation,
  domainHash,
  messageHash,
  signed,
  claimed,
  chainId,
  safeAddress,
  version,
  file,
}: {
  explanation: string
  domainHash: Hex
  messageHash: Hex
  /** Hash that owners sign in the end, by its name. */
  signed: { name: 'safeTxHash' | 'safeMessageHash'; label: string; hash: Hex }
  /** Under which hash it came; null: nobody proposed it yet. */
  claimed: string | null
  chainId: number
  safeAddress: string
  version: string | null
  /** The proposal as JSON, for who looks at it or signs it elsewhere. */
  file: string
}) {
  const [device] = useChosenDevice()
  const letterCase = device?.letterCase === 'upper' ? 'upper' : 'lower'
  return (
    <Fold title={text('review.hashes')} result={text('review.hashes.aside')}>
      <p className="mb-3 max-w-prose text-ink-soft">{explanation}</p>
      <Facts>
        <Fact label={text('review.hashes.domainHash')}>
          <HashGroups name="domainHash" hash={domainHash} letterCase={letterCase} />
        </Fact>
        <Fact label={text('review.hashes.messageHash')}>
          <HashGroups name="messageHash" hash={messageHash} letterCase={letterCase} />
        </Fact>
        <Fact label={signed.label}>
          <HashGroups name={signed.name} hash={signed.hash} letterCase={letterCase} />
        </Fact>
        {claimed !== null && claimed !== signed.hash && (
          <Fact label={text('review.hashes.served')}>
            <span className="text-danger">
              <Hash hash={claimed} />
            </span>
          </Fact>
        )}
      </Facts>
      <p className="mt-3 text-small text-ink-soft wrap-anywhere">
        {text('review.hashes.independent', {
          chainId,
          safeAddress,
          version: version ?? text('review.hashes.noVersion'),
        })}
      </p>
      <ProposalFile chainId={chainId} file={file} hash={signed.hash} />
    </Fold>
  )
}
