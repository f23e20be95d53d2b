import { isSameAddress } from '@countersign/safe'
import type { ComposedSettings } from '@countersign/safe/compose'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { Address } from '../../ui/address.tsx'
import { Section } from '../../ui/section.tsx'
import { text } from './text.ts'

const places = ['guard', 'moduleGuard', 'fallbackHandler'] as const

/** The settings now and after the draft, side by side. Nothing where it changes none. */
export function SettingsChange({
  before,
  after,
  names,
}: {
  before: ComposedSettings
  after: ComposedSettings
  names: Names
}) {
  const isSameList = (one: readonly string[], other: readonly string[]) => one.join() === other.join()
  const isUnchanged =
    isSameList(before.owners, after.owners) &&
    isSameList(before.modules, after.modules) &&
    before.threshold === after.threshold &&
    places.every((place) => before[place] === after[place])
  if (isUnchanged) return null
  return (
    <Section title={text('compose.change')}>
      <div className="grid gap-3 sm:grid-cols-2" data-settings-change>
        <Settings when="now" settings={before} other={after} names={names} />
        <Settings when="afterwards" settings={after} other={before} names={names} />
      </div>
    </Section>
  )
}

function Settings({
  when,
  settings,
  other,
  names,
}: {
  when: 'now' | 'afterwards'
  settings: ComposedSettings
  other: ComposedSettings
  names: Names
}) {
  const { owners, threshold } = settings
  const isIn = (list: readonly string[], address: string) => list.some((one) => isSameAddress(one, address))
  return (
    <div data-settings={when} className="min-w-0 rounded-sheet border border-rule bg-raised px-4 py-3">
      <h3 className="label mb-1">{text(`compose.change.${when}`, { threshold, count: owners.length })}</h3>
      <ul>
        {owners.map((owner) => (
          <Line key={owner} address={owner} names={names} mark={isIn(other.owners, owner) ? null : when} />
        ))}
      </ul>
      {!(settings.modules.length === 0 && other.modules.length === 0) && (
        <>
          <h4 className="label mt-2">{text('compose.change.modules')}</h4>
          {settings.modules.length === 0 && <p>{text('compose.change.none')}</p>}
          <ul>
            {settings.modules.map((module) => (
              <Line key={module} address={module} names={names} mark={isIn(other.modules, module) ? null : when} />
            ))}
          </ul>
        </>
      )}
      {places.map((place) => {
        const address = settings[place]
        if (address === other[place]) return null
        return (
          <div key={place}>
            <h4 className="label mt-2">{text(`compose.change.${place}`)}</h4>
            {address === null ? (
              <p>{text('compose.change.none')}</p>
            ) : (
              <ul>
                <Line address={address} names={names} mark={when} />
              </ul>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** An address that is on this side alone says so: never by colour only. */
function Line({ address, names, mark }: { address: string; names: Names; mark: 'now' | 'afterwards' | null }) {
  return (
    <li className="border-t border-rule py-2 first:border-t-0">
      <Address address={address} name={nameOf(address, names)} hasAvatar={false} isCopyable={false} />
      {mark !== null && (
        <span className={`block text-small font-semibold ${mark === 'now' ? 'text-danger' : 'text-accent'}`}>
          {text(`compose.change.mark.${mark}`)}
        </span>
      )}
    </li>
  )
}
