import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Reads a text of the operator's, no more than the limit whatever the file's size is said to be: a device has none.
 *
 * @throws Error that says what is wrong with the file
 */
export function readBounded(path: string, maxBytes: number): string {
  const file = openSync(path, 'r')
  try {
    if (!fstatSync(file).isFile()) throw new Error('is no file')
    const bytes = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    if (length > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length))
  } finally {
    closeSync(file)
  }
}
