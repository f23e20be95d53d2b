import { needTexts } from '../../text/text.ts'

needTexts('book')

export { isTextKey, text } from '../../text/text.ts'
