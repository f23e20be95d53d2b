import type { SafeTx } from '@countersign/safe-core'
import { size } from 'viem'
import { Address, Hash } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { currencyOf, type Names, nameOf } from './names.ts'
import { text } from './text.ts'

/** All ten fields, as they are signed. */
export function ReviewFields({ safeTx, names }: { safeTx: SafeTx; names: Names }) {
  const currency = currencyOf(names.chain)
  const bytes = size(safeTx.data)
  return (
    <Section title={text('review.fields')} aside={text('review.fields.aside')}>
      <Facts>
        <Fact label={<Name name="to" />}>
          <Address address={safeTx.to} name={nameOf(safeTx.to, names)} />
        </Fact>
        <Fact label={<Name name="value" />} hint={<Amount value={safeTx.value} {...currency} />}>
          <Figure value={text('review.fields.wei', { value: safeTx.value })} />
        </Fact>
        <Fact label={<Name name="data" />} hint={text('review.fields.data.size', { count: bytes })}>
          <div className="max-h-64 overflow-y-auto">
            <Figure value={bytes === 0 ? text('review.fields.data.empty') : safeTx.data} />
          </div>
          {bytes > 0 && <CopyButton value={safeTx.data} label={text('review.fields.data.copy')} />}
        </Fact>
        <Fact label={<Name name="operation" />}>
          <span className={safeTx.operation === 1 ? 'font-semibold text-danger' : ''}>
            {text(`review.fields.operation.${safeTx.operation}`)}
          </span>
        </Fact>
        <Fact label={<Name name="safeTxGas" />}>
          <Figure value={safeTx.safeTxGas.toString()} />
        </Fact>
        <Fact label={<Name name="baseGas" />}>
          <Figure value={safeTx.baseGas.toString()} />
        </Fact>
        <Fact label={<Name name="gasPrice" />}>
          <Figure value={safeTx.gasPrice.toString()} />
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
      </Facts>
    </Section>
  )
}

function Name({ name }: { name: string }) {
  return <span className="figures">{name}</span>
}

function Figure({ value }: { value: string }) {
  return <span className="figures text-small wrap-anywhere">{value}</span>
}

/** The three hashes as a device shows them, to be compared letter by letter. */
export function ReviewHashes({
  explanation,
  domainHash,
  messageHash,
  signed,
  claimed,
  chainId,
  safeAddress,
  version,
}: {
  explanation: string
  domainHash: string
  messageHash: string
  /** What owners sign in the end, by its name. */
  signed: { name: 'safeTxHash' | 'safeMessageHash'; label: string; hash: string }
  /** Under which hash it came; null: nobody proposed it yet. */
  claimed: string | null
  chainId: number
  safeAddress: string
  version: string | null
}) {
  return (
    <Section title={text('review.hashes')} aside={text('review.hashes.aside')}>
      <p className="mb-3 max-w-prose text-ink-soft">{explanation}</p>
      <Facts>
        <Fact label={text('review.hashes.domainHash')}>
          <DeviceHash name="domainHash" hash={domainHash} />
        </Fact>
        <Fact label={text('review.hashes.messageHash')}>
          <DeviceHash name="messageHash" hash={messageHash} />
        </Fact>
        <Fact label={signed.label}>
          <DeviceHash name={signed.name} hash={signed.hash} />
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
    </Section>
  )
}

/** Devices write 0x small and the digits in capitals. */
function DeviceHash({ name, hash }: { name: string; hash: string }) {
  const groups = hash.slice(2).toUpperCase().match(/.{8}/g) ?? []
  return (
    <span data-computed={name} data-hash={hash} className="inline-flex flex-wrap items-baseline gap-x-2">
      <span className="figures">
        0x
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one hash never move
          <span key={index}>
            <wbr />
            <span className={index % 2 === 0 ? '' : 'text-ink-soft'}>{group}</span>
          </span>
        ))}
      </span>
      <CopyButton value={hash} label={text('copy.hash', { hash })} />
    </span>
  )
}
