import { needTexts } from '../../text/text.ts'

needTexts('chains')

export { text } from '../../text/text.ts'
