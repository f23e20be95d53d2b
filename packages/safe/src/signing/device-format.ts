import type { Hex } from 'viem'

/** In which letters a device writes the digits of a hash; the `x` of `0x` is small on all. */
export type DeviceLetterCase = 'upper' | 'lower'

/**
 * A hash as the device writes it.
 *
 * @example
 * formatHashForDevice('0xab12…', 'upper') // 0xAB12…
 */
export function formatHashForDevice(hash: Hex, letterCase: DeviceLetterCase): string {
  const digits = hash.slice(2)
  return `0x${letterCase === 'upper' ? digits.toUpperCase() : digits.toLowerCase()}`
}

/**
 * The digits of a hash in groups that an eye can hold, without the `0x`. Letters keep their case.
 *
 * @param groupSize - characters in a group.
 * @example
 * groupHash('0x0123456789abcdef', 4) // ['0123', '4567', '89ab', 'cdef']
 */
export function groupHash(hash: string, groupSize: 4 | 8): string[] {
  const digits = hash.replace(/^0x/i, '')
  return Array.from({ length: Math.ceil(digits.length / groupSize) }, (_, index) =>
    digits.slice(index * groupSize, (index + 1) * groupSize),
  )
}

/**
 * Whether what somebody read off a device is this whole hash. Case, spaces, line breaks and a missing `0x` make no
 * difference; a part of the hash is not the hash.
 *
 * @example
 * isHashFromDevice('0xAB12 CD34 …', messageHash)
 */
export function isHashFromDevice(reading: string, hash: Hex): boolean {
  const digits = reading.replace(/\s/g, '').replace(/^0x/i, '').toLowerCase()
  return digits !== '' && digits === hash.slice(2).toLowerCase()
}
