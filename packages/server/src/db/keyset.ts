import { CountersignError } from '@countersign/safe-core'

/** Where a page ends: the columns of its order, which are where the next page begins. It costs the same, however deep. */
export function encodeKeyset(values: readonly (string | number | bigint)[]): string {
  return Buffer.from(values.join('|')).toString('base64url')
}

/** @throws CountersignError `INVALID_REQUEST` for a cursor that no page ended with. */
export function decodeKeyset(cursor: string | undefined, forms: readonly RegExp[]): string[] {
  if (!cursor) return forms.map(() => '')
  const found = Buffer.from(cursor, 'base64url').toString('utf8').split('|')
  if (found.length === forms.length && forms.every((form, at) => form.test(found[at] ?? ''))) return found
  throw new CountersignError('INVALID_REQUEST', `The cursor \`${cursor}\` is none of ours.`, {
    data: { errors: [{ path: 'cursor', message: 'is none of ours' }] },
  })
}
