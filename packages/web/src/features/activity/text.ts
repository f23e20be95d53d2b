import { needTexts } from '../../text/text.ts'

needTexts('book')

export { text } from '../../text/text.ts'
