import { type Address, getAddress } from 'viem'
import { CountersignError } from './error.ts'

/** The fields of an EIP-4361 message. Times are ISO 8601. */
export type SignInMessage = {
  domain: string
  uri: string
  /** Written before the domain when the site is not served over https. */
  scheme?: string | undefined
  address: Address
  statement?: string | undefined
  chainId: number
  nonce: string
  issuedAt: string
  expirationTime?: string | undefined
  notBefore?: string | undefined
  requestId?: string | undefined
  resources?: readonly string[] | undefined
}

/**
 * Writes the text that a person signs to sign in, exactly as EIP-4361 lays it out. Both sides write it: the wallet is
 * given it, and the server compares it byte for byte.
 *
 * @throws CountersignError `INVALID_REQUEST` when a field holds a line break, or the nonce is not 8 or more letters and
 * digits: the text could then be read in two ways.
 */
export function writeSignInMessage(message: SignInMessage): string {
  for (const [field, value] of Object.entries(message)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (texts.some((text) => typeof text === 'string' && /[\r\n]/.test(text))) {
      throw new CountersignError('INVALID_REQUEST', `The field \`${field}\` of the sign-in message has a line break.`, {
        data: { field },
      })
    }
  }
  if (!/^[a-zA-Z0-9]{8,}$/.test(message.nonce)) {
    throw new CountersignError(
      'INVALID_REQUEST',
      `The nonce \`${message.nonce}\` is not 8 or more letters and digits.`,
      {
        data: { nonce: message.nonce },
      },
    )
  }
  const origin = message.scheme === undefined ? message.domain : `${message.scheme}://${message.domain}`
  const lines = [`${origin} wants you to sign in with your Ethereum account:`, getAddress(message.address), '']
  if (message.statement !== undefined) lines.push(message.statement)
  lines.push('', `URI: ${message.uri}`, 'Version: 1', `Chain ID: ${message.chainId}`, `Nonce: ${message.nonce}`)
  lines.push(`Issued At: ${message.issuedAt}`)
  if (message.expirationTime !== undefined) lines.push(`Expiration Time: ${message.expirationTime}`)
  if (message.notBefore !== undefined) lines.push(`Not Before: ${message.notBefore}`)
  if (message.requestId !== undefined) lines.push(`Request ID: ${message.requestId}`)
  if (message.resources !== undefined) lines.push('Resources:', ...message.resources.map((resource) => `- ${resource}`))
  return lines.join('\n')
}
