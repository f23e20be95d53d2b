import { readFileSync } from 'node:fs'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { type SignInMessage, writeSignInMessage } from './sign-in-message.ts'

type Vector = { message: string; fields: SignInMessage }

const vectors: Record<string, Vector> = JSON.parse(
  readFileSync(new URL('../vectors/siwe/parsing_positive.json', import.meta.url), 'utf8'),
)

describe('writeSignInMessage', () => {
  // The suite is of a parser. It also has texts that a writer never produces: addresses without checksum.
  const written = Object.entries(vectors).filter(([, { fields }]) => getAddress(fields.address) === fields.address)

  it('is compared with most of the vectors', () => {
    expect(written.length).toBeGreaterThanOrEqual(Object.keys(vectors).length - 3)
  })

  it.each(written)('%s', (_name, { message, fields }) => {
    // The JSON says null where a field is absent.
    const { scheme, ...rest } = fields
    expect(writeSignInMessage(scheme === null ? rest : fields)).toBe(message)
  })

  const fields: SignInMessage = {
    domain: 'localhost:4100',
    scheme: 'http',
    uri: 'http://localhost:4100',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    chainId: 31337,
    nonce: 'abcdefgh',
    issuedAt: '2025-01-01T00:00:00.000Z',
  }

  it('refuses a field that would add a line', () => {
    expect(() => writeSignInMessage({ ...fields, statement: 'a\nURI: https://evil.example' })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
    expect(() => writeSignInMessage({ ...fields, nonce: 'short' })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })
})
