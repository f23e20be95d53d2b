import { text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import type { AddressProblem } from './parse-address.ts'

export function addressProblemText(problem: AddressProblem, typed: string): string {
  const trimmed = typed.trim()
  const digits = /^0x([0-9a-fA-F]*)$/.exec(trimmed)?.[1]
  if (problem === 'not-an-address' && digits !== undefined)
    return text('field.address.length', { digits: digits.length })
  return text(`field.address.${problem}`, { typed: showUntrusted(trimmed, 60) })
}
