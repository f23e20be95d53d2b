import { type ExecutedRun, nameSlots, type SafeConfiguration } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { Hex } from 'viem'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/words/finding-text.ts'

/** Raw slots of the Safe that the run changes, by name: what the words above rest on. */
export function RunSlots({
  run,
  before,
  safeTxHash,
  names,
}: {
  run: ExecutedRun
  before: SafeConfiguration
  safeTxHash: Hex
  names: Names
}) {
  const changes = run.slots.filter(({ account }) => isSameAddress(account, names.safeAddress))
  const nameOf = nameSlots(changes, { before, hashes: [safeTxHash] })
  return (
    <div className="mb-4">
      <h3 className="mb-1 font-semibold">{text('run.slots', { count: changes.length })}</h3>
      <ul className="grid gap-2 text-small">
        {changes.map(({ slot, before: was, after }) => {
          const named = nameOf(slot)
          return (
            <li key={slot} data-slot={slot} data-slot-name={named?.name ?? 'unknown'} className="grid gap-0.5">
              <span className="font-semibold">{text('evidence.holds.value', { holds: named?.name ?? 'unknown' })}</span>
              <span className="figures wrap-anywhere text-ink-faint">{slot}</span>
              <span className="figures wrap-anywhere">
                {was} → {after}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
