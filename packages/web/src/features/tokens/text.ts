import { needTexts } from '../../text/text.ts'

needTexts('tokens')

export { text } from '../../text/text.ts'
