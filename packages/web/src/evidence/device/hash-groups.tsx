import { formatHashForDevice } from '@countersign/safe'
import type { Hex } from 'viem'
import { text } from '../../safe/text.ts'
import { CopyAtEnd } from '../../ui/address.tsx'

/** A hash to be compared by eye: its digits in groups of four, two tones, in the letters that the device writes. */
export function HashGroups({
  name,
  hash,
  letterCase,
  isCopyable = true,
}: {
  /** Marks it as that hash of the review. */
  name?: string
  hash: Hex
  letterCase: 'upper' | 'lower'
  isCopyable?: boolean
}) {
  return (
    <span data-computed={name} data-hash={hash}>
      <span className="figures text-small">
        0x
        {groupsOf(formatHashForDevice(hash, letterCase)).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one hash never move
          <span key={index}>
            <wbr />
            <span className={index % 2 === 0 ? '' : 'text-ink-soft'}>{group}</span>
          </span>
        ))}
      </span>
      {isCopyable && <CopyAtEnd value={hash} label={text('copy.hash', { hash })} />}
    </span>
  )
}

/** The digits of a hash in groups of four, which an eye can hold, without the `0x`. */
function groupsOf(hash: string): string[] {
  return hash.slice(2).match(/.{1,4}/g) ?? []
}
