import { needTexts } from '../../text/text.ts'

needTexts('account')

export { text } from '../../text/text.ts'
