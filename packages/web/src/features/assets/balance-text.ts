import { needTexts } from '../../text/text.ts'

needTexts('balances')

export { text } from '../../text/text.ts'
