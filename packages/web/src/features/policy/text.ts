import { needTexts } from '../../text/text.ts'

needTexts('policy')

export { text } from '../../text/text.ts'
