/**
 * Whether a Safe version is older than `major.minor`. The suffix `+L2` and the patch number make no difference.
 * What cannot be read as a version counts as the newest: `VERSION()` is a claim and may be any text.
 *
 * @example
 * isVersionBefore('1.1.1', 1, 3) // true
 */
export function isVersionBefore(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return first < major || (first === major && second < minor)
}
