import { fail } from '@countersign/contract'

/** Where a page ends: the columns of its order, which are where the next page begins. It costs the same, however deep. */
export function encodeKeyset(values: readonly (string | number | bigint)[]): string {
  return Buffer.from(values.join('|')).toString('base64url')
}

/** A moment as we write it into a cursor; any other text would be for the database to refuse. */
export const momentForm = {
  test: (text: string) =>
    /^[2-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString() === text,
}

/** @throws CountersignError `INVALID_REQUEST` for a cursor that no page ended with. */
export function decodeKeyset(cursor: string | undefined, forms: readonly Pick<RegExp, 'test'>[]): string[] {
  if (!cursor) return forms.map(() => '')
  const found = Buffer.from(cursor, 'base64url').toString('utf8').split('|')
  if (found.length === forms.length && forms.every((form, at) => form.test(found[at] ?? ''))) return found
  throw fail('INVALID_REQUEST', {
    reason: 'cursor',
    cursor,
    errors: [{ path: 'cursor', message: 'was not issued by this server' }],
  })
}
