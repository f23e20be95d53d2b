import { showUntrusted } from '../../../text/untrusted.ts'
import { addressProblemText } from '../../../ui/form/typed-address.ts'
import { text } from '../text.ts'
import { type LineFault, MAX_LINES } from './payment-list.ts'

/** Says what is wrong with a line, and what to do about it. */
export function faultSentence(fault: LineFault): string {
  const typed = showUntrusted(fault.typed, 60)
  switch (fault.about) {
    case 'address':
      return addressProblemText(fault.problem, fault.typed)
    case 'amount': {
      const { symbol, decimals } = fault.asset
      return text(`field.amount.${fault.problem}`, { typed, symbol: showUntrusted(symbol, 20), decimals })
    }
    case 'intent':
      return text(`compose.problem.${fault.problem}`, { owners: 0, version: '' })
    case 'long':
      return text('compose.list.long', { limit: MAX_LINES })
    case 'empty':
    case 'quotes':
      return text(`compose.list.${fault.about}`)
    default:
      return text(`compose.list.${fault.about}`, { typed })
  }
}
