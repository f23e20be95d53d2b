import type { Hex } from 'viem'
import { formatDay, formatList } from '../../text/locale.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Details } from '../../ui/section.tsx'
import { text } from '../page-text.ts'
import { useChosenDevice } from './chosen-device.ts'
import { HashGroups } from './hash-groups.tsx'
import type { DeviceDisplay, DevicePart, DeviceScreen, SigningDevice } from './signing-device.ts'
import { signingDevices } from './signing-devices.data.ts'

/** The hashes that a device may show, by the names that the catalogue of devices has for them. */
export type DeviceHashes = Record<'domainHash' | 'messageHash' | 'eip712Digest', Hex> & { calldataDigest?: Hex }

/** Says what the device that this person signs with will show, and what it will not. */
export function DevicePanel({
  kind,
  hashes,
  screenOf,
}: {
  kind: 'transaction' | 'message'
  hashes: DeviceHashes
  screenOf: (device: SigningDevice) => DeviceScreen
}) {
  const [device, choose] = useChosenDevice()
  return (
    <div data-device={device?.id ?? 'none'} className="grid gap-3">
      <SelectField
        label={text('device.choose')}
        value={device?.id ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      >
        <option value="">{text('device.choose.none')}</option>
        {signingDevices.map(({ id }) => (
          <option key={id} value={id}>
            {text(`device.name.${id}`)}
          </option>
        ))}
      </SelectField>
      {device === null ? (
        <p className="text-small text-ink-soft">{text('device.none')}</p>
      ) : (
        <DeviceScreens device={device} kind={kind} hashes={hashes} screen={screenOf(device)} />
      )}
    </div>
  )
}

const displays: readonly DeviceDisplay[] = ['shown', 'sometimes', 'not-shown', 'unknown']

function DeviceScreens({
  device,
  kind,
  hashes,
  screen,
}: {
  device: SigningDevice
  kind: 'transaction' | 'message'
  hashes: DeviceHashes
  screen: DeviceScreen
}) {
  const isHash = (part: DevicePart): part is keyof DeviceHashes => part in hashes
  const compared = [...screen.shown, ...screen.sometimes].filter(isHash)
  const maybe = compared.length === 0 ? screen.unknown.filter(isHash) : []
  return (
    <>
      <Comparison
        kind={kind}
        hashes={hashes}
        parts={compared.length > 0 ? compared : maybe}
        letterCase={device.letterCase === 'upper' ? 'upper' : 'lower'}
      />
      <p className="text-small text-ink-soft">
        {text(
          compared.length > 0
            ? 'device.compare'
            : maybe.length > 0
              ? 'device.compare.unknown'
              : 'device.compare.nothing',
        )}
      </p>
      <dl className="grid gap-2 text-small">
        {displays.map((display) => {
          const parts = screen[display]
          return parts.length === 0 ? null : (
            <div key={display} data-display={display}>
              <dt className={display === 'not-shown' ? 'font-semibold' : 'text-ink-faint'}>
                {text(`device.${display}`)}
              </dt>
              <dd className="wrap-anywhere">{formatList(parts.map((part) => nameOfPart(part, kind)))}</dd>
            </div>
          )
        })}
      </dl>
      <p className="text-small text-ink-soft">{text(`device.when.${device.id}`)}</p>
      {!device.isHardware && <p className="text-small text-ink-soft">{text('device.software')}</p>}
      <Sources device={device} />
    </>
  )
}

function Comparison({
  kind,
  hashes,
  parts,
  letterCase,
}: {
  kind: 'transaction' | 'message'
  hashes: DeviceHashes
  parts: readonly (keyof DeviceHashes)[]
  letterCase: 'upper' | 'lower'
}) {
  if (parts.length === 0) return null
  return (
    <dl className="grid gap-2 rounded-sheet border border-rule-strong bg-paper px-3 py-2.5">
      {parts.map((part) => {
        const hash = hashes[part]
        return hash === undefined ? null : (
          <div key={part} data-on-device={part}>
            <dt className="label first-letter:uppercase">{nameOfPart(part, kind)}</dt>
            <dd>
              <HashGroups hash={hash} letterCase={letterCase} isCopyable={false} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function nameOfPart(part: DevicePart, kind: 'transaction' | 'message'): string {
  return part === 'eip712Digest' && kind === 'message'
    ? text('device.part.eip712Digest.message')
    : text(`device.part.${part}`)
}

/** The day of the facts, and where they were read: nobody has to believe the list. */
function Sources({ device: { checkedOn, release, sources } }: { device: SigningDevice }) {
  const date = formatDay(checkedOn)
  return (
    <div className="text-small text-ink-faint">
      <p>
        {release === null ? text('device.checkedOn', { date }) : text('device.checkedOn.release', { date, release })}
      </p>
      {sources.length > 0 && (
        <Details hasRule={false} summary={text('device.sources', { count: sources.length })}>
          <ul className="grid gap-1">
            {sources.map(({ url }) => (
              <li key={url} className="wrap-anywhere">
                <ExternalLink href={url}>{url.replace(/^https:\/\//, '')}</ExternalLink>
              </li>
            ))}
          </ul>
        </Details>
      )}
    </div>
  )
}
